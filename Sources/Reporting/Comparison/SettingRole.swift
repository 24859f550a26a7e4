/// The part that a setting plays when two runs are compared.
package enum SettingRole: Hashable, Sendable {
  /// It says which stacks were run.
  case stacks
  /// It says how often each stack was run.
  case extent
  /// It says on how many drawn devices each stack was run.
  case draws
  /// It names the simulated device.
  case device
  /// It changes no measure: a limit, how often trials are repeated, or how long the host was watched before the trials.
  case precaution
  /// It says how a stack goes about its work, which is what a comparison may well be about.
  case wiring
  /// It says what is imported, what the user interface does meanwhile, or what machine there is under both.
  case workload
}

/// The roles of the settings that manifests record, by name, and the words of the command line that sets them.
package struct SettingRoles: Hashable, Sendable {
  private let roles: [String: SettingRole]
  package let words: CommandWords

  package init(_ roles: [String: SettingRole], words: CommandWords) {
    self.roles = roles
    self.words = words
  }

  /// Returns the role of a setting. A setting that only another version of the tool has is part of the workload.
  package subscript(_ name: String) -> SettingRole { roles[name] ?? .workload }
}
