import CSQLite
import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

/// Tests of when and to whom the shim reports work, and of the calls that pass through it.
@Suite struct FileAccessTests {
  typealias Configuration = SQLiteStoreConfiguration

  @Test(arguments: [Configuration.JournalMode.wal, .delete, .truncate, .persist, .memory, .off])
  func `file work is settled after each report, and work of statements before COMMIT`(
    journalMode: Configuration.JournalMode
  ) throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    let store = try fixture.open(
      Configuration(
        path: fixture.path, journalMode: journalMode, synchronous: .full, fileAccess: .counted(passesSyncsOn: false),
        onStatement: { machine.note(String($0.prefix(6))) }))
    machine.beginLog()
    try store.insert(store.author, [[.string("Ada")]])
    let log = machine.takeLog()
    var fileReportCount = 0
    for (index, event) in log.enumerated() where event.hasPrefix("account page") || event.hasPrefix("account sync") {
      #expect(log[index + 1] == "now", "\(log)")
      fileReportCount += 1
    }
    #expect(fileReportCount >= 4)

    // The second transaction writes a row. The first one reserves the keys.
    let commits = log.indices.filter { log[$0] == "COMMIT" }
    try #require(commits.count == 2)
    let row = try #require(log.firstIndex(of: "account rowWritten 1"))
    let parameters = try #require(log.lastIndex(of: "account valueBound 4"))
    #expect(parameters < row && row < commits[1])
    #expect(log[commits[1] - 1] == "now")
    // The statement COMMIT and the commit are settled in its hook, before its first page is written to a file.
    let hook = commits[1] + 1
    #expect(Array(log[hook..<(hook + 3)]) == ["account statementRun 1", "account commit 1", "now"])
    let writes = log.indices.filter { log[$0].hasPrefix("account pageWritten") }
    #expect(writes.contains { $0 > hook })
    // All work has been reported when COMMIT returns.
    let lastReport = try #require(log.lastIndex { $0.hasPrefix("account") })
    #expect(log[(lastReport + 1)...].allSatisfy { $0 == "now" })
    #expect(log.last == "now")
  }

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `other connections can neither write nor see a commit while its pages are reported`(
    journalMode: Configuration.JournalMode
  ) throws {
    let probe = Guarded<PlainDatabase?>(nil)
    let seen = Guarded<[String]>([])
    let machine = ImmediateMachine(onAccount: { work in
      guard work.kind == .commit || work.kind == .pageWritten || work.kind == .sync else { return }
      probe.withLock { probe in
        guard let probe else { return }
        let isLocked = probe.code("BEGIN IMMEDIATE") == SQLITE_BUSY
        // A rollback journal keeps a reader out. A write-ahead log lets it see the last commit.
        let isOld = probe.code("SELECT 1 FROM ZAUTHOR") == SQLITE_BUSY || Self.isEmpty(probe)
        seen.withLock { $0.append("\(work.kind) \(isLocked) \(isOld)") }
      }
    })
    let fixture = try StoreFixture(machine)
    let store = try fixture.open(
      Configuration(
        path: fixture.path, journalMode: journalMode, synchronous: .full, fileAccess: .counted(passesSyncsOn: false)))
    let other = try PlainDatabase(fixture.path)
    probe.withLock { $0 = other }
    var changes = StoreChanges()
    changes.insertions = [.init(objectID: ObjectID(entity: 0, key: 1), row: Row(version: 1, values: [.null]))]
    try store.saveWithoutConflicts(changes)
    probe.withLock { $0 = nil }
    let reports = seen.withLock { $0 }
    #expect(Set(reports) == ["commit true true", "pageWritten true true", "sync true true"])
    #expect(try other.rows("SELECT count(*) FROM ZAUTHOR") == [["1"]])
  }

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `a store waits for a lock of another store on its own machine`(journalMode: Configuration.JournalMode) throws {
    let holder = LentConnection()
    let waiting = ImmediateMachine(onWait: { count in
      if count == 3 { holder.connection?.rollback() }
    })
    let fixture = try StoreFixture()
    let configuration = Configuration(
      path: fixture.path, journalMode: journalMode, fileAccess: .counted(passesSyncsOn: false))
    let first = try fixture.open(configuration)
    let second = try SQLiteStore(waiting, model: Bookshop.model, configuration: configuration)
    let writtenBefore = fixture.machine.ledger.count(.pageWritten)
    try first.pool.withWriter { connection throws(PersistenceError) in
      try connection.beginTransaction()
      holder.connection = connection
    }
    try second.insert(second.author, [[.string("waited")]])
    holder.connection = nil
    #expect(waiting.waits == 3)
    #expect(fixture.machine.waits == 0)
    #expect(waiting.now == Instant(nanoseconds: 700_000))
    #expect(fixture.machine.ledger.count(.pageWritten) == writtenBefore)
    #expect(first.fileCounts != second.fileCounts)
    #expect(try first.all(first.author).map(\.row.values) == [[.string("waited")]])
    try first.close()
    try second.close()
  }

  @Test(arguments: [true, false])
  func `the shim passes counted calls through, and syncs only if passesSyncsOn is true`(passesSyncsOn: Bool) throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    for journalMode in Configuration.JournalMode.allCases {
      let path = fixture.path + journalMode.rawValue
      let configuration = Configuration(path: path, journalMode: journalMode, synchronous: .extra)
      let inner = try CountingFileSystem(machine, passesSyncsOn: false, path: path)
      let outer = try CountingFileSystem(machine, passesSyncsOn: passesSyncsOn, path: path, over: inner.name)
      let connection = try SQLiteConnection(
        machine, configuration: configuration, fileSystem: outer, creating: true)
      _ = try SQLiteSchema(connection, model: Bookshop.model, configuration: configuration)
      try connection.close(checkpointing: true)
      var expected = outer.counts
      #expect(expected.total.syncs > 0)
      if !passesSyncsOn {
        for kind in [FileCounts.Kind.database, .rollbackJournal, .writeAheadLog] { expected[kind].syncs = 0 }
      }
      #expect(inner.counts == expected)
      outer.unregister()
    }
  }

  @Test func `each store has its own shim, which is unregistered on close or deallocation`() throws {
    let fixtures = try [StoreFixture(), StoreFixture()]
    var stores = try fixtures.map { try $0.open(poolSize: 2, fileAccess: .counted(passesSyncsOn: false)) }
    let names = try stores.map { try #require($0.pool.fileSystem).name }
    #expect(names[0] != names[1])
    for name in names { #expect(sqlite3_vfs_find(name) != nil) }
    try stores[0].close()
    #expect(sqlite3_vfs_find(names[0]) == nil)
    try stores[1].insert(stores[1].author, [[.string("goes on")]])
    weak let letGo = stores[1].pool.fileSystem
    stores.removeAll()
    #expect(letGo == nil)
    #expect(sqlite3_vfs_find(names[1]) == nil)
  }

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `other threads open, write and close stores while the shim reports`(
    journalMode: Configuration.JournalMode
  ) throws {
    // A machine may let others run in each of its calls; SQLite must hold no mutex that they could need.
    let failures = Guarded<[String]>([])
    let reportCount = Guarded(0)
    let others = try StoreFixture()
    let path = others.path
    let machine = ImmediateMachine(onAccount: { work in
      guard [.pageRead, .pageWritten, .sync].contains(work.kind) else { return }
      let number = reportCount.withLock { count in
        count += 1
        return count
      }
      let done = DispatchSemaphore(value: 0)
      Thread {
        do {
          let configuration = Configuration(
            path: path, journalMode: journalMode, fileAccess: .counted(passesSyncsOn: false))
          let store = try SQLiteStore(ImmediateMachine(), model: Bookshop.model, configuration: configuration)
          try store.insert(store.author, [[.string("\(number)")]])
          try store.close()
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        done.signal()
      }.start()
      if done.wait(timeout: .now() + .seconds(60)) == .timedOut { trapMisuse("SQLite holds a mutex while it reports") }
    })
    let fixture = try StoreFixture(machine)
    let store = try fixture.open(
      Configuration(path: fixture.path, journalMode: journalMode, fileAccess: .counted(passesSyncsOn: false)))
    try store.insert(store.author, [[.string("Ada")]])
    try store.close()
    #expect(failures.withLock { $0 } == [])
    let count = reportCount.withLock { $0 }
    #expect(count > 10)
    #expect(try others.open(journalMode: journalMode).all(store.author).count == count)
  }

  @Test func `SQLite sleeps on the machine's clock`() throws {
    let machine = ImmediateMachine()
    let fileSystem = try CountingFileSystem(machine, passesSyncsOn: false, path: "")
    let vfs = try #require(sqlite3_vfs_find(fileSystem.name))
    #expect(vfs.pointee.xSleep(vfs, 1_500) == 1_500)
    #expect(machine.waits == 1)
    #expect(machine.now == Instant(nanoseconds: 1_500_000))
  }

  @Test func `eight readers on four connections lose no counts`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 4, fileAccess: .counted(passesSyncsOn: false))
    let ids = try store.insert(store.author, (0..<500).map { [.string("author \($0)")] })
    let failures = Guarded<[String]>([])
    let group = DispatchGroup()
    for thread in 0..<8 {
      group.enter()
      Thread {
        do {
          for round in 0..<30 {
            if thread == 0 {
              try store.insert(store.author, [[.string("new \(round)")]])
            }
            let count = try store.all(store.author).filter { $0.key <= ids.count }.count
            if count != ids.count { failures.withLock { $0.append("\(count) rows") } }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        group.leave()
      }.start()
    }
    group.wait()
    try store.close()
    #expect(failures.withLock { $0 } == [])
    let total = try #require(store.fileCounts).total
    #expect(fixture.machine.ledger.count(.pageRead) == total.pagesRead)
    #expect(fixture.machine.ledger.count(.pageWritten) == total.pagesWritten)
  }

  private static func isEmpty(_ database: PlainDatabase) -> Bool {
    (try? database.rows("SELECT count(*) FROM ZAUTHOR")) == [["0"]]
  }
}

/// A connection that a wait on the same thread uses.
private final class LentConnection: @unchecked Sendable {
  // `@unchecked`: one thread uses it.
  var connection: SQLiteConnection?
}
