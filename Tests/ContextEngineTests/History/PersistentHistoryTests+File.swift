import Testing

// Tests of the tables and rows of history in the file.

extension PersistentHistoryTests {
  /// Files that Core Data wrote have these tables and columns.
  @Test func `the file has Core Data's history tables and one row per name`() throws {
    let stack = try makeStack()
    try writeThree(stack, stack.context("editor"))
    let reader = try PlainReader(stack)
    func columns(_ table: String) throws -> [String] {
      try reader.rows("SELECT name || ' ' || type FROM pragma_table_info('\(table)')").map { $0[0] }
    }
    let system = ["Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    #expect(
      try columns("ACHANGE") == system + [
        "ZCHANGETYPE INTEGER", "ZENTITY INTEGER", "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB",
      ])
    #expect(
      try columns("ATRANSACTION") == system + [
        "ZAUTHORTS INTEGER", "ZBUNDLEIDTS INTEGER", "ZCONTEXTNAMETS INTEGER", "ZPROCESSIDTS INTEGER",
        "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR", "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR", "ZPROCESSID VARCHAR",
        "ZQUERYGEN BLOB",
      ])
    #expect(try columns("ATRANSACTIONSTRING") == system + ["ZNAME VARCHAR"])
    #expect(
      try reader.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT") == [
        ["16001", "CHANGE", "0", "4"], ["16002", "TRANSACTION", "0", "3"], ["16003", "TRANSACTIONSTRING", "0", "3"],
      ])
    #expect(
      try reader.rows("SELECT ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK")
        == [["org.example.app"], ["editor"], ["main"]])
    #expect(
      try reader.rows(
        "SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS) FROM ACHANGE") == [
          ["1", "16001", "1", "0", "2", "1", "1", ""], ["2", "16001", "1", "0", "2", "2", "1", ""],
          ["3", "16001", "1", "1", "2", "1", "2", "22"], ["4", "16001", "1", "2", "2", "2", "3", ""],
        ])
    #expect(try reader.rows("SELECT count(*) FROM ATRANSACTION WHERE ZQUERYGEN IS NOT NULL") == [["0"]])
    #expect(try reader.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `a save with history makes two commits`() throws {
    let stack = try makeStack()
    let context = stack.context()
    let commits = try stack.count(.commit) {
      try context.performAndWait {
        context.insertBook("Emma")
        try context.save()
      }
    }
    #expect(commits == 2)
  }
}
