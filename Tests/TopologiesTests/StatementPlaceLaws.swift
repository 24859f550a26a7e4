import ContextEngine
import TestSupport
import Testing
import Topologies

/// The thread of each SQL statement, by SQLite's own trace callback.
@Suite struct StatementPlaceLaws {
  /// The places at which a topology runs its statements.
  struct Places: Sendable {
    var importReads: Statement.Place
    var importWrites: Statement.Place
    var editWrites: Statement.Place
    var lists: Statement.Place
  }

  static func places(_ topology: Topology) throws -> Places {
    switch topology.title {
    case "all-main", "child-of-main", "pooled-children":
      Places(
        importReads: .main(holding: "main"), importWrites: .main(holding: "main"), editWrites: .main(holding: "main"),
        lists: .main(holding: "main"))
    case "worker-merge/notification", "worker-merge/automatic", "worker-merge/reset", "worker-merge/none",
      "pinned-main", "confinement", "two-coordinators", "two-coordinators/processes":
      Places(
        importReads: .offMain(holding: "worker"), importWrites: .offMain(holding: "worker"),
        editWrites: .main(holding: "main"), lists: .main(holding: "main"))
    case "reversed-parent/root":
      Places(
        importReads: .offMain(holding: "root"), importWrites: .offMain(holding: "root"),
        editWrites: .offMain(holding: "root"), lists: .main(holding: "root", "main"))
    case "reversed-parent/child", "reversed-parent/restkit":
      Places(
        importReads: .offMain(holding: "root", "worker"), importWrites: .offMain(holding: "root"),
        editWrites: .offMain(holding: "root"), lists: .main(holding: "root", "main"))
    case "scratch-pad":
      // The form's event is the outer block of the edit.
      Places(
        importReads: .offMain(holding: "worker"), importWrites: .offMain(holding: "worker"),
        editWrites: .main(holding: "main", "form"), lists: .main(holding: "main"))
    case "master-and-children":
      Places(
        importReads: .offMain(holding: "master", "worker"), importWrites: .offMain(holding: "master"),
        editWrites: .offMain(holding: "master"), lists: .main(holding: "master", "main"))
    case "main-on-coordinator":
      Places(
        importReads: .offMain(holding: "master", "worker"), importWrites: .offMain(holding: "master"),
        editWrites: .main(holding: "main"), lists: .main(holding: "main"))
    case "three-tier":
      Places(
        importReads: .main(holding: "root", "main"), importWrites: .offMain(holding: "root"),
        editWrites: .offMain(holding: "root"), lists: .main(holding: "root", "main"))
    case "per-view-controller":
      Places(
        importReads: .offMain(holding: "worker"), importWrites: .offMain(holding: "worker"),
        editWrites: .main(holding: "screen"), lists: .main(holding: "screen"))
    case "background-fan-out":
      Places(
        importReads: .offMain(holding: "task"), importWrites: .offMain(holding: "task"),
        editWrites: .main(holding: "main"), lists: .main(holding: "main"))
    case "single-background/main-merges", "single-background/background-merges":
      Places(
        importReads: .offMain(holding: "background"), importWrites: .offMain(holding: "background"),
        editWrites: .main(holding: "main"), lists: .main(holding: "main"))
    default: try #require(nil as Places?, "\(topology.title) is not in the table")
    }
  }

  // The stack has no screens, so that every statement of the stretch is the import's.
  @Test(arguments: Topology.known)
  func `the import reads and writes on the expected thread and queues`(topology: Topology) throws {
    let expected = try Self.places(topology)
    let bench = try StackUnderTest(topology)
    let statements = bench.statements.entries {
      bench.importPayload([[.insert(100), .update(1, weight: 5)], [.insert(101), .delete(2)]])
    }
    #expect(Set(statements.filter(\.isRead).map(\.place)) == [expected.importReads])
    #expect(Set(statements.filter(\.isWrite).map(\.place)) == [expected.importWrites])
    // Each kind of write was seen.
    for start in ["BEGIN", "INSERT INTO ZPRODUCT", "UPDATE ZPRODUCT", "DELETE FROM ZPRODUCT", "COMMIT"] {
      #expect(statements.contains { $0.sql.hasPrefix(start) }, "\(start)")
    }
    #expect(statements.contains { $0.isKeyReservation })
  }

  @Test(arguments: Topology.known)
  func `the edit of a user is written on the expected thread and queues`(topology: Topology) throws {
    let expected = try Self.places(topology)
    let bench = try StackUnderTest(topology)
    let statements = try bench.statements.entries {
      try bench.edit(3, note: "edited")
      bench.settle()
    }
    #expect(Set(statements.filter(\.isWrite).map(\.place)) == [expected.editWrites])
    #expect(statements.contains { $0.sql.hasPrefix("UPDATE ZPRODUCT") })
    #expect(try bench.file.productCount(note: "edited") == 1)
  }

  @Test(arguments: Topology.known)
  func `lists are fetched on the main thread through the expected queues`(topology: Topology) throws {
    let expected = try Self.places(topology)
    let bench = try StackUnderTest(topology)
    let statements = try bench.statements.entries { try bench.openScreens() }
    #expect(statements.count { $0.isListQuery } == 1)
    #expect(Set(statements.map(\.place)) == [expected.lists])
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
