import Foundation
import Testing

@testable import ContextEngine

/// Random sequences of everything that a user of the engine can do, over trees of one to five contexts, against a model of
/// plain dictionaries.
@Suite(.onBothStores, .namingTheStore)
struct RandomHistoryTests {
  /// How many histories there are: 300, or as many as the environment says (`make histories`).
  private static let count =
    ProcessInfo.processInfo.environment["STACKBENCH_HISTORIES"].flatMap { Int($0) } ?? 300
  /// The seed to begin with, for one that failed elsewhere.
  private static let firstSeed =
    ProcessInfo.processInfo.environment["STACKBENCH_HISTORY_SEED"].flatMap { Int($0) } ?? 1
  private static let partCount = 4

  @Test(arguments: 0..<partCount)
  func `every context shows what is above it with its own changes on top, and the book-keeping agrees`(part: Int) {
    // Both stores share the histories between them, by the seed: a history has the same store wherever it runs.
    let kind = StoreKind.current == .sqlite ? 0 : 1
    for seed in Self.firstSeed..<(Self.firstSeed + Self.count)
    where seed % Self.partCount == part && (seed - 1) / Self.partCount % 2 == kind {
      let history = History(seed: seed)
      if history.run().failure != nil { Issue.record("\(history.report())") }
    }
  }
}
