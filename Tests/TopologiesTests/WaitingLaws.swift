import ContextEngine
import TestSupport
import Testing
import Topologies

/// The waits of the main thread while another context saves.
@Suite struct WaitingLaws {
  /// A stack whose import is held in the middle of its save to the store, off the main thread.
  private struct Held {
    let bench: StackUnderTest
    let isFree: Gate

    /// Runs `body` while the import is held, then lets it end.
    static func run(
      _ topology: Topology, poolSize: Int, _ prepare: (StackUnderTest) throws -> Void = { _ in },
      during body: (Held) throws -> Void
    ) throws {
      let bench = try StackUnderTest(topology, .init(poolSize: poolSize))
      try prepare(bench)
      let isSaving = Gate()
      let held = Held(bench: bench, isFree: Gate())
      bench.onStatement { [isFree = held.isFree] statement in
        guard statement.sql.hasPrefix("UPDATE ZPRODUCT") else { return }
        isSaving.open()
        isFree.pass()
      }
      bench.post([[.update(3, weight: 5)]])
      isSaving.pass()
      defer { held.isFree.open() }
      try body(held)
      held.isFree.open()
      bench.settle()
      bench.onStatement(nil)
    }
  }

  @Test(arguments: Those.writingOffMain, [1, 4])
  func `reading a realised object during another context's save does not wait`(
    topology: Topology, poolSize: Int
  ) throws {
    try Held.run(topology, poolSize: poolSize, { try $0.openScreens() }) { held in
      let bench = held.bench
      let before = bench.mainThread.waits.entries.count
      try bench.onMain {
        try bench.uiContext().event {
          let rows = try #require(bench.screens.rows(0))
          for row in rows.prefix(5) {
            #expect(!row.isFault)
            #expect(row[Product.name] != .null)
          }
        }
      }
      #expect(Array(bench.mainThread.waits.entries[before...]) == [])
    }
  }

  @Test(arguments: ReversedParentVariant.allCases.map(Topology.reversedParent) + [.threeTier])
  func `firing a fault in a child of a saving root waits for the root`(topology: Topology) throws {
    try Held.run(topology, poolSize: 4) { held in
      let bench = held.bench
      let main = bench.uiContext()
      // Main is in line for root. The import continues only now, or both would wait for ever.
      bench.mainThread.onWait { [isFree = held.isFree] label in
        if label == "root" { isFree.open() }
      }
      let name = bench.onMain {
        main.event { main.object(with: ObjectID(entity: Product.entity.index, key: 7))[Product.remoteID] }
      }
      #expect(name == .integer(6))
      #expect(bench.mainThread.waits.entries.contains("root"))
    }
  }

  @Test(arguments: [Topology.workerMerge(.notification), .workerMerge(.automatic), .perViewController])
  func `the save of a user waits for the writer's turn while the worker writes`(topology: Topology) throws {
    try Held.run(topology, poolSize: 4) { held in
      let bench = held.bench
      bench.mainThread.onWait { [isFree = held.isFree] label in
        if label == "writer's turn" { isFree.open() }
      }
      try bench.edit(9, note: "edited")
      #expect(bench.mainThread.waits.entries.contains("writer's turn"))
    }
  }

  @Test(arguments: ReversedParentVariant.allCases.map(Topology.reversedParent) + [.threeTier])
  func `the save of a user into a saving root waits for the root only`(topology: Topology) throws {
    let noted = Journal<String>()
    try Held.run(topology, poolSize: 4) { held in
      let bench = held.bench
      bench.mainThread.onWait { [isFree = held.isFree] label in
        noted.write(label)
        if label == "root" { isFree.open() }
      }
      try bench.edit(9, note: "edited")
      #expect(noted.entries.contains("root"))
      #expect(!noted.entries.contains("writer's turn"))
    }
  }
}
