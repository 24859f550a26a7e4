import MachineCore

/// The activities that the laws begin, with the roles that the engine and an app give them.
extension Activity {
  static let frame = Activity("frame", role: .user)
  static let edit = Activity("edit", role: .user)
  static let importing = Activity("import", role: .background)
  static let decode = Activity("decode", role: .background)
  static let merge = Activity("merge", role: .user)
  static let fetch = Activity("fetch")
  static let fault = Activity("fault")
  static let push = Activity("push")
  static let save = Activity("save")
}
