import Reporting
import TrialProcesses

/// The flags for settings in command lines, `gate.yaml` and the plan of a sweep.
enum SettingFlag {
  /// Returns the flag of the setting with a name.
  static func named(_ name: String) -> String { "--\(name)" }

  /// Returns the flag of a setting.
  static func of<Value>(_ path: KeyPath<RunSettings, Setting<Value>>) -> String {
    named(RunSettings.all[keyPath: path].name)
  }

  /// Returns the flag of a setting and a value, in the form that a command line has.
  static func of<Value>(_ path: KeyPath<RunSettings, Setting<Value>>, value: Value) -> String {
    let setting = RunSettings.all[keyPath: path]
    return "\(named(setting.name)) \(setting.form.text(of: value))"
  }
}

extension RunFailure {
  /// The message with the flags of this program.
  package var message: String { text(naming: \.flag) }
}

extension RunFailure.Setting {
  fileprivate var flag: String {
    switch self {
    case .batchSize: SettingFlag.of(\.batchSize)
    case .outputFolder: SettingFlag.named("output")
    case .propertiesToFetch: SettingFlag.of(\.propertiesToFetch)
    case .saveEvery: SettingFlag.of(\.saveEvery)
    case .store: SettingFlag.of(\.store)
    case .model: SettingFlag.of(\.model)
    case .scratchFolder: SettingFlag.named("scratch")
    case .timeLimit: SettingFlag.of(\.timeLimit)
    }
  }
}
