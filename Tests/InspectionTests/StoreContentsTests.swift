import Foundation
import TestSupport
import Testing
import TrialProcesses

@Suite struct StoreContentsTests {
  @Test func `rows that are only in the write-ahead log are counted`() throws {
    let file = try CoreDataFile()
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO ZANIMAL VALUES (3, 1, 1, 0, 'Cleo')")
    let store = try file.inspect()
    #expect(store.logByteCount > 0)
    #expect(StoreSummary(store.contents).rows == ["ZANIMAL": 3, "ZKEEPER": 0, "Z_1KEEPERS": 1])
  }

  @Test func `a log without its index is read`() throws {
    let file = try CoreDataFile()
    let path = try file.killed(keeping: ["-wal"])
    let store = try InspectedStore(path, copyingInto: file.scratch())
    #expect(StoreSummary(store.contents).rows["ZANIMAL"] == 2)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["zoo.sqlite", "zoo.sqlite-wal"])
  }

  @Test func `the commits of a log that ends in the middle of a page are read up to there`() throws {
    let file = try CoreDataFile()
    try file.execute("INSERT INTO ZANIMAL VALUES (3, 1, 1, 0, 'Cleo')")
    let path = try file.killed(keeping: ["-wal"])
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    try log.dropLast(100).write(to: URL(fileURLWithPath: path + "-wal"))
    let store = try InspectedStore(path, copyingInto: file.scratch())
    #expect(StoreSummary(store.contents).rows["ZANIMAL"] == 2)
  }

  @Test func `a hot journal is rolled back in the copy only`() throws {
    let file = try CoreDataFile(journalMode: "delete")
    // The small cache writes pages into the database before the commit.
    try file.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; DELETE FROM ZANIMAL")
    for key in 10..<400 { try file.execute("INSERT INTO ZANIMAL VALUES (\(key), 1, 1, 0, 'animal \(key)')") }
    let path = try file.killed(keeping: ["-journal"])
    try file.execute("ROLLBACK")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let journal = try Data(contentsOf: URL(fileURLWithPath: path + "-journal"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) != before)
    let store = try InspectedStore(path, copyingInto: file.scratch())
    #expect(StoreSummary(store.contents).rows["ZANIMAL"] == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-journal")) == journal)
  }

  @Test(arguments: [
    ("wal", "page_size = 4096", 4_096), ("delete", "page_size = 65536", 65_536), ("truncate", "page_size = 512", 512),
    ("persist", "encoding = 'UTF-16le'", 4_096),
  ])
  func `the settings are those of the file`(mode: String, setting: String, pageSize: Int) throws {
    let contents = try CoreDataFile(journalMode: mode, setting: setting).inspect().contents
    #expect(contents.pageSize == pageSize)
    #expect(contents.journalMode == (mode == "wal" ? "wal" : "delete"))
    #expect(contents.autoVacuum == 2)
    #expect(contents.integrityCheck == "ok")
    #expect(contents.tables.map(\.rowCount) == [2, 0, 1])
  }

  @Test func `entities and metadata are those of the store`() throws {
    let contents = try CoreDataFile().inspect().contents
    #expect(contents.entities.map(\.name) == ["Animal", "Keeper", "Ape"])
    #expect(contents.entities.map(\.superentity) == [0, 0, 1])
    #expect(contents.entities.map(\.largestKey) == [2, 0, 0])
    #expect(contents.metadata.identifier == "D1B4A2F0-0000-0000-0000-000000000001")
    #expect(contents.metadata.versionIdentifiers == ["7"])
    #expect(contents.metadata.versionHashes.map(\.entity) == ["Animal"])
    #expect(contents.metadata.versionHashes.map(\.text) == [String(repeating: "ab", count: 32)])
    #expect(contents.metadata.frameworkVersion == 1044)
    #expect(contents.metadata.otherKeys == ["lastImport"])
  }

  @Test func `history is counted, and its tables are not rows of the model`() throws {
    let file = try CoreDataFile()
    #expect(try file.inspect().contents.historyTransactionCount == nil)
    try file.execute(
      """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY); CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY);
      CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY);
      INSERT INTO ATRANSACTION VALUES (1), (2); INSERT INTO ACHANGE VALUES (1), (2), (3)
      """)
    let contents = try file.inspect().contents
    #expect(contents.historyTransactionCount == 2)
    #expect(contents.historyChangeCount == 3)
    #expect(contents.tables.map(\.name) == ["ZANIMAL", "ZKEEPER", "Z_1KEEPERS"])
  }

  @Test func `external files are counted, and links are not followed`() throws {
    let file = try CoreDataFile()
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent()
      .appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 1, count: 100).write(to: folder.appendingPathComponent("A"))
    try Data(repeating: 1, count: 23).write(to: folder.appendingPathComponent("B"))
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("C"), withDestinationURL: URL(fileURLWithPath: file.path))
    #expect(try file.inspect().externalByteCounts == [100, 23])
  }

  @Test func `a link leads to the store and to its log`() throws {
    let file = try CoreDataFile()
    let link = file.folder.url.appendingPathComponent("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: file.path))
    let store = try InspectedStore(link.path, copyingInto: file.scratch())
    #expect(store.contents.tables.map(\.rowCount) == [2, 0, 1])
  }

  @Test func `an index over a collation of another program prevents only the check`() throws {
    let file = try CoreDataFile()
    try file.execute(
      """
      CREATE INDEX Z_byName ON ZANIMAL (ZLEGS); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX Z_byName ON ZANIMAL (ZLEGS COLLATE NSCollateFinderlike)'
      WHERE name = 'Z_byName'
      """)
    let contents = try file.inspect().contents
    #expect(contents.integrityCheck == "not possible: no such collation sequence: NSCollateFinderlike")
    #expect(contents.tables.map(\.rowCount) == [2, 0, 1])
  }
}
