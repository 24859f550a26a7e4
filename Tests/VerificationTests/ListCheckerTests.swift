import TestSupport
import Testing
import Workloads

@Suite struct ListCheckerTests {
  /// Products by name: a, b, c, d, e under the keys p5 to p1.
  private static let answer = Answer(tables: [
    Answer.Table(rows: []),
    Answer.Table(
      rows: zip(1...5, ["e", "d", "c", "b", "a"]).map { Catalog.product("p\($0)", of: nil, name: $1) }),
    Answer.Table(rows: []),
  ])
  private static let journal = EditJournal([
    .init(entity: 1, key: .string("p4"), value: "old"), .init(entity: 1, key: .string("p4"), value: "new"),
    .init(entity: 0, key: .string("p5"), value: "of another entity"),
  ])

  private let right: [ListChecker.Row] = zip(["p5", "p4", "p3", "p2", "p1"], ["a", "b", "c", "d", "e"]).map {
    ListChecker.Row(key: .string($0), shown: [.string($1), .double(2), $0 == "p4" ? .string("new") : .null])
  }

  private func compare(_ rows: [ListChecker.Row], excused: Set<RowName> = []) -> ListChecker.Difference {
    ListChecker(
      .init(entity: 1, schema: .catalog, answer: Self.answer), journal: Self.journal, excused: excused
    )
    .compare(rows)
  }

  @Test func `a correct list has no stale rows`() {
    #expect(compare(right) == ListChecker.Difference())
  }

  @Test func `a long list is right if its rows, their values and their order are`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let archive = try WorkloadArchive.write(
      WorkloadOptions(workload: .catalog, rows: 500, existingRows: 0, batchSize: 100, mix: .insertsOnly),
      to: folder.url)
    let answer = try archive.answer(inMemoryUpTo: 0)
    let described = archive.schema.entities[1]
    let edited = answer.tables[1].rows[3].key
    let journal = EditJournal([
      .init(entity: 1, key: edited, value: "old"), .init(entity: 1, key: edited, value: "new"),
    ])
    let right = answer.tables[1].rows.sorted { described.lists($0.values, before: $1.values) }.map { row in
      ListChecker.Row(
        key: row.key,
        shown: described.shownIndexes.map { row.values[$0] } + [row.key == edited ? .string("new") : .null])
    }
    func isRight(_ rows: [ListChecker.Row], _ journal: EditJournal, _ answer: Answer) -> Bool? {
      var check = LongListCheck(entity: 1, list: nil, schema: archive.schema, answer: answer, journal: journal)
      for row in rows { check?.add(row) }
      return check?.isRight
    }
    #expect(isRight(right, journal, answer) == true)
    #expect(isRight(right, EditJournal(), answer) == false)
    #expect(isRight(Array(right.dropLast()), journal, answer) == false)
    #expect(isRight(right.dropLast() + [right[0]], journal, answer) == false)
    #expect(isRight(right.reversed(), journal, answer) == false)
    #expect(isRight(right + [right[5]], journal, answer) == false)
    #expect(isRight(right, journal, Self.answer) == nil)
  }

  @Test func `a missing row is one stale row`() {
    let difference = compare(Array(right.dropFirst()))
    #expect(difference.missingCount == 1)
    #expect(difference.staleRowsCount == 1)
    #expect(difference.sentences == ["Product p5 is not in the list"])
    #expect(compare([]).staleRowsCount == 5)
  }

  @Test func `an extra or repeated row is one stale row`() {
    let stranger = ListChecker.Row(key: .string("p9"), shown: [.null, .null, .null])
    let difference = compare(right + [stranger, right[0]])
    #expect(difference.extraCount == 2)
    #expect(difference.staleRowsCount == 2)
    #expect(
      difference.sentences == [
        "Product p9 is in the list and should not be", "Product p5 is in the list and appears there already",
      ])
  }

  @Test func `rows with the same sort keys may be in any order, and others may not`() {
    func row(_ number: Int64, _ name: String) -> Answer.Row {
      let product = Catalog.product("p", of: nil, name: name)
      return Answer.Row(key: .storeRow(number), values: product.values, links: product.links)
    }
    let answer = Answer(tables: [
      Answer.Table(rows: []), Answer.Table(rows: [row(1, "a"), row(2, "a"), row(3, "a"), row(4, "b")]),
      Answer.Table(rows: []),
    ])
    let checker = ListChecker(.init(entity: 1, schema: .catalog, answer: answer))
    func misplaced(_ order: [Int64]) -> Int {
      checker.compare(
        order.map { .init(key: .storeRow($0), shown: [.string($0 == 4 ? "b" : "a"), .double(2), .null]) }
      ).misplacedCount
    }
    #expect(misplaced([1, 2, 3, 4]) == 0 && misplaced([3, 1, 2, 4]) == 0)
    #expect(misplaced([3, 4, 1, 2]) == 1)
  }

  @Test func `a moved row is one stale row at any distance`() {
    let difference = compare(Array(right.dropFirst()) + [right[0]])
    #expect(difference.misplacedCount == 1)
    #expect(difference.staleRowsCount == 1)
    #expect(difference.sentences == ["Product p5 is in the wrong place"])
    #expect(compare(right.reversed()).staleRowsCount == 4)
  }

  @Test func `a differing value is one stale row`() {
    var rows = right
    rows[1].shown[2] = .string("old")
    rows[2].shown = [.string("C"), .double(3), .null]
    let difference = compare(rows)
    #expect(difference.differingCount == 2)
    #expect(difference.staleRowsCount == 2)
    #expect(
      difference.sentences == [
        "Product p4 shows note \"old\" and should show \"new\"", "Product p3 shows name \"C\" and should show \"c\"",
      ])
  }

  @Test func `a row that is misplaced and differs counts once`() {
    var rows = right
    rows[0].shown[1] = .double(7)
    rows.append(rows.removeFirst())
    #expect(compare(rows).staleRowsCount == 1)
  }

  @Test func `an excused row is compared without its note`() {
    let excused: Set<RowName> = [RowName(entity: 1, key: .string("p4"))]
    var rows = right
    rows[1].shown[2] = .null
    #expect(compare(rows, excused: excused).staleRowsCount == 0)
    rows[1].shown[0] = .null
    #expect(compare(rows, excused: excused).staleRowsCount == 1)
    #expect(compare(rows, excused: [RowName(entity: 2, key: .string("p4"))]).staleRowsCount == 1)
  }

  @Test func `stale rows fail a report unless they are tolerated`() throws {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    var report = try StoreChecker(schema: .catalog).check(
      storeAt: fixture.file, against: Catalog.answer, journal: EditJournal())
    report.add(compare(right), screen: "screen 0")
    #expect(report.isVerified())
    report.add(compare([]), screen: "screen 1")
    #expect(report.staleRowsCount == 5)
    #expect(!report.isVerified())
    #expect(report.isVerified(tolerating: [.staleRows]))
    #expect(report.complaints().first == "screen 1: Product p5 is not in the list")
  }
}
