import ContextEngine
import TestSupport
import Testing
import Topologies

/// The thread of each SQL statement, by SQLite's own trace callback. It follows from the description of a stack.
@Suite struct StatementPlaceLaws {
  /// Returns the place in which a context reads: the thread of main if main or one of its children reads, with the
  /// queues of all contexts from there to the store.
  private static func reads(of name: String, in topology: Topology) -> Statement.Place {
    let chain = topology.chain(from: name)
    let main = chain.firstIndex { $0.queue == .main }
    return Statement.Place(isOnMain: main != nil, holding: chain[(main ?? 0)...].reversed().map(\.name))
  }

  /// Returns the place in which the changes of a context are written: the queue of the context that saves to the store.
  /// On main, the form of an edit is part of the same block.
  private static func writes(of name: String, in topology: Topology) -> Statement.Place {
    let chain = topology.chain(from: name)
    let isOnMain = chain.last?.queue == .main
    let held = chain.reversed().prefix { isOnMain ? $0.queue == .main : $0.name == chain.last?.name }
    return Statement.Place(isOnMain: isOnMain, holding: held.map(\.name))
  }

  // The stack has no screens, so that every statement is the import's.
  @Test(arguments: Topology.known)
  func `the import reads and writes on the expected thread and queues`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let statements = bench.statements.entries {
      bench.importPayload([[.insert(100), .update(1, weight: 5)], [.insert(101), .delete(2)]])
    }
    #expect(Set(statements.filter(\.isRead).map(\.place)) == [Self.reads(of: topology.importContext, in: topology)])
    #expect(Set(statements.filter(\.isWrite).map(\.place)) == [Self.writes(of: topology.importContext, in: topology)])
    // Each kind of write was seen.
    for start in ["BEGIN", "INSERT INTO ZPRODUCT", "UPDATE ZPRODUCT", "DELETE FROM ZPRODUCT", "COMMIT"] {
      #expect(statements.contains { $0.sql.hasPrefix(start) }, "\(start)")
    }
    #expect(statements.contains { $0.isKeyReservation })
  }

  @Test(arguments: Topology.known)
  func `the edit of a user is written on the expected thread and queues`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let statements = try bench.statements.entries {
      try bench.edit(3, note: "edited")
      bench.settle()
    }
    let expected = Self.writes(of: topology.editContext ?? topology.uiContext, in: topology)
    #expect(Set(statements.filter(\.isWrite).map(\.place)) == [expected])
    #expect(statements.contains { $0.sql.hasPrefix("UPDATE ZPRODUCT") })
    #expect(try bench.file.productCount(note: "edited") == 1)
  }

  @Test(arguments: Topology.known)
  func `lists are fetched on the main thread through the expected queues`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let statements = try bench.statements.entries { try bench.openScreens() }
    #expect(statements.count { $0.isListQuery } == 1)
    #expect(Set(statements.map(\.place)) == [Self.reads(of: topology.uiContext, in: topology)])
  }

  @Test(arguments: Topology.known, [1, 4])
  func `every statement is reset when a block ends`(topology: Topology, poolSize: Int) throws {
    let bench = try StackUnderTest(topology, .init(poolSize: poolSize))
    let busy = Journal<Int>()
    // Asks each connection under its lock, between two requests.
    let ask: @Sendable () -> Void = { [store = bench.store] in busy.write(store.busyStatementCount) }
    bench.mainThread.onBlockEnd(ask)
    try bench.openScreens()
    for payload in 0..<3 {
      bench.importPayload(
        [[.insert(100 + payload), .update(1, weight: payload)], [.delete(10 + payload)]], number: payload)
      ask()
      try bench.edit(3, note: "edit \(payload)")
      bench.settle()
      ask()
    }
    bench.mainThread.onBlockEnd(nil)
    #expect(busy.entries.count > 9)
    #expect(busy.entries.allSatisfy { $0 == 0 })
  }
}
