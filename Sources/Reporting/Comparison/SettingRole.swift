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

/// The roles of the settings that manifests record, by name.
package struct SettingRoles: Hashable, Sendable {
  private let roles: [String: SettingRole]

  package init(_ roles: [String: SettingRole]) { self.roles = roles }

  /// Returns the role of a setting; one that only another version of the tool has is of the workload.
  package subscript(_ name: String) -> SettingRole { roles[name] ?? .workload }
}
