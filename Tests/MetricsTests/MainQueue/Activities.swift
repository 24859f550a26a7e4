import MachineCore

/// The activities that the tests begin, with the titles that the engine and an app give them.
extension Activity {
  static let frame = Activity("frame", role: .user)
  static let merge = Activity("merge", role: .user)
  static let reset = Activity("reset", role: .user)
  static let decode = Activity("decode", role: .background)
  static let importing = Activity("import", role: .background)
  static let fetch = Activity("fetch")
  static let fault = Activity("fault")
  static let push = Activity("push")
  static let save = Activity("save")
  static let controller = Activity("controller")
  static let edit = Activity("edit", role: .user)

  /// The activities that a block of the main queue can begin if it is not a frame.
  static let insideBlocks: [Activity] = [
    .merge, .reset, .decode, .importing, .fetch, .fault, .push, .save, .controller, .edit,
  ]
}
