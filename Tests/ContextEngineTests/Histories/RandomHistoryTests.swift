import ContextEngine
import Testing

/// Random sequences of all operations of the engine, over trees of one to five contexts, compared with a model of plain
/// dictionaries.
@Suite(.onBothStores, .namingTheStore)
struct RandomHistoryTests {
  private static let partCount = 4

  @Test(arguments: 0..<partCount)
  func `random histories keep every context consistent with its parent and its own changes`(part: Int) {
    // Each kind of store runs half of the histories, which the seed decides, so a history always has the same store.
    let kind = StoreKind.current == .sqlite ? 0 : 1
    for seed in HistoryPlan.seeds(share: 1, least: 1)
    where seed % Self.partCount == part && (seed - 1) / Self.partCount % 2 == kind {
      let history = History(seed: seed)
      if history.run().failure != nil { Issue.record("\(history.report())") }
    }
  }
}
