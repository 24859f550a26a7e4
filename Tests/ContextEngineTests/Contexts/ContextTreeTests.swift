import Testing

/// Random histories of operations on a tree of contexts against a plain dictionary model of each level.
///
///     store ◄─┬─ root ◄─┬─ first ◄── grandchild
///             │         └─ second
///             └─ sibling
@Suite(.onBothStores, .namingTheStore) struct ContextTreeTests {
  @Test(arguments: 0..<40)
  func `a tree of contexts behaves as a tree of dictionaries`(seed: UInt64) throws {
    let history = try TreeHistory(seed: seed)
    try history.run(steps: 300)
  }
}
