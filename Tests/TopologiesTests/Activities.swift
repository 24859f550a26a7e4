import MachineCore

/// The activities of the app in the tests.
extension Activity {
  static let edit = Activity("edit", role: .user)
  static let importing = Activity("import", role: .background)
}
