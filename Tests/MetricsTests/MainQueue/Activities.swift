import MachineCore

/// The activities that the tests begin, with the titles that the engine and an app give them.
extension Activity {
  static let frame = Activity("frame", role: .ui)
  static let merge = Activity("merge", role: .ui)
  static let reset = Activity("reset", role: .ui)
  static let decode = Activity("decode", role: .importing)
  static let importing = Activity("import", role: .importing)
  static let fetch = Activity("fetch")
  static let fault = Activity("fault")
  static let push = Activity("push")
  static let save = Activity("save")
  static let controller = Activity("controller")
  static let edit = Activity("edit", role: .ui)

  /// The activities that a block of the main queue can begin if it is no frame.
  static let insideBlocks: [Activity] = [
    .merge, .reset, .decode, .importing, .fetch, .fault, .push, .save, .controller, .edit,
  ]
}
