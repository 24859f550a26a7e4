import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct OpeningTests {
  @Test func `a closed store can be closed again and throws on requests`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    try store.insert(store.author, [[.string("Ada")]])
    _ = try store.all(store.author)
    try store.close()
    try store.close()
    let error = #expect(throws: PersistenceError.self) { try store.all(store.author) }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == fixture.path)
  }

  @Test func `closing a store leaves one file`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    try store.insert(store.author, [[.string("Ada")]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count == 3)
    try store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["library.sqlite"])
  }

  @Test func `closing returns while another connection reads`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let other = try PlainDatabase(fixture.path)
    try other.rows("BEGIN")
    try other.rows("SELECT count(*) FROM ZAUTHOR")
    try store.insert(store.author, [[.string("Ada")]])
    try store.close()
    #expect(fixture.machine.waits == 0)
    try other.rows("COMMIT")
    #expect(try other.rows("SELECT ZNAME FROM ZAUTHOR") == [["Ada"]])
  }

  @Test func `the write-ahead log stays bounded over many saves`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    let pages = (0..<200).map { Bookshop.row(title: .string(String(repeating: "x", count: 400)), pages: .integer($0)) }
    let ids = try store.insert(store.book, pages)
    var largest = 0
    for version in Int64(1)...300 {
      var changes = StoreChanges()
      changes.updates = ids.map {
        .init(
          objectID: $0, row: Row(version: version + 1, values: Bookshop.row(pages: .integer(version))), slots: [1],
          baseVersion: version)
      }
      try store.saveWithoutConflicts(changes)
      _ = try store.all(store.book)
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + "-wal")
      largest = max(largest, try #require(attributes[.size] as? Int))
    }
    // 1,000 pages and those of the save that reached them; without checkpoints it would be more than 6,000.
    #expect(largest < 1_100 * (4_096 + 24))
    #expect(largest > 900 * (4_096 + 24))
    try store.close()
  }

  @Test func `opening a file that is not a database throws and leaves the file unchanged`() throws {
    let fixture = try StoreFixture()
    let text = Data(String(repeating: "not a database. ", count: 1_000).utf8)
    try text.write(to: URL(fileURLWithPath: fixture.path))
    let error = #expect(throws: PersistenceError.self) { try fixture.open() }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.path == fixture.path)
    #expect(error?.sqliteCode == 26)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == text)
  }

  @Test func `opening a database that is not a store throws and leaves the file unchanged`() throws {
    let fixture = try StoreFixture()
    try PlainDatabase(fixture.path).rows("CREATE TABLE other(x)")
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let error = #expect(throws: PersistenceError.self) { try fixture.open() }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.message.contains("Z_METADATA") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == before)
  }

  @Test(arguments: [true, false])
  func `reading a damaged store throws an error with its path`(isCut: Bool) throws {
    let fixture = try StoreFixture()
    let first = try fixture.open()
    try first.insert(first.author, (0..<5_000).map { [.string("author \($0)")] })
    try first.close()
    var data = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    if isCut {
      data = data.prefix(data.count / 2)
    } else {
      data.replaceSubrange(4_096..., with: repeatElement(0xaa, count: data.count - 4_096))
    }
    try data.write(to: URL(fileURLWithPath: fixture.path))
    let error = #expect(throws: PersistenceError.self) {
      let store = try fixture.open()
      _ = try store.all(store.author)
    }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.path == fixture.path)
  }

  @Test func `opening a store in a missing folder throws an error with its path`() throws {
    let fixture = try StoreFixture()
    let path = fixture.folder.appendingPathComponent("missing/library.sqlite").path
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(
        fixture.machine, model: Bookshop.model,
        configuration: SQLiteStoreConfiguration(path: path, fileAccess: .underTest))
    }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == path)
  }

  @Test func `opening a store in a read-only folder throws an error with its path`() throws {
    let fixture = try StoreFixture()
    // No user may make files in /proc. Permissions would not stop a superuser.
    let path = "/proc/library.sqlite"
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(
        fixture.machine, model: Bookshop.model,
        configuration: SQLiteStoreConfiguration(path: path, fileAccess: .underTest))
    }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == path)
  }

  @Test(arguments: ["", ":memory:"])
  func `opening a store without a file throws an error`(path: String) {
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(
        ImmediateMachine(), model: Bookshop.model,
        configuration: SQLiteStoreConfiguration(path: path, fileAccess: .underTest)
      )
    }
    #expect(error?.code == .storeOpen)
  }

  @Test func `opening throws busy if another connection blocks the change of journal mode`() throws {
    let fixture = try StoreFixture()
    let first = try fixture.open()
    _ = try first.all(first.author)
    // The change from the write-ahead log needs an exclusive lock, and waits for it as long as for any lock.
    let error = #expect(throws: PersistenceError.self) {
      try fixture.open(journalMode: .delete, busyLimit: .milliseconds(20))
    }
    #expect(error?.code == .busy)
    #expect(error?.sql == "PRAGMA journal_mode = delete")
    try first.close()
  }

  @Test(
    arguments: [
      ("ALTER TABLE ZBOOK DROP COLUMN ZPRICE", "entity Book needs column ZPRICE"),
      ("ALTER TABLE ZBOOK RENAME COLUMN Z_OPT TO ZOPT", "entity Book needs column Z_OPT"),
      ("DROP TABLE ZAUTHOR", "entity Author has no table ZAUTHOR"),
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'", "it does not list entity Author"),
      ("INSERT INTO Z_PRIMARYKEY VALUES(3, 'Novel', 2, 0)", "entity Book shares its table"),
      ("DELETE FROM Z_METADATA", "no UUID"),
    ])
  func `opening a store that mismatches the model throws an error with entity and column`(
    damage: String, sentence: String
  ) throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    try PlainDatabase(fixture.path).rows(damage)
    let error = #expect(throws: PersistenceError.self) { try fixture.open() }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    #expect(error?.path == fixture.path)
  }

  @Test func `opening a store with a column of another type throws an error`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let other = ManagedObjectModel([.init("Author", attributes: [AttributeDescription("name", .date)])])
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(
        fixture.machine, model: other,
        configuration: SQLiteStoreConfiguration(path: fixture.path, fileAccess: .underTest))
    }
    #expect(
      error?.message.hasSuffix("entity Author needs column ZNAME of type TIMESTAMP; in table ZAUTHOR it is VARCHAR")
        == true)
  }

  @Test func `columns and entities outside the model are ignored`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    try PlainDatabase(fixture.path).rows("ALTER TABLE ZAUTHOR ADD COLUMN ZBORN TIMESTAMP")
    let smaller = ManagedObjectModel([.init("Author", attributes: [AttributeDescription("name", .string)])])
    let store = try SQLiteStore(
      fixture.machine, model: smaller,
      configuration: SQLiteStoreConfiguration(path: fixture.path, fileAccess: .underTest))
    try store.insert(smaller.entity("Author"), [[.string("Ada")]])
    #expect(try store.all(smaller.entity("Author")).map(\.row.values) == [[.string("Ada")]])
    try store.close()
  }
}
