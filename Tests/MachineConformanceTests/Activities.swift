import MachineCore

/// The activities that the laws begin, with the roles that the engine and an app give them.
extension Activity {
  static let frame = Activity("frame", role: .ui)
  static let edit = Activity("edit", role: .ui)
  static let importing = Activity("import", role: .importing)
  static let decode = Activity("decode", role: .importing)
  static let merge = Activity("merge", role: .ui)
  static let fetch = Activity("fetch")
  static let fault = Activity("fault")
  static let push = Activity("push")
  static let save = Activity("save")
}
