import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct SchemaTests {
  @Test func `a new file has the tables and indexes of Core Data`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let statements = try PlainDatabase(fixture.path).rows("SELECT sql FROM sqlite_master ORDER BY rowid").map { $0[0] }
    #expect(
      statements == [
        "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISLENT INTEGER, "
          + "ZPAGES INTEGER, ZAUTHOR INTEGER, ZPRINTED TIMESTAMP, ZPRICE FLOAT, ZTITLE VARCHAR )",
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test func `an indexed attribute has an index that look-ups by its value use`() throws {
    let model = ManagedObjectModel([
      .init(
        "Track",
        attributes: [
          AttributeDescription("remoteID", .string, isOptional: false, isIndexed: true),
          AttributeDescription("name", .string),
        ])
    ])
    let fixture = try StoreFixture()
    let machine = ImmediateMachine()
    try SQLiteStore(machine, model: model, configuration: SQLiteStoreConfiguration(path: fixture.path)).close()
    let database = try PlainDatabase(fixture.path)
    #expect(
      try database.rows("SELECT sql FROM sqlite_master WHERE type = 'index'")
        == [["CREATE INDEX ZTRACK_ZREMOTEID_INDEX ON ZTRACK (ZREMOTEID)"]])
    let plan = try database.rows("EXPLAIN QUERY PLAN SELECT * FROM ZTRACK t0 WHERE t0.ZREMOTEID = 'a'")
    #expect(plan.map { $0[3] } == ["SEARCH t0 USING INDEX ZTRACK_ZREMOTEID_INDEX (ZREMOTEID=?)"])
  }

  @Test func `a new table has the expected columns in PRAGMA table_info`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let columns = try PlainDatabase(fixture.path).rows("PRAGMA table_info(ZBOOK)").map {
      $0[1...5].joined(separator: " ")
    }
    #expect(
      columns == [
        "Z_PK INTEGER 0 NULL 1", "Z_ENT INTEGER 0 NULL 0", "Z_OPT INTEGER 0 NULL 0", "ZISLENT INTEGER 0 NULL 0",
        "ZPAGES INTEGER 0 NULL 0", "ZAUTHOR INTEGER 0 NULL 0", "ZPRINTED TIMESTAMP 0 NULL 0",
        "ZPRICE FLOAT 0 NULL 0", "ZTITLE VARCHAR 0 NULL 0",
      ])
  }

  @Test func `a new file has the settings of Core Data and lists its entities`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let database = try PlainDatabase(fixture.path)
    for (setting, value) in [
      ("page_size", "4096"), ("auto_vacuum", "2"), ("encoding", "UTF-8"), ("journal_mode", "wal"),
      ("user_version", "0"),
    ] {
      #expect(try database.rows("PRAGMA \(setting)") == [[value]], "\(setting)")
    }
    #expect(try database.rows("SELECT * FROM Z_PRIMARYKEY") == [["1", "Author", "0", "0"], ["2", "Book", "0", "0"]])
    #expect(try database.rows("SELECT count(*) FROM Z_MODELCACHE") == [["0"]])
  }

  @Test func `the metadata contain a UUID and a property list with a hash per entity`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.close()
    let rows = try PlainDatabase(fixture.path).rows("SELECT Z_VERSION, Z_UUID, hex(Z_PLIST) FROM Z_METADATA")
    try #require(rows.count == 1)
    #expect(rows[0][0] == "1")
    #expect(rows[0][1] == store.identifier)
    #expect(UUID(uuidString: store.identifier) != nil)
    let digits = Array(rows[0][2])
    let bytes = try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
    #expect(bytes.starts(with: Array("bplist".utf8)))
    let contents = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let list = try #require(contents as? [String: Any])
    let hashes = try #require(list["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(hashes.keys.sorted() == ["Author", "Book"])
    #expect(hashes["Author"] != hashes["Book"])
  }

  @Test func `the hash of a model is the same in every process`() {
    #expect(StoreMetadata.hash(of: Bookshop.model.entity("Author")) == 0x8779_d9f3_f7f3_ff84)
  }

  @Test func `a reopened store has its identifier, rows and last keys`() throws {
    let fixture = try StoreFixture()
    let first = try fixture.open()
    try first.insert(first.author, [[.string("Ada")], [.string("Ben")]])
    try first.close()
    let second = try fixture.open(poolSize: 3)
    #expect(second.identifier == first.identifier)
    #expect(try second.all(second.author).map(\.row.values) == [[.string("Ada")], [.string("Ben")]])
    #expect(try second.reserveKeys([KeyRequest(entity: second.author, count: 1)]) == [3])
    try second.close()
  }

  @Test func `an entity keeps the number that the file assigns to it`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    try PlainDatabase(fixture.path).rows("UPDATE Z_PRIMARYKEY SET Z_ENT = 41, Z_MAX = 6 WHERE Z_NAME = 'Book'")
    let store = try fixture.open()
    #expect(try store.insert(store.book, [Bookshop.row()]).map(\.key) == [7])
    try store.close()
    #expect(try PlainDatabase(fixture.path).rows("SELECT Z_PK, Z_ENT, Z_OPT FROM ZBOOK") == [["7", "41", "1"]])
  }

  @Test(arguments: SQLiteStoreConfiguration.JournalMode.allCases)
  func `rows are written and read in every journal mode`(mode: SQLiteStoreConfiguration.JournalMode) throws {
    let fixture = try StoreFixture()
    for round in 1...2 {
      let store = try fixture.open(poolSize: 2, journalMode: mode)
      try store.insert(store.author, [[.string("round \(round)")]])
      #expect(try store.all(store.author).count == round)
      #expect(store.busyStatementCount == 0)
      try store.close()
    }
  }
}
