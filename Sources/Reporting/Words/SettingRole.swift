/// The part that a setting plays when two runs are compared.
package enum SettingRole: Hashable, Sendable {
  /// The setting determines which stacks were run.
  case stacks
  /// The setting determines how often each stack was run.
  case extent
  /// The setting determines on how many drawn devices each stack was run.
  case draws
  /// The setting names the simulated device.
  case device
  /// The setting changes no measure: it is a limit, the number of times that trials may be repeated, or the time for
  /// which the host was watched before the trials.
  case precaution
  /// The setting determines how a stack does its work, which may well be the subject of a comparison.
  case wiring
  /// The setting determines the imported data, the work of the user interface during the import, or the machine.
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

  /// Returns the role of a setting. A setting that only another version of the tool knows is part of the workload.
  package subscript(_ name: String) -> SettingRole { roles[name] ?? .workload }
}
