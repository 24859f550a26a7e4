import Testing

/// Random histories of operations on a tree of contexts against a plain dictionary model of each level.
///
///     store ◄─┬─ root ◄─┬─ first ◄── grandchild
///             │         └─ second
///             └─ sibling
@Suite(.onBothStores, .namingTheStore) struct ContextTreeTests {
  @Test(arguments: HistoryPlan.seeds(share: 25, least: 8))
  func `a tree of contexts behaves as a tree of dictionaries`(seed: Int) throws {
    let history = try TreeHistory(seed: UInt64(seed))
    try history.run(steps: 300)
  }
}
