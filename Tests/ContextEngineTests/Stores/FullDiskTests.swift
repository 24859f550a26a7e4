import CSQLite
import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// Saves for which the file system has no space.
@Suite struct FullDiskTests {
  fileprivate static let longText = String(repeating: "long ", count: 20_000)

  @Test(arguments: [SQLiteStoreConfiguration.JournalMode.wal, .delete], [0, 1, 2])
  func `a save on a full disk throws and changes nothing, and succeeds with room`(
    journalMode: SQLiteStoreConfiguration.JournalMode, depth: Int
  ) throws {
    let disk = try SmallDisk(journalMode: journalMode)
    try disk.seed()
    try disk.fill()
    let before = try disk.contents()

    let contexts = disk.chain(depth)
    let leaf = contexts[depth]
    let book = try leaf.performAndWait {
      let book = try #require(try leaf.book("Emma"))
      book[Book.note] = .string(Self.longText)
      _ = leaf.insertBook("Ada")
      let obsolete = try #require(try leaf.book("Obsolete"))
      leaf.delete(obsolete)
      return book
    }
    for context in contexts.dropFirst().reversed() { try context.performAndWait { try context.save() } }
    let root = contexts[0]
    let changes = root.performAndWait { root.changeCounts }
    let error = try #require(
      throws: PersistenceError.self, performing: { try root.performAndWait { try root.save() } })
    #expect(error.code == .full && error.path == disk.folder.storePath && error.sqliteCode == SQLITE_FULL, "\(error)")
    #expect(root.performAndWait { root.changeCounts } == changes && changes == [1, 1, 1])
    #expect(leaf.performAndWait { book.note } == Self.longText)
    #expect(try disk.contents() == before)

    try disk.makeRoom()
    try root.performAndWait { try root.save() }
    #expect(!root.performAndWait { root.hasChanges })
    let after = try disk.contents()
    #expect(after.map(\.title) == ["Ada", "Emma"])
    #expect(after.map(\.noteLength) == [0, Self.longText.utf8.count])
    #expect(try disk.integrity() == "ok")
  }

  @Test func `failed first saves on a full disk keep the IDs temporary`() throws {
    let disk = try SmallDisk(journalMode: .wal)
    try disk.seed()
    try disk.fill()
    let context = disk.chain(0)[0]
    let ada = context.performAndWait {
      let ada = context.insertBook("Ada")
      ada[Book.note] = .string(Self.longText)
      return ada
    }
    for _ in 0..<3 {
      #expect(throws: PersistenceError.self) { try context.performAndWait { try context.save() } }
      #expect(context.performAndWait { ada.objectID.isTemporaryID && ada.isInserted })
    }
    try disk.makeRoom()
    try context.performAndWait { try context.save() }
    #expect(context.performAndWait { !ada.objectID.isTemporaryID && !ada.hasChanges })
    #expect(try disk.contents().map(\.title) == ["Ada", "Emma", "Obsolete"])
  }

  @Test(arguments: ["wal", "delete"])
  func `a save beyond the file size limit throws, and succeeds under a higher limit`(
    journalMode: String
  ) async throws {
    let folder = try TemporaryFolder()
    // The limit applies to a process, so a child process sets it.
    await #expect(processExitsWith: .success) { [path = folder.url.path as String, journalMode] in
      let mode = try #require(SQLiteStoreConfiguration.JournalMode(rawValue: journalMode))
      let disk = try SmallDisk(
        journalMode: mode, maximumPageCount: nil, on: TemporaryFolder(borrowing: URL(fileURLWithPath: path)))
      try disk.seed()
      let context = disk.chain(0)[0]
      // The signal is ignored, because it would end the process at the write that the limit refuses.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      limit.rlim_cur = 150_000
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let before = try disk.contents()
      try context.performAndWait {
        for number in 0..<10 { context.insertBook("\(number)")[Book.note] = .string(FullDiskTests.longText) }
        let emma = try #require(try context.book("Emma"))
        emma[Book.year] = 1815
      }
      let failure = Result<Void, any Error> { try context.performAndWait { try context.save() } }
      let changes = context.performAndWait { context.changeCounts }
      let after = try disk.contents()
      // The limit is raised before any expectation, because it also applies to the output of a failed one.
      limit.rlim_cur = limit.rlim_max
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = try #require(throws: PersistenceError.self, performing: { try failure.get() })
      try #require([.sqlite, .full].contains(error.code) && error.path == disk.folder.storePath, "\(error)")
      try #require(changes == [10, 1, 0])
      try #require(after == before)
      try context.performAndWait { try context.save() }
      try #require(try disk.contents().count == 12)
      try #require(try disk.integrity() == "ok")
    }
  }
}

/// A store whose file has a limited size.
private struct SmallDisk {
  let folder: TemporaryFolder
  let machine = LiveMachine(ledger: WorkLedger())
  let store: SQLiteStore
  let coordinator: PersistentStoreCoordinator

  /// The properties of a row of `Book` that the tests compare.
  struct Entry: Equatable {
    var title: String
    var noteLength: Int
  }

  init(
    journalMode: SQLiteStoreConfiguration.JournalMode, maximumPageCount: Int? = 100, on folder: TemporaryFolder? = nil
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    var configuration = SQLiteStoreConfiguration(
      path: self.folder.storePath, journalMode: journalMode, synchronous: .off)
    configuration.maximumPageCount = maximumPageCount
    store = try SQLiteStore(machine, model: Library.model, configuration: configuration)
    coordinator = PersistentStoreCoordinator(machine: machine, store: store)
  }

  /// Returns a chain of contexts, the first of which is on the coordinator.
  func chain(_ depth: Int) -> [ManagedObjectContext] {
    var contexts = [ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root")]
    for level in 0..<depth {
      contexts.append(ManagedObjectContext(.privateQueue, parent: contexts[level], name: "level \(level + 1)"))
    }
    return contexts
  }

  func seed() throws {
    let context = chain(0)[0]
    try context.performAndWait {
      context.insertBook("Emma")
      context.insertBook("Obsolete")
      try context.save()
    }
  }

  /// Uses all free pages for a table that another connection writes. The sizes decrease, because a failed insertion
  /// frees its pages again.
  func fill() throws {
    try execute("CREATE TABLE ballast (bytes BLOB)")
    for size in [40_000, 4_000, 400] {
      while (try? execute("PRAGMA max_page_count = 100; INSERT INTO ballast VALUES (zeroblob(\(size)))")) != nil {}
    }
  }

  func makeRoom() throws {
    try execute("DROP TABLE ballast")
  }

  func contents() throws -> [Entry] {
    let context = chain(0)[0]
    return try context.performAndWait {
      try context.books().map { Entry(title: $0.title, noteLength: $0.note?.utf8.count ?? 0) }
    }
  }

  func integrity() throws -> String {
    var answer = ""
    try execute("PRAGMA integrity_check") { answer = $0 }
    return answer
  }

  private func execute(_ sql: String, row: (String) -> Void = { _ in }) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(folder.storePath, &connection) == SQLITE_OK)
    var rest: String? = sql
    while let text = rest, !text.isEmpty {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      rest = try text.withCString { start -> String in
        var tail: UnsafePointer<CChar>?
        guard sqlite3_prepare_v2(connection, start, -1, &statement, &tail) == SQLITE_OK else { throw Refused() }
        return tail.map { String(cString: $0).trimmingCharacters(in: .whitespaces) } ?? ""
      }
      while true {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else {
          if code != SQLITE_DONE { throw Refused() }
          break
        }
        if let column = sqlite3_column_text(statement, 0) { row(String(cString: column)) }
      }
    }
  }

  private struct Refused: Error {}
}

extension ManagedObjectContext {
  /// The numbers of inserted, updated and deleted objects.
  fileprivate var changeCounts: [Int] { [insertedObjects.count, updatedObjects.count, deletedObjects.count] }
}

extension ManagedObject {
  fileprivate var note: String? {
    if case .string(let note) = self[Book.note] { note } else { nil }
  }
}
