import Reporting

/// A choice that a user makes for a run.
///
/// A setting is declared once, as a property of ``RunSettings``. The flags of the command line, their help and their
/// completions, the manifest, the commands that are printed, sweeps, the gate's runs, advice and the comparison of two
/// manifests all derive from that declaration:
///
/// ```swift
/// let visibleRows = Setting(
///   "visible-rows", .integer(0...10_000), in: .screens, target: \.options.visibleRows, help: "Rows on a screen.")
/// ```
package final class Setting<Value: Hashable & Sendable>: Sendable {
  /// The name on command lines, without dashes, and in files.
  package let name: String
  /// The form that reads and writes values.
  let form: SettingForm<Value>
  /// The part of a run that the setting belongs to.
  let section: SettingSection
  /// The role of the setting when two runs are compared.
  let role: SettingRole
  /// The commands that accept the setting.
  let uses: Set<SettingUse>
  /// The only machine that has the setting, or nil if both have it.
  let machine: MachineKind?
  /// The sentence that describes the setting in help.
  let help: String
  /// A paragraph that help adds, or an empty text.
  let discussion: String
  /// The value of a run that does not give the setting.
  let standard: SettingStandard

  /// Writes a value into the experiment.
  let apply: @Sendable (Value, inout Experiment) -> Void
  /// Returns the value in an experiment. It is nil if the manifest does not record the setting, and `.some(nil)` if the
  /// setting has no value.
  let recorded: @Sendable (Experiment) -> Value??

  /// Declares a setting that does not fill in a field. ``RunRequest`` reads its value when it makes the experiment.
  ///
  /// `recorded` returns the value that the manifest records, or nil if the manifest does not record the setting.
  @inline(never)
  init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard,
    apply: @escaping @Sendable (Value, inout Experiment) -> Void = { _, _ in },
    recorded: @escaping @Sendable (Experiment) -> Value?? = { _ in nil }, help: String, discussion: String = ""
  ) {
    (self.name, self.form, self.section, self.role, self.uses) = (name, form, section, role, uses)
    (self.machine, self.standard, self.help, self.discussion) = (machine, standard, help, discussion)
    (self.apply, self.recorded) = (apply, recorded)
  }
}

// MARK: - Declaring

extension Setting {
  /// Declares a setting that fills in one field of the experiment.
  ///
  /// `recordedOn` is the only machine whose manifests record the setting, or nil if the manifests of all machines do.
  @inline(never)
  convenience init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard = .target,
    target: WritableKeyPath<Experiment, Value> & Sendable, recordedOn: MachineKind? = nil, help: String,
    discussion: String = ""
  ) {
    self.init(
      name, form, in: section, role: role, uses: uses, machine: machine, standard: standard,
      apply: { $1[keyPath: target] = $0 },
      recorded: { experiment in
        if let recordedOn, recordedOn != experiment.machine { return nil }
        return .some(experiment[keyPath: target])
      }, help: help, discussion: discussion)
  }

  /// Declares a setting that fills in one field of the experiment, which is nil unless the setting is given.
  @inline(never)
  convenience init(
    _ name: String, _ form: SettingForm<Value>, in section: SettingSection, role: SettingRole = .workload,
    uses: Set<SettingUse> = .all, machine: MachineKind? = nil, standard: SettingStandard,
    optionalTarget target: WritableKeyPath<Experiment, Value?> & Sendable, help: String, discussion: String = ""
  ) {
    self.init(
      name, form, in: section, role: role, uses: uses, machine: machine, standard: standard,
      apply: { $1[keyPath: target] = $0 }, recorded: { .some($0[keyPath: target]) }, help: help, discussion: discussion)
  }
}

// MARK: - Sections and uses

/// A part of a run. `--help` lists its settings under its title.
package enum SettingSection: String, CaseIterable, Sendable {
  case stacks = "STACKS"
  case machine = "MACHINE"
  case workload = "WORKLOAD"
  case screens = "USER INTERFACE"
  case store = "CONTEXTS AND STORE"
  case trials = "TRIALS"
}

/// A use of a setting by a command other than `run`.
package enum SettingUse: Hashable, CaseIterable, Sendable {
  /// `sweep --vary` gives the setting several values.
  case variation
  /// A run of the gate may have the setting.
  case gate
  /// `advise`, and the command that prints the code of a stack, accept the setting.
  case advice
  /// `compare --live` passes the setting to both sides.
  case liveComparison
  /// The setting changes the code of a stack that `topologies` prints.
  case printedCode
}

extension Set<SettingUse> {
  /// The uses of a setting that affects trials, but not the printed code.
  static let all: Set = [.variation, .gate, .advice, .liveComparison]
  /// The uses of a setting that affects both trials and the printed code.
  static let allAndCode = all.union([.printedCode])
  /// The empty set, for a setting that other commands do not use.
  static let none: Set = []
}

/// The value of a run that does not give a setting, as help shows it.
enum SettingStandard: Hashable, Sendable {
  /// The value in the default experiment.
  case target
  /// The value in the default experiment, followed by more words.
  case targetWith(String)
  /// The value in the default live experiment. A simulated run takes the value from its profile.
  case profile
  /// Words in place of a value.
  case words(String)
  /// A default that help does not mention.
  case none
}
