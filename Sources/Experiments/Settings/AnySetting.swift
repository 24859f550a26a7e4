import Reporting

/// A setting without the type of its values.
package struct AnySetting: Sendable {
  package let name: String
  package let section: SettingSection
  let role: SettingRole
  package let uses: Set<SettingUse>
  let machine: MachineKind?
  package let help: String
  package let discussion: String
  package let placeholder: String
  package let completion: SettingCompletion
  package let isNumeric: Bool
  package let isRepeatable: Bool
  /// True if the flag has no value. Its presence turns the setting on.
  package let isSwitch: Bool
  /// Reads a value from one word.
  ///
  /// It throws `OptionValue.Refusal` if the setting refuses the word.
  package let read: @Sendable (String) throws -> GivenValue
  /// Returns the text that the manifest records, or nil if it does not record the setting.
  let recordedText: @Sendable (Experiment) -> String?
  /// The default value as help shows it, or nil if it is not shown.
  package var standardText: @Sendable () -> String?
  /// Writes a value into an experiment.
  let apply: @Sendable (GivenValue, inout Experiment) -> Void

  init<Value>(_ setting: Setting<Value>) {
    name = setting.name
    section = setting.section
    role = setting.role
    uses = setting.uses
    machine = setting.machine
    help = setting.help
    discussion = setting.discussion
    placeholder = setting.form.placeholder
    completion = setting.form.completion
    isNumeric = setting.form.isNumeric
    isRepeatable = setting.form.isRepeatable
    isSwitch = Value.self == Bool.self
    read = { GivenValue(try setting.form.read($0), of: setting) }
    recordedText = { experiment in
      setting.recorded(experiment).map { value in value.map(setting.form.text(of:)) ?? "" }
    }
    standardText = { setting.standardText }
    apply = { given, experiment in
      if let value = given.value as? Value { setting.apply(value, &experiment) }
    }
  }
}

extension Setting {
  /// The default value as help shows it.
  fileprivate var standardText: String? {
    switch standard {
    case .none: return nil
    case .words(let words): return words
    case .profile: return "\(text(in: .standardLive)) live; the profile's, simulated"
    case .target: return bothTexts
    case .targetWith(let words): return bothTexts + words
    }
  }

  private var bothTexts: String {
    let texts = (text(in: .standardLive), text(in: .standardSimulated))
    return texts.0 == texts.1 ? texts.0 : "\(texts.0) live, \(texts.1) simulated"
  }

  private func text(in experiment: Experiment) -> String {
    (recorded(experiment) ?? nil).map(form.text(of:)) ?? ""
  }
}

// MARK: - Values

/// A value that was given for a setting, without its type.
package struct GivenValue: Hashable, Sendable {
  let value: any Hashable & Sendable
  /// Writes the value as the words of a command line that a user reads.
  private let write: @Sendable () -> [String]
  /// Writes the value as the words of a command line for another process.
  private let writeArguments: @Sendable () -> [String]
  private let writeText: @Sendable () -> String
  private let split: @Sendable () -> [GivenValue]
  private let joinNext: @Sendable (GivenValue) -> GivenValue

  init<Value>(_ value: Value, of setting: Setting<Value>) {
    self.value = value
    write = { setting.form.words(value) }
    writeArguments = { (setting.form.arguments ?? setting.form.words)(value) }
    writeText = { setting.form.text(of: value) }
    split = { setting.form.parts(value).map { GivenValue($0, of: setting) } }
    joinNext = { next in
      guard let other = next.value as? Value else { return next }
      return GivenValue(setting.form.join(value, other), of: setting)
    }
  }

  /// The value as words of a command line that a user reads. A setting has several words only if it is repeatable.
  var words: [String] { write() }

  /// The value as words of a command line for another process, which may have no access to the user's files.
  var arguments: [String] { writeArguments() }

  /// The value as one text, in the form that the tables of results have.
  var text: String { writeText() }

  /// The single values that a sweep tries for this value.
  var parts: [GivenValue] { split() }

  /// Returns the value of a setting that was given this value and then another.
  package func followed(by next: GivenValue) -> GivenValue { joinNext(next) }

  package static func == (first: GivenValue, second: GivenValue) -> Bool {
    AnyHashable(first.value) == AnyHashable(second.value)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
