/// The flags by which a command line, `gate.yaml` and the plan of a sweep give settings.
enum SettingFlag {
  /// Returns the flag of the setting of a name.
  static func named(_ name: String) -> String { "--\(name)" }

  /// Returns the flag of a setting.
  static func of<Value>(_ path: KeyPath<RunSettings, Setting<Value>>) -> String {
    named(RunSettings.all[keyPath: path].name)
  }

  /// Returns the flag of a setting and a value, as a command line has both.
  static func of<Value>(_ path: KeyPath<RunSettings, Setting<Value>>, _ value: Value) -> String {
    let setting = RunSettings.all[keyPath: path]
    return "\(named(setting.name)) \(setting.form.text(of: value))"
  }
}
