import Foundation
import TestSupport
import Testing
import Workloads

/// The check of stores whose rows several lanes wrote.
@Suite struct SharedRowTests {
  /// A workload of items that three lanes share, and its contents.
  private final class Bench {
    let folder: TemporaryFolder
    let archive: WorkloadArchive
    let answer: Answer
    let shared: SharedRows

    init(_ workload: Workload = .flat, mix: Mix = Mix(inserts: 30, updates: 70, deletes: 0)) throws {
      folder = try TemporaryFolder()
      var options = WorkloadOptions(
        workload: workload, rows: 300, existingRows: 60, batchSize: 20, mix: mix, lanes: 3)
      options.overlap = 50
      archive = try WorkloadArchive.write(options, to: folder.url)
      answer = try archive.answer()
      shared = try archive.sharedRows()
    }

    var checker: StoreChecker { StoreChecker(schema: archive.schema) }

    /// Returns the report on a store that holds the answer, changed by a statement.
    func report(
      after sql: String = "", mergesProperties: Bool = true, restoresContents: Bool = false
    ) throws -> VerificationReport {
      let fixture = try StoreFixture(answer, schema: archive.schema)
      try fixture.execute(sql)
      let rules = SharedRowRules(shared, mergesProperties: mergesProperties, restoresContents: restoresContents)
      return try checker.check(storeAt: fixture.file, against: answer, journal: EditJournal(), shared: rules)
    }

    /// Returns the first row of an entity that has at least `contentCount` different last contents.
    func row(_ entity: Int = 0, contentCount: Int = 2) throws -> (key: RecordKey, contents: SharedRows.Contents) {
      for row in answer.tables[entity].rows {
        guard let contents = shared[entity, row.key],
          Set(contents.last.map(\.row.values)).count >= contentCount
        else { continue }
        return (row.key, contents)
      }
      throw NoSuchRow()
    }

    struct NoSuchRow: Error {}
  }

  private static func number(_ value: FieldValue) throws -> Double {
    guard case .double(let number) = value else { throw Bench.NoSuchRow() }
    return number
  }

  @Test func `a store with the last content of any lane is verified and has no digest`() throws {
    let bench = try Bench()
    let plain = try bench.report()
    #expect(plain.isVerified() && plain.digest.isEmpty)
    let (key, contents) = try bench.row()
    for content in contents.last {
      let amount = try Self.number(content.row.values[2])
      let report = try bench.report(
        after: "UPDATE ZITEM SET ZAMOUNT = \(amount) WHERE ZREMOTEID = '\(key)'", mergesProperties: false)
      #expect(report.isVerified(), "\(report.problems)")
    }
  }

  @Test func `a value that no lane wrote last fails`() throws {
    let bench = try Bench()
    let (key, contents) = try bench.row()
    let report = try bench.report(after: "UPDATE ZITEM SET ZAMOUNT = -1 WHERE ZREMOTEID = '\(key)'")
    #expect(!report.isVerified(tolerating: Set(ToleratedDefect.allCases)))
    var seen: Set<String> = []
    let amounts = contents.last.map(\.row.values[2].text).filter { seen.insert($0).inserted }
    #expect(
      report.problems.map(\.sentence) == [
        "Item \(key): amount is -1.0 and should be \(amounts.joined(separator: " or "))"
      ])
  }

  @Test func `an earlier content passes only if saves may restore it`() throws {
    let bench = try Bench()
    for row in bench.answer.tables[0].rows {
      guard let contents = bench.shared[0, row.key], !contents.last.isEmpty else { continue }
      let last = Set(contents.last.map(\.row.values))
      guard let earlier = contents.all.first(where: { !last.contains($0.row.values) }) else { continue }
      let sql =
        "UPDATE ZITEM SET ZAMOUNT = \(try Self.number(earlier.row.values[2])) WHERE ZREMOTEID = '\(row.key)'"
      #expect(try !bench.report(after: sql).isVerified())
      #expect(try bench.report(after: sql, mergesProperties: false, restoresContents: true).isVerified())
      return
    }
    Issue.record("no row was written twice by a lane")
  }

  @Test func `values of two lanes in one row pass only if saves merge properties`() throws {
    let bench = try Bench(.catalog)
    let (key, contents) = try bench.row(1)
    let (first, second) = (contents.last[0].row, contents.last[1].row)
    guard case .string(let detail) = first.values[2] else { throw Bench.NoSuchRow() }
    let sql = """
      UPDATE ZPRODUCT SET ZDETAIL = '\(detail)', ZWEIGHT = \(try Self.number(second.values[3])) \
      WHERE ZREMOTEID = '\(key)'
      """
    #expect(try bench.report(after: sql).isVerified())
    let report = try bench.report(after: sql, mergesProperties: false)
    #expect(
      report.problems.map(\.sentence) == [
        "Product \(key): the row holds values of several lanes, which no single record wrote"
      ])
  }

  @Test func `a link of a shared row must lead to its target`() throws {
    let bench = try Bench(.catalog)
    let key = try bench.row(1).key
    let report = try bench.report(after: "UPDATE ZPRODUCT SET ZSUPPLIER = NULL WHERE ZREMOTEID = '\(key)'")
    #expect(!report.isVerified())
    #expect(report.problems[0].sentence.hasPrefix("Product \(key): supplier is absent and should be supplier-"))
  }

  @Test func `a row that one lane writes must hold its answer`() throws {
    let bench = try Bench()
    let row = try #require(bench.answer.tables[0].rows.first { bench.shared[0, $0.key] == nil })
    let report = try bench.report(after: "UPDATE ZITEM SET ZAMOUNT = -1 WHERE ZREMOTEID = '\(row.key)'")
    #expect(
      report.problems.map(\.sentence) == ["Item \(row.key): amount is -1.0 and should be \(row.values[2].text)"])
  }

  @Test func `a missing shared row fails`() throws {
    let bench = try Bench()
    let key = try bench.row().key
    let report = try bench.report(after: "DELETE FROM ZITEM WHERE ZREMOTEID = '\(key)'")
    #expect(report.problems.map(\.sentence) == ["Item \(key) is missing"])
  }

  // MARK: Duplicates

  private func copying(_ key: RecordKey, amount: Double) -> String {
    """
    INSERT INTO ZITEM SELECT 9999, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, \(amount), ZNOTE FROM ZITEM \
    WHERE ZREMOTEID = '\(key)'; UPDATE Z_PRIMARYKEY SET Z_MAX = 9999;
    """
  }

  @Test func `each duplicate must hold what some record wrote, and all are counted`() throws {
    let bench = try Bench()
    let (key, contents) = try bench.row()
    for content in contents.all {
      let report = try bench.report(after: copying(key, amount: try Self.number(content.row.values[2])))
      #expect(report.duplicatesCount == 1)
      #expect(report.isVerified(tolerating: [.duplicates]) && !report.isVerified())
    }
    let wrong = try bench.report(after: copying(key, amount: -1))
    #expect(wrong.duplicatesCount == 1 && !wrong.isVerified(tolerating: [.duplicates]))
  }

  @Test func `a duplicate of a row that one lane writes is compared with its answer`() throws {
    let bench = try Bench()
    let row = try #require(bench.answer.tables[0].rows.first { bench.shared[0, $0.key] == nil })
    let report = try bench.report(after: copying(row.key, amount: try Self.number(row.values[2])))
    #expect(report.duplicatesCount == 1 && !report.isVerified())
  }

  // MARK: Lists

  @Test func `a list shows the rows of the store, and equal rows of one key in any order`() throws {
    let bench = try Bench()
    let (key, contents) = try bench.row()
    let amount = try Self.number(contents.last[1].row.values[2])
    let report = try bench.report(after: copying(key, amount: amount))
    let stored = try #require(report.contents)
    let list = ListChecker(.init(entity: 0, schema: bench.archive.schema, contents: stored))
    let described = bench.archive.schema.entities[0]
    let rows = stored.tables[0].sorted { described.lists($0.values, before: $1.values) }.map { row in
      ListChecker.Row(key: row.key ?? .integer(0), shown: described.shownIndexes.map { row.values[$0] } + [row.note])
    }
    #expect(list.compare(rows).staleRowsCount == 0)
    let first = try #require(rows.firstIndex { $0.key == key })
    var swapped = rows
    swapped.swapAt(first, first + 1)
    #expect(rows[first + 1].key == key)
    #expect(list.compare(swapped).staleRowsCount == 0)
    #expect(list.compare(Array(rows.prefix(first) + rows.dropFirst(first + 1))).missingCount == 1)
    #expect(list.compare(rows + [rows[first]]).extraCount == 1)
    var wrong = rows
    wrong[first].shown[1] = .double(-1)
    #expect(list.compare(wrong).differingCount == 1)
  }
}
