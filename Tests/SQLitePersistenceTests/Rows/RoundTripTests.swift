import ContextEngine
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct RoundTripTests {
  private static let extremes: [(slot: String, values: [Value])] = [
    (
      "title",
      [
        .string(""), .string("a"), .string("fifteen bytes !"), .string("sixteen bytes !!"), .string("Привет, мир"),
        .string("naïve 日本 👩‍👩‍👧"), .string("before\0after"), .string("\0"), .string(String(repeating: "é", count: 100_000)),
      ]
    ),
    ("pages", [.integer(0), .integer(-1), .integer(.min), .integer(.max), .integer(1 << 53 + 1)]),
    ("isLent", [.boolean(true), .boolean(false)]),
    (
      "price",
      [
        .double(0), .double(-0.0), .double(1), .double(-1.5), .double(.leastNonzeroMagnitude), .double(.infinity),
        .double(.greatestFiniteMagnitude), .double(0.1), .double(1e300), .double(9_007_199_254_740_992),
      ]
    ),
    ("printed", [.date(0), .date(-1), .date(700_000_000), .date(700_000_000.123_456), .date(-.infinity)]),
    ("author", [.object(ObjectID(entity: 0, key: 1)), .object(ObjectID(entity: 0, key: .max))]),
  ]

  @Test func `extreme values and nulls of every type round-trip`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var rows: [[Value]] = [Bookshop.row()]
    for (slot, values) in Self.extremes {
      for value in values {
        var row = Bookshop.row()
        row[store.book.path(slot).slot] = value
        rows.append(row)
      }
    }
    let objectIDs = try store.insert(store.book, rows)
    #expect(try store.all(store.book).map(\.row.values) == rows)
    #expect(try store.rows(of: store.book, keys: objectIDs.map(\.key), slots: .all).map(\.row.values) == rows)
    for (objectID, row) in zip(objectIDs, rows) {
      #expect(try store.row(for: objectID)?.values == row)
    }
    try store.close()
  }

  @Test func `strings keep their bytes even if Swift compares them as equal`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(store.author, [[.string("\u{e9}")], [.string("e\u{301}")]])
    let bytes = try store.all(store.author).map { stored in
      if case .string(let text) = stored.row.values[0] { Array(text.utf8) } else { [UInt8]() }
    }
    #expect(bytes == [[0xc3, 0xa9], [0x65, 0xcc, 0x81]])
  }

  @Test func `negative zero is read back as zero, and NaN as null`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(
      store.book, [Bookshop.row(price: .double(-0.0), printed: .date(-0.0)), Bookshop.row(price: .double(.nan))])
    let rows = try store.all(store.book).map(\.row.values)
    guard case .double(let price) = rows[0][3], case .date(let printed) = rows[0][4] else {
      Issue.record("\(rows[0])")
      return
    }
    #expect(price.sign == .plus)
    #expect(printed.sign == .plus)
    #expect(rows[0] == Bookshop.row(price: .double(-0.0), printed: .date(-0.0)))
    #expect(rows[1][3] == .null)
  }

  @Test func `a partial row contains the requested slots only`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let objectID = try store.insert(
      store.book, [Bookshop.row(title: .string("T"), pages: .integer(7), price: .double(2))])[
        0]
    let slots: SlotSet = [1, 3]
    let request = StoreFetchRequest(entity: store.book, predicate: nil, sortDescriptors: [], slots: slots)
    for row in [
      try store.fetch(request)[0].row, try store.rows(of: store.book, keys: [objectID.key], slots: slots)[0].row,
    ] {
      #expect(row.values == Bookshop.row(pages: .integer(7), price: .double(2)))
      #expect(row.slots == slots)
      #expect(row.version == 1)
    }
  }

  @Test func `a row is whole if every slot was requested`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(store.book, [Bookshop.row(title: .string("T"))])
    let request = StoreFetchRequest(entity: store.book, predicate: nil, sortDescriptors: [], slots: SlotSet(0..<6))
    #expect(try store.fetch(request)[0].row.isWhole)
  }

  @Test(
    arguments: [
      ("ZTITLE", "x'4142'", "a blob"), ("ZPAGES", "'many'", "text"), ("ZPAGES", "1.5", "a floating-point number"),
      ("ZPRICE", "'dear'", "text"), ("ZAUTHOR", "0.5", "a floating-point number"), ("ZISLENT", "x'01'", "a blob"),
    ])
  func `a mistyped value in a column throws an error with table, column and key`(
    column: String, literal: String, found: String
  ) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    let objectIDs = try store.insert(store.book, [Bookshop.row(), Bookshop.row()])
    try PlainDatabase(fixture.path).rows("UPDATE ZBOOK SET \(column) = \(literal) WHERE Z_PK = 2")
    let errors = [
      #expect(throws: PersistenceError.self) { try store.all(store.book) },
      #expect(throws: PersistenceError.self) { try store.row(for: objectIDs[1]) },
    ]
    for error in errors {
      #expect(error?.code == .storeIncompatible)
      #expect(error?.message.contains("column \(column) of table ZBOOK holds \(found) in the row with key 2") == true)
      #expect(error?.objectIDs == [objectIDs[1]])
    }
    #expect(store.busyStatementCount == 0)
    #expect(try store.row(for: objectIDs[0]) != nil)
  }
}
