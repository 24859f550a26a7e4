import CSQLite
import Foundation
import TestSupport
import Testing
import Workloads

@Suite struct StoreCheckerTests {
  private let checker = StoreChecker(schema: .catalog)

  /// Returns the report on a right store that a statement has changed.
  private func report(
    after sql: String, journal: EditJournal = EditJournal(), history: RecordHistory? = nil
  ) throws -> VerificationReport {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    try fixture.execute(sql)
    let report = try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: journal, history: history)
    // A comparison with a known right store reports the same.
    let short = try checker.check(
      storeAt: fixture.file, against: Catalog.answer, journal: journal, history: history,
      right: RightStore(Catalog.answer, schema: .catalog))
    #expect(short.problems == report.problems && short.problemCounts == report.problemCounts)
    #expect(short.digest == report.digest && short.lostEditsCount == report.lostEditsCount)
    return report
  }

  private func edit(_ key: String, _ value: String?, entity: Int = 1) -> EditJournal.Edit {
    EditJournal.Edit(entity: entity, key: .string(key), value: value)
  }

  private let everyDefect = Set(ToleratedDefect.allCases)

  @Test func `a correct store is verified and has the answer's digest`() throws {
    let report = try report(after: "")
    #expect(report.problems.isEmpty)
    #expect(report.isVerified())
    #expect(report.digest == checker.digest(of: Catalog.answer))
    #expect(report.digest.count == 64)
    #expect((report.duplicatesCount, report.lostEditsCount, report.staleRowsCount) == (0, 0, 0))
  }

  @Test(arguments: [
    ("UPDATE ZPRODUCT SET ZNAME = 'm' WHERE ZREMOTEID = 'p2'", "Product p2: name is \"m\" and should be \"n\""),
    ("UPDATE ZPRODUCT SET ZNAME = NULL WHERE ZREMOTEID = 'p2'", "Product p2: name is absent and should be \"n\""),
    (
      "UPDATE ZPRODUCT SET ZWEIGHT = 2.0000000000000004 WHERE ZREMOTEID = 'p1'",
      "Product p1: weight is 2.0000000000000004 and should be 2.0"
    ),
    (
      "UPDATE ZPRICE SET ZVALIDFROM = 3.000001 WHERE ZREMOTEID = 'r3'",
      "Price r3: validFrom is 3.000001 s after 2001 and should be 3.0 s after 2001"
    ),
    (
      "UPDATE ZPRICE SET ZCURRENCY = x'45' WHERE ZREMOTEID = 'r3'",
      "Price r3: currency is \"x\'45\'\" and should be \"EUR\""
    ),
    ("UPDATE ZPRICE SET ZAMOUNT = 'much' WHERE ZREMOTEID = 'r3'", "Price r3: amount is \"much\" and should be 1.0"),
    ("DELETE FROM ZPRICE WHERE ZREMOTEID = 'r2'", "Price r2 is missing"),
    ("DELETE FROM ZPRICE WHERE ZREMOTEID = 'r3'", "Price r3 is missing"),
    ("UPDATE ZSUPPLIER SET ZREMOTEID = NULL WHERE ZREMOTEID = 's2'", "a row of Supplier has no key"),
    ("UPDATE ZPRICE SET ZREMOTEID = 'r4' WHERE ZREMOTEID = 'r3'", "Price r4 exists and should not"),
    ("UPDATE ZPRICE SET ZREMOTEID = 'r0' WHERE ZREMOTEID = 'r3'", "Price r0 exists and should not"),
    ("UPDATE ZPRODUCT SET ZSUPPLIER = NULL WHERE ZREMOTEID = 'p2'", "Product p2: supplier is absent and should be s1"),
    (
      "UPDATE ZPRODUCT SET ZSUPPLIER = 99 WHERE ZREMOTEID = 'p2'",
      "Product p2: supplier is a row that does not exist and should be s1"
    ),
    (
      "UPDATE ZPRODUCT SET ZSUPPLIER = 3 - ZSUPPLIER WHERE ZREMOTEID = 'p1'",
      "Product p1: supplier is s2 and should be s1"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Price'",
      "Z_PRIMARYKEY says that the largest key of Price is 2, and it is 3"
    ),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Price'", "Z_PRIMARYKEY has no row for Price"),
    ("UPDATE ZPRICE SET Z_ENT = 2 WHERE Z_PK = 1", "row 1 of Price has Z_ENT 2 and should have 3"),
    ("UPDATE ZPRICE SET ZNOTE = 'x' WHERE ZREMOTEID = 'r1'", "Price r1: note is \"x\", but it was never edited"),
  ])
  func `a store with one wrong value or row is never verified`(_ sql: String, _ sentence: String) throws {
    let report = try report(after: sql)
    #expect(report.problems.map(\.sentence).contains(sentence))
    #expect(!report.isVerified(tolerating: everyDefect))
    #expect(report.complaints(tolerating: everyDefect).contains(sentence))
  }

  @Test func `two swapped links are two problems`() throws {
    let report = try report(
      after: """
        UPDATE ZPRICE SET ZPRODUCT = (SELECT Z_PK FROM ZPRODUCT WHERE ZREMOTEID = 'p3') WHERE ZREMOTEID = 'r2';
        UPDATE ZPRICE SET ZPRODUCT = (SELECT Z_PK FROM ZPRODUCT WHERE ZREMOTEID = 'p1') WHERE ZREMOTEID = 'r3';
        """)
    #expect(
      report.problems.map(\.sentence) == [
        "Price r2: product is p3 and should be p1", "Price r3: product is p1 and should be p3",
      ])
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `one changed byte in the file is a problem`() throws {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    try fixture.execute("UPDATE ZPRODUCT SET ZDETAIL = 'needle' WHERE ZREMOTEID = 'p1'")
    var rows = Array(Catalog.answer.tables[1].rows)
    rows[0] = Answer.Row(
      key: rows[0].key, values: [.string("p1"), .string("n"), .string("needle"), .double(2), .date(1), .date(2)],
      links: rows[0].links)
    let answer = Answer(tables: [Catalog.answer.tables[0], Answer.Table(rows: rows), Catalog.answer.tables[2]])
    #expect(try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal()).isVerified())

    var bytes = try Data(contentsOf: fixture.file)
    let place = try #require(bytes.firstRange(of: Data("needle".utf8)))
    bytes[place.lowerBound + 2] = UInt8(ascii: "f")
    try bytes.write(to: fixture.file)
    let report = try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal())
    #expect(report.problems.map(\.sentence) == ["Product p1: detail is \"nefdle\" and should be \"needle\""])
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `an index that disagrees with its table is a problem`() throws {
    let report = try report(
      after: """
        CREATE INDEX ZPRICE_ZPRODUCT_INDEX ON ZPRICE (ZPRODUCT);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = 'CREATE INDEX ZPRICE_ZPRODUCT_INDEX ON ZPRICE (ZAMOUNT)'
        WHERE name = 'ZPRICE_ZPRODUCT_INDEX';
        """)
    #expect(report.problems.first?.sentence.hasPrefix("the integrity check says: ") == true)
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `a missing or damaged table is a problem, and a missing file throws`() throws {
    let report = try report(after: "DROP TABLE ZPRICE")
    #expect(report.problems.map(\.sentence).first?.hasPrefix("the store cannot be read: no such table: ZPRICE") == true)
    #expect(report.digest == "")
    #expect(!report.isVerified(tolerating: everyDefect))

    let fixture = try StoreFixture()
    let error = #expect(throws: VerificationError.self) {
      try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: EditJournal())
    }
    #expect(error?.description.hasSuffix("store.sqlite: the store cannot be read: no such file") == true)
    try Data("no database at all, but long enough to look at".utf8).write(to: fixture.file)
    let damaged = try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: EditJournal())
    #expect(damaged.problems.map(\.sentence).first?.contains("file is not a database") == true)
    #expect(!damaged.isVerified(tolerating: everyDefect))
  }

  @Test func `the check leaves no files and reads the write-ahead log`() throws {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    let folder = fixture.file.deletingLastPathComponent().path(percentEncoded: false)
    #expect(try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: EditJournal()).isVerified())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["store.sqlite"])

    // The open connection represents the killed process, whose last commit is in the log only.
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(fixture.file.path(percentEncoded: false), &handle) == SQLITE_OK)
    try #require(sqlite3_exec(handle, "DELETE FROM ZPRICE WHERE ZREMOTEID = 'r1'", nil, nil, nil) == SQLITE_OK)
    let report = try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: EditJournal())
    #expect(report.problems.map(\.sentence) == ["Price r1 is missing"])
  }
}

// MARK: - What may be tolerated

extension StoreCheckerTests {
  @Test func `duplicates of a correct row are counted and can be tolerated`() throws {
    let report = try report(
      after: """
        INSERT INTO ZPRICE SELECT Z_PK + 10, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, 7.0, ZCURRENCY, ZVALIDFROM, ZPRODUCT, NULL
        FROM ZPRICE WHERE ZREMOTEID IN ('r1', 'r2');
        INSERT INTO ZPRICE SELECT 20, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, 8.0, ZCURRENCY, ZVALIDFROM, ZPRODUCT, NULL
        FROM ZPRICE WHERE Z_PK = 13;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 20 WHERE Z_NAME = 'Price';
        """)
    #expect(report.duplicatesCount == 3)
    #expect(report.problems.map(\.sentence) == ["Price r1 exists 3 times", "Price r2 exists 2 times"])
    #expect(report.digest != checker.digest(of: Catalog.answer))
    #expect(!report.isVerified())
    #expect(!report.isVerified(tolerating: everyDefect.subtracting([.duplicates])))
    #expect(report.isVerified(tolerating: [.duplicates]))
  }

  @Test func `duplicates without a correct row are never tolerated`() throws {
    let report = try report(
      after: """
        UPDATE ZPRICE SET ZAMOUNT = 9 WHERE ZREMOTEID = 'r1';
        INSERT INTO ZPRICE SELECT 9, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, 7.0, ZCURRENCY, ZVALIDFROM, ZPRODUCT, NULL
        FROM ZPRICE WHERE ZREMOTEID = 'r1';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Price';
        """)
    #expect(report.duplicatesCount == 1)
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `an acknowledged edit in the store is verified`() throws {
    let report = try report(
      after: "UPDATE ZPRODUCT SET ZNOTE = 'second' WHERE ZREMOTEID = 'p1'",
      journal: EditJournal([edit("p1", "first"), edit("p1", "second"), edit("p2", "x"), edit("p2", nil)]))
    #expect(report.isVerified())
    #expect(report.lostEditsCount == 0)
  }

  @Test(arguments: ["NULL", "'first'"])
  func `an acknowledged edit without its value in the store is lost`(_ note: String) throws {
    let report = try report(
      after: "UPDATE ZPRODUCT SET ZNOTE = \(note) WHERE ZREMOTEID = 'p1'",
      journal: EditJournal([edit("p1", "first"), edit("p1", "second")]))
    #expect(report.lostEditsCount == 1)
    #expect(report.lostEdits == [RowName(entity: 1, key: .string("p1"))])
    #expect(report.digest == checker.digest(of: Catalog.answer))
    #expect(!report.isVerified())
    #expect(report.isVerified(tolerating: [.lostEdits]))
  }

  @Test func `a note without an acknowledged edit is never tolerated`() throws {
    let report = try report(
      after: "UPDATE ZPRODUCT SET ZNOTE = 'other' WHERE ZREMOTEID = 'p1'", journal: EditJournal([edit("p1", "first")]))
    #expect(report.lostEditsCount == 1)
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `an edit of a missing row is lost, and the row is missing`() throws {
    let report = try report(
      after: "DELETE FROM ZPRICE WHERE ZREMOTEID = 'r2'", journal: EditJournal([edit("r2", "x", entity: 2)]))
    #expect(report.lostEditsCount == 1)
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `an edit of a deleted row is a problem`() throws {
    let report = try report(after: "", journal: EditJournal([edit("p9", "x")]))
    #expect(
      report.problems.map(\.sentence) == ["Product p9 was edited, but a payload deletes it or no payload inserts it"])
    #expect(!report.isVerified(tolerating: everyDefect))
  }

  @Test func `a row with the values of an earlier record is out of order`() throws {
    var history = RecordHistory(schema: .catalog)
    for row in [Catalog.price("r1", of: "p2", amount: 5), Catalog.price("r9", of: "p1")] {
      history.add(ImportRecord(entity: 2, key: row.key, values: row.values, links: row.links))
    }
    let sql = """
      UPDATE ZPRICE SET ZAMOUNT = 5, ZPRODUCT = (SELECT Z_PK FROM ZPRODUCT WHERE ZREMOTEID = 'p2')
      WHERE ZREMOTEID = 'r1';
      INSERT INTO ZPRICE SELECT 9, 3, 1, 'r9', 'n', 1.0, 'EUR', 3, Z_PK, NULL FROM ZPRODUCT WHERE ZREMOTEID = 'p1';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Price';
      """
    let late = try report(after: sql, history: history)
    #expect(!late.isVerified())
    #expect(late.isVerified(tolerating: [.outOfOrder]))
    #expect(late.problemCounts == [.outOfOrder: 3])
    #expect(!(try report(after: sql).isVerified(tolerating: everyDefect)))
    let mixed = try report(
      after: sql + "UPDATE ZPRICE SET ZNAME = 'n2' WHERE ZREMOTEID = 'r1'", history: history)
    #expect(!mixed.isVerified(tolerating: everyDefect))
  }

  @Test func `a report has the first 20 problems and the count of all`() throws {
    let rows = (10..<90).map { Catalog.supplier("s\($0)") }
    let answer = Answer(tables: [Answer.Table(rows: rows), Answer.Table(rows: []), Answer.Table(rows: [])])
    let fixture = try StoreFixture(answer, schema: .catalog)
    try fixture.execute("DELETE FROM ZSUPPLIER")
    let report = try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal())
    #expect(report.problems.count == 20)
    #expect(report.problemCounts == [nil: 80])
    #expect(report.complaints().last == "and 60 more")
  }
}

// MARK: - A whole workload

extension StoreCheckerTests {
  @Test(arguments: [Workload.catalog, .flat])
  func `a store written from a workload's answer has the digest of that answer`(_ workload: Workload) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let archive = try WorkloadArchive.write(
      WorkloadOptions(workload: workload, rows: 2_000, existingRows: 500, batchSize: 100, mix: .standard, lanes: 2),
      to: folder.url)
    let answer = try archive.answer()
    let fixture = try StoreFixture(answer, schema: archive.schema)
    let checker = StoreChecker(schema: archive.schema)
    let report = try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal())
    #expect(report.complaints() == [])
    #expect(report.digest == checker.digest(of: answer))
    #expect(report.isVerified())
    #expect(try archive.history().contains(0, answer.tables[0].rows[0]))

    let rowsInFile = try archive.answer(inMemoryUpTo: 0)
    #expect(rowsInFile == answer)
    #expect(checker.digest(of: rowsInFile) == report.digest)
    for answer in [answer, rowsInFile] {
      let right = RightStore(answer, schema: archive.schema)
      #expect(right.digest == report.digest)
      let other = try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal(), right: right)
      #expect(other.complaints() == [])
      #expect(other.digest == report.digest)
    }
    try fixture.execute("DELETE FROM \(workload == .flat ? "ZITEM" : "ZPRICE") WHERE Z_PK = 7")
    let right = RightStore(rowsInFile, schema: archive.schema)
    let lacking = try checker.check(storeAt: fixture.file, against: rowsInFile, journal: EditJournal(), right: right)
    #expect(lacking.problemCounts == [nil: 1])
  }
}
