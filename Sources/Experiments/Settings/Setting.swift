import Reporting

/// One choice that a run leaves to its user.
///
/// A setting is declared once, as a property of ``RunSettings``. The flags of the command line, their help and their
/// completions, the manifest, the commands that are printed, sweeps, the gate's runs, advice and the comparison of two
/// manifests all derive from that declaration:
///
/// ```swift
/// let visibleRows = Setting(
///   "visible-rows", .integer(0...10_000), in: .screens, target: \.options.visibleRows, help: "Rows on a screen.")
/// ```
package struct Setting<Value: Hashable & Sendable>: Sendable {
  /// The name on command lines, without dashes, and in files.
  package let name: String
  /// The form that reads and writes values.
  let form: SettingForm<Value>
  /// The part of a run that the setting belongs to.
  let section: SettingSection
  /// The part that the setting plays when two runs are compared.
  let role: SettingRole
  /// The commands that accept the setting.
  let uses: Set<SettingUse>
  /// The only machine that has the setting, or nil if both have it.
  let machine: MachineKind?
  /// The sentence that describes the setting in help.
  let help: String
  /// The paragraph that help adds, or an empty text.
  let discussion: String
  /// The value of a run that does not give the setting.
  let standard: SettingStandard

  /// Writes a value into the experiment.
  let apply: @Sendable (Value, inout Experiment) -> Void
  /// Returns the value that an experiment has; nil if the manifest leaves the setting out, `.some(nil)` if it has no value.
  let recorded: @Sendable (Experiment) -> Value??
}

// MARK: - Declaring

extension Setting {
  /// Declares a setting that fills in one field of the experiment.
  ///
  /// - Parameter recordedOn: The only machine whose manifests record the setting, or nil if all do.
  init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard = .target,
    target: WritableKeyPath<Experiment, Value> & Sendable, recordedOn: MachineKind? = nil, help: String,
    discussion: String = ""
  ) {
    self.init(
      name: name, form: form, section: section, role: role, uses: uses, machine: machine, help: help,
      discussion: discussion, standard: standard, apply: { $1[keyPath: target] = $0 },
      recorded: { experiment in
        if let recordedOn, recordedOn != experiment.machine { return nil }
        return .some(experiment[keyPath: target])
      })
  }

  /// Declares a setting that fills in one field of the experiment, which is nil unless the setting is given.
  init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard,
    optionalTarget target: WritableKeyPath<Experiment, Value?> & Sendable, help: String, discussion: String = ""
  ) {
    self.init(
      name: name, form: form, section: section, role: role, uses: uses, machine: machine, help: help,
      discussion: discussion, standard: standard, apply: { $1[keyPath: target] = $0 },
      recorded: { .some($0[keyPath: target]) })
  }

  /// Declares a setting that the run itself makes something of.
  ///
  /// - Parameter recorded: Returns the value that the manifest records, or nil if it does not record the setting.
  init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard,
    recorded: @escaping @Sendable (Experiment) -> Value?? = { _ in nil }, help: String, discussion: String = ""
  ) {
    self.init(
      name: name, form: form, section: section, role: role, uses: uses, machine: machine, help: help,
      discussion: discussion, standard: standard, apply: { _, _ in }, recorded: recorded)
  }
}

// MARK: - What a setting concerns

/// A part of a run, under whose title `--help` lists its settings.
package enum SettingSection: String, CaseIterable, Sendable {
  case stacks = "STACKS"
  case machine = "MACHINE"
  case workload = "WORKLOAD"
  case screens = "USER INTERFACE"
  case store = "CONTEXTS AND STORE"
  case trials = "TRIALS"
}

/// A use of a setting by another command than `run`.
package enum SettingUse: Hashable, CaseIterable, Sendable {
  /// `sweep --vary` gives the setting several values.
  case variation
  /// A run of the gate gives it.
  case gate
  /// `advise` and the printed code of a stack take it.
  case advice
  /// `compare --live` passes it to both sides.
  case liveComparison
  /// It changes the code of a stack that `topologies` prints.
  case printedCode
}

extension Set<SettingUse> {
  /// A setting that changes what a trial does, and not the code that is printed.
  static let all: Set = [.variation, .gate, .advice, .liveComparison]
  /// A setting that changes both.
  static let allAndCode = all.union([.printedCode])
  /// The uses of a setting that does not change what a trial does: none.
  static let none: Set = []
}

/// The value of a run that does not give a setting, as help shows it.
enum SettingStandard: Hashable, Sendable {
  /// The value that the experiment has already.
  case target
  /// That value, followed by more words.
  case targetWith(String)
  /// The value that a live run has; a simulated run has its profile's.
  case profile
  /// Words in place of a value.
  case words(String)
  /// A default that help does not mention.
  case none
}
