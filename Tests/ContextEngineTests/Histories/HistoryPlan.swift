import Foundation

/// The number of random histories that the engine's tests run.
///
/// `make test` runs few. `make histories` runs more, as many as are requested, and CI calls it after the tests.
enum HistoryPlan {
  /// The number of histories in `RandomHistoryTests`; the other suites run a part of it.
  static let count = number("STACKBENCH_HISTORIES") ?? 60
  /// The seed of the first history of each suite.
  static let firstSeed = number("STACKBENCH_HISTORY_SEED") ?? 1

  /// Returns the seeds of a suite that runs one history for each `share` of the count, but not fewer than `least`.
  static func seeds(share: Int, least: Int) -> Range<Int> {
    firstSeed..<(firstSeed + max(least, count / share))
  }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
