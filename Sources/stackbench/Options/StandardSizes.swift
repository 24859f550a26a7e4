/// How much a run imports unless told otherwise.
struct StandardSizes: Hashable, Sendable {
  /// Records imported.
  var rows: Int
  /// Records in the store, and on screen, before the first payload.
  var existingRows: Int
  /// Records in a payload.
  var batchSize: Int
  /// Trials of each topology.
  var trials: Int
  /// Throw-away imports before each trial.
  var warmup: Int

  static func of(_ machine: MachineKind) -> StandardSizes {
    switch machine {
    // Enough for windows of a second and more, few enough for thirty trials in two minutes on two busy cores.
    case .live: StandardSizes(rows: 70_000, existingRows: 10_000, batchSize: 2_000, trials: 5, warmup: 1)
    // A phone's; and one trial is enough, since another would be the same.
    case .simulated: StandardSizes(rows: 15_000, existingRows: 3_000, batchSize: 500, trials: 1, warmup: 0)
    }
  }
}
