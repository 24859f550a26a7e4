import ContextEngine
import Dispatch
import MachineCore
import TestSupport
import Testing
import Topologies

/// Main and a worker on separate coordinators over one file.
@Suite struct TwoCoordinatorsLaws {
  /// Reads an updated row that main has cached, before main has merged the update and after it.
  private func weights(_ topology: Topology) throws -> [Value] {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    let product = try bench.onMain { try main.event { try #require(try main.products([3]).first) } }
    let before = try bench.onMain {
      try main.event {
        _ = product[Product.weight]
        bench.post([[.update(3, weight: 33)]])
        while try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZREMOTEID = 3") != 33 {}
        // The fault fires from the row cache of main's coordinator.
        try main.refresh(product, mergeChanges: false)
        return product[Product.weight]
      }
    }
    bench.settle()
    return [before, bench.onMain { main.event { product[Product.weight] } }]
  }

  @Test func `a row cache is stale until the history is merged, and one that is shared is not`() throws {
    #expect(try weights(.twoCoordinators) == [.integer(0), .integer(33)])
    #expect(try weights(.workerMerge(.notification)) == [.integer(33), .integer(33)])
  }

  /// Saves an edit while the import is in the middle of its transaction, which ends some time after the edit has begun
  /// to wait.
  ///
  /// - Returns: The labels of the locks and queues that the main thread waited for.
  private func waits(_ topology: Topology) throws -> [String] {
    let bench = try StackUnderTest(topology)
    let (isSaving, isFree) = (Gate(), Gate())
    bench.onStatement { statement in
      if statement.sql.hasPrefix("UPDATE ZPRODUCT"), !statement.place.isOnMain {
        isSaving.open()
        isFree.pass()
      }
    }
    bench.post([[.update(3, weight: 33)]])
    isSaving.pass()
    bench.mainThread.waits.clear()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { isFree.open() }
    try bench.edit(9, note: "edited")
    let labels = bench.mainThread.waits.entries
    bench.onStatement(nil)
    bench.settle()
    #expect(try bench.file.productCount(note: "edited") == 1)
    return labels
  }

  @Test func `an edit waits for SQLite's lock on the file only, and not for a lock of a coordinator`() throws {
    let labels = try waits(.twoCoordinators)
    #expect(!labels.contains { $0.contains("turn") || $0.contains("coordinator") }, "\(labels)")
    #expect(try waits(.workerMerge(.notification)).contains("writer's turn"))
  }

  @Test func `main does not merge its own transactions`() throws {
    let bench = try StackUnderTest(.twoCoordinators)
    try bench.openScreens()
    let events = try bench.events.entries {
      try bench.edit(3, note: "edited")
      bench.settle()
    }
    #expect(events.filter { $0.hasPrefix("remote merge") } == [])
  }

  @Test func `each save writes one transaction of history with its coordinator as the author`() throws {
    let bench = try StackUnderTest(.twoCoordinators)
    let start = try bench.stack.coordinator.currentPersistentHistoryToken()
    bench.importPayload([[.insert(100)], [.update(3, weight: 33)]])
    try bench.edit(3, note: "edited")
    bench.settle()
    let transactions = try bench.stack.coordinator.execute(.fetchHistory(after: start)).transactions
    #expect(transactions.map(\.author) == ["import", "import", "app"])
    #expect(transactions.map(\.contextName) == ["worker", "worker", "main"])
  }

  /// Saves an edit while the import is in the middle of its transaction, which ends when the edit waits.
  ///
  /// - Returns: The number of statements that met a lock of another connection.
  private func busyCount(_ topology: Topology) throws -> Int {
    let bench = try StackUnderTest(topology)
    let (isSaving, isFree) = (Gate(), Gate())
    let busy = Journal<Bool>()
    bench.onBusy {
      busy.write(true)
      isFree.open()
    }
    bench.onStatement { statement in
      if statement.sql.hasPrefix("UPDATE ZPRODUCT"), !statement.place.isOnMain {
        isSaving.open()
        isFree.pass()
      }
    }
    bench.post([[.update(3, weight: 33)]])
    isSaving.pass()
    if topology.otherCoordinators.isEmpty {
      // The edit waits for the writer's turn of the coordinator, and meets no lock whenever the import continues.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { isFree.open() }
    }
    try bench.edit(9, note: "edited")
    bench.onStatement(nil)
    bench.settle()
    return busy.entries.count
  }

  @Test func `an edit that meets the transaction of another coordinator is a busy retry, and one coordinator has none`()
    throws
  {
    #expect(try busyCount(.twoCoordinators) > 0)
    #expect(try busyCount(.workerMerge(.notification)) == 0)
  }

  @Test func `each process has the contexts of its coordinator, and only the app's has a rule`() {
    let whole = Topology.twoCoordinatorsInProcesses
    #expect(whole.appPart.contexts.map(\.name) == ["main"])
    #expect(whole.appPart.otherCoordinators.isEmpty)
    #expect(whole.appPart.rules == whole.rules && whole.appPart.mergesSaves)
    #expect(whole.importPart.contexts.map(\.name) == ["worker"])
    #expect(whole.importPart.otherCoordinators.isEmpty && whole.importPart.rules.isEmpty)
    #expect(whole.importCoordinator == "import")
  }
}
