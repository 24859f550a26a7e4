import MachineCore

/// The activities that the tests begin, with the roles that the engine and an app give them.
extension Activity {
  static let frame = Activity("frame", role: .user)
  static let fetch = Activity("fetch")
  static let push = Activity("push")
  static let save = Activity("save")
}
