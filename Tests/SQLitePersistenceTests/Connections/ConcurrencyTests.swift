import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct ConcurrencyTests {
  @Test(arguments: [1, 2, 4])
  func `concurrent readers see whole commits while a writer writes`(poolSize: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: poolSize, busyLimit: .seconds(100_000))
    let reportsOfOpening = fixture.machine.reportsOutsideLocks
    // Two rows whose sum never changes, written together.
    let ids = try store.insert(store.book, [Bookshop.row(pages: .integer(500)), Bookshop.row(pages: .integer(500))])
    let isWritten = Guarded(false)
    let failures = Guarded<[String]>([])
    inParallel(5) { thread in
      do {
        if thread == 0 {
          try Self.moveBackAndForth(store, ids)
          isWritten.withLock { $0 = true }
        } else {
          try Self.read(
            store, until: { isWritten.withLock { $0 } }, report: { text in failures.withLock { $0.append(text) } })
        }
      } catch {
        failures.withLock { $0.append("thread \(thread): \(error)") }
        isWritten.withLock { $0 = true }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(store.busyStatementCount == 0)
    #expect(fixture.machine.reportsOutsideLocks == reportsOfOpening)
    var connectionCount = 0
    store.pool.forEachOpenConnection { _ in connectionCount += 1 }
    #expect(connectionCount <= (poolSize == 1 ? 1 : poolSize + 1))
    try store.close()
  }

  private static func moveBackAndForth(_ store: SQLiteStore, _ ids: [ObjectID]) throws {
    for version in Int64(1)...200 {
      var changes = StoreChanges()
      changes.updates = zip(ids, [500 - version, 500 + version]).map { objectID, pages in
        let row = Row(version: version + 1, values: Bookshop.row(pages: .integer(pages)))
        return .init(objectID: objectID, row: row, slots: [1], baseVersion: version)
      }
      try store.saveWithoutConflicts(changes)
    }
  }

  private static func read(_ store: SQLiteStore, until isDone: () -> Bool, report: (String) -> Void) throws {
    var lastVersion: Int64 = 0
    var isLast = false
    while !isLast {
      isLast = isDone()
      let rows = try store.all(store.book).map(\.row)
      guard rows.count == 2, case .integer(let first) = rows[0].values[1], case .integer(let second) = rows[1].values[1]
      else { return report("\(rows.map(\.values))") }
      if first + second != 1_000 { report("half a commit: \(first) and \(second)") }
      if rows[0].version != rows[1].version { report("versions \(rows.map(\.version))") }
      if rows[0].version < lastVersion { report("went back from \(lastVersion) to \(rows[0].version)") }
      lastVersion = rows[0].version
    }
    if lastVersion != 201 { report("ended at version \(lastVersion)") }
  }

  @Test func `sequential requests use one reader connection`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 4)
    for _ in 0..<10 { _ = try store.all(store.book) }
    var connectionCount = 0
    store.pool.forEachOpenConnection { _ in connectionCount += 1 }
    #expect(connectionCount == 2)
  }

  @Test func `a nested request uses another reader connection`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    var isSame = true
    try store.pool.withReader { outer throws(PersistenceError) in
      try store.pool.withReader { inner throws(PersistenceError) in isSame = inner === outer }
    }
    #expect(!isSame)
  }

  @Test(arguments: SQLiteStoreConfiguration.JournalMode.allCases)
  func `a save waits on the machine until another connection releases its lock`(
    mode: SQLiteStoreConfiguration.JournalMode
  ) throws {
    let locked = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let machine = ImmediateMachine(onWait: { count in
      guard count == 3 else { return }
      release.signal()
      released.wait()
    })
    let fixture = try StoreFixture(machine)
    let store = try fixture.open(journalMode: mode)
    let path = fixture.path
    let failure = Guarded<String?>(nil)
    let thread = Thread {
      do {
        let other = try PlainDatabase(path)
        try other.rows("BEGIN IMMEDIATE")
        locked.signal()
        release.wait()
        try other.rows("ROLLBACK")
      } catch {
        failure.withLock { $0 = "\(error)" }
        locked.signal()
      }
      released.signal()
    }
    thread.start()
    locked.wait()
    try store.insert(store.author, [[.string("waited")]])
    #expect(failure.withLock { $0 } == nil)
    #expect(machine.waits == 3)
    // 0.1, 0.2 and 0.4 milliseconds.
    #expect(machine.now == Instant(nanoseconds: 700_000))
    #expect(try store.all(store.author).count == 1)
  }

  @Test func `a save that exceeds the busy limit throws busy, and the next succeeds`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(busyLimit: .milliseconds(50))
    let other = try PlainDatabase(fixture.path)
    try other.rows("BEGIN IMMEDIATE")
    let error = #expect(throws: PersistenceError.self) {
      try store.reserveKeys([KeyRequest(entity: store.author, count: 1)])
    }
    #expect(error?.code == .busy)
    #expect(error?.sql == "BEGIN EXCLUSIVE")
    #expect(error?.sqliteCode == 5)
    #expect(error?.path == fixture.path)
    #expect(fixture.machine.now == Instant(nanoseconds: 50_000_000))
    #expect(store.busyStatementCount == 0)
    try other.rows("ROLLBACK")
    try store.insert(store.author, [[.string("later")]])
  }

  @Test func `writing in a stale read transaction throws busySnapshot`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let other = try PlainDatabase(fixture.path)
    let error = #expect(throws: PersistenceError.self) {
      try store.pool.withWriter { connection throws(PersistenceError) in
        defer { connection.rollback() }
        try connection.execute("BEGIN")
        try connection.executeOnce("SELECT count(*) FROM ZAUTHOR")
        _ = try? other.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 5")
        try connection.execute("DELETE FROM ZAUTHOR")
      }
    }
    #expect(error?.code == .busySnapshot)
    #expect(error?.sqliteCode == 517)
    #expect(store.busyStatementCount == 0)
  }

  @Test func `statements other than PRAGMA are traced on the thread that runs them`() throws {
    let statements = Guarded<[(thread: UInt, sql: String)]>([])
    let reader = Guarded<UInt>(0)
    let fixture = try StoreFixture()
    let store = try fixture.open(
      poolSize: 2, onStatement: { sql in statements.withLock { $0.append((UInt(pthread_self()), sql)) } })
    let done = DispatchSemaphore(value: 0)
    Thread {
      reader.withLock { $0 = UInt(pthread_self()) }
      _ = try? store.all(store.author)
      try? store.pool.withWriter { connection throws(PersistenceError) in
        try connection.executeOnce("PRAGMA page_count")
        try connection.executeOnce("pragma freelist_count")
      }
      done.signal()
    }.start()
    done.wait()
    _ = try store.all(store.book)
    let seen = statements.withLock { $0 }
    #expect(seen.map(\.thread) == [reader.withLock { $0 }, UInt(pthread_self())])
    #expect(seen.first?.sql == "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM ZAUTHOR t0")
    #expect(fixture.machine.ledger.count(.statementRun) == 2)
  }

  @Test(arguments: [SQLiteStoreConfiguration.JournalMode.wal, .delete])
  func `stores created concurrently on one path have the same identifier`(
    mode: SQLiteStoreConfiguration.JournalMode
  ) throws {
    let fileAccess = SQLiteStoreConfiguration.FileAccess.underTest
    for _ in 0..<10 {
      let fixture = try StoreFixture()
      let path = fixture.path
      let identifiers = Guarded<[String]>([])
      inParallel(4) { _ in
        do {
          let configuration = SQLiteStoreConfiguration(
            path: path, journalMode: mode, busyLimit: .seconds(100_000), fileAccess: fileAccess)
          let store = try SQLiteStore(ImmediateMachine(), model: Bookshop.model, configuration: configuration)
          identifiers.withLock { $0.append(store.identifier) }
          try store.close()
        } catch {
          identifiers.withLock { $0.append("\(error)") }
        }
      }
      let seen = identifiers.withLock { $0 }
      #expect(seen.count == 4)
      #expect(Set(seen).count == 1, "\(seen)")
    }
  }

  /// Runs `body` on the given number of threads and waits for all of them.
  private func inParallel(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread {
        body(index)
        group.leave()
      }.start()
    }
    group.wait()
  }
}
