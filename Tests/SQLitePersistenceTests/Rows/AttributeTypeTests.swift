import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

/// All types of attributes, each through a store and back.
@Suite struct AttributeTypeTests {
  private static let model = EveryType.make(transformer: ReversingTransformer())

  /// Values of each type in ascending order, with the extremes at the ends. Transformables are given as rows hold them.
  private static let ascending: [AttributeType: [Value]] = [
    .integer16: [Int64(Int16.min), -1, 0, 1, Int64(Int16.max)].map(Value.integer),
    .integer32: [Int64(Int32.min), -1, 0, 1, Int64(Int32.max)].map(Value.integer),
    .integer64: [.min, .min + 1, -1, 0, 1 << 53 + 1, .max].map(Value.integer),
    .decimal: decimals.map { .decimal(Decimal(string: $0) ?? .nan) },
    .double: [-Double.infinity, -1.5, 0, .leastNonzeroMagnitude, 0.1, 1e300, .infinity].map(Value.double),
    .float: [-Float.greatestFiniteMagnitude, -0.1, 0, .leastNonzeroMagnitude, 0.1, .infinity].map {
      .double(Double($0))
    },
    .boolean: [.boolean(false), .boolean(true)],
    .date: [.date(-.infinity), .date(-1), .date(0), .date(700_000_000.123_456)],
    .string: ["", "\0", "\0a", "a", "a\0", "a\0b", "e\u{301}", "\u{e9}", "日本", "👩‍👩‍👧"].map(Value.string),
    .binary: bytes.map { .binary(Data($0)) },
    .transformable: bytes.map { .binary(Data($0)) },
    .uuid: [
      "00000000-0000-0000-0000-000000000000", "7FFFFFFF-0000-0000-0000-000000000001",
      "80000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].compactMap(UUID.init(uuidString:)).map(Value.uuid),
    .uri: ["a/relative?path=1#end", "https://example.org/%C3%A9", "urn:isbn:0451450523"].compactMap(URL.init(string:))
      .map(Value.uri),
  ]

  private static let bytes: [[UInt8]] = [[], [0], [0, 0], [1], Array(repeating: 1, count: 100_000), [0xff]]

  /// Whole numbers, short ones and those of 38 digits, which no number of SQLite can hold, in turns.
  private static let decimals = [
    "-99999999999999999999999999999999999999e127", "-12345678901234567890.5", "-12345678901234567890",
    "-9223372036854775808", "-9007199254740993.1", "-9007199254740993", "-9007199254740992.9", "-0.123", "-0.12",
    "-0.1199999999999999999999999999999999999", "-1e-128", "0", "1e-128",
    "0.1000000000000000055511151231257827021", "0.12", "0.123", "1.1", "9.99", "10", "10.01", "9007199254740992.9",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "12345678901234567890.12345678",
    "99999999999999999999999999999999999999", "1e127",
  ]

  @Test(arguments: AttributeType.allCases)
  func `values and nulls of each type round-trip and sort in SQL as in memory`(type: AttributeType) throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    let entity = Self.model.entity("Sample")
    let slot = entity.path(type.rawValue).slot
    let ascending = try [Value.null] + #require(Self.ascending[type])
    let written = ascending.reversed().map { value in
      var row = [Value](repeating: .null, count: entity.slots.count)
      row[slot] = value
      return row
    }
    try store.insert(entity, written)
    #expect(try store.all(entity).map(\.row.values) == written)
    let sorted = try store.fetch(
      StoreFetchRequest(
        entity: entity, predicate: nil, sortDescriptors: [FetchSortDescriptor(entity.path(type.rawValue))]))
    #expect(sorted.map { $0.row.values[slot] } == ascending)
    #expect(ascending.reversed().sorted(by: Value.isOrderedBefore) == ascending)
    try store.close()
  }

  @Test(arguments: AttributeType.allCases.filter { $0 != .transformable })
  func `values of each type compare in SQL as in memory`(type: AttributeType) throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    let entity = Self.model.entity("Sample")
    let path = entity.path(type.rawValue)
    let ascending = try #require(Self.ascending[type])
    try store.insert(
      entity,
      ascending.map { value in
        var row = [Value](repeating: .null, count: entity.slots.count)
        row[path.slot] = value
        return row
      })
    func found(_ predicate: ContextEngine.FetchPredicate) throws -> [Value] {
      try store.fetch(StoreFetchRequest(entity: entity, predicate: predicate, sortDescriptors: []))
        .map { $0.row.values[path.slot] }
    }
    for (index, value) in ascending.enumerated() {
      #expect(try found(.equal(path, value)) == [value])
      #expect(try found(.comparison(path, .less, value)) == Array(ascending[..<index]))
      #expect(try found(.comparison(path, .greaterOrEqual, value)) == Array(ascending[index...]))
    }
    #expect(try found(.isIn(path, ascending)) == ascending)
    try store.close()
  }

  @Test func `each attribute type has the column type of Core Data`() throws {
    let fixture = try StoreFixture(model: Self.model)
    try fixture.open().close()
    let columns = try PlainDatabase(fixture.path).rows("PRAGMA table_info(ZSAMPLE)").dropFirst(3).map {
      "\($0[1]) \($0[2])"
    }
    #expect(
      columns == [
        "ZBOOLEAN INTEGER", "ZINTEGER16 INTEGER", "ZINTEGER32 INTEGER", "ZINTEGER64 INTEGER", "ZDATE TIMESTAMP",
        "ZDOUBLE FLOAT", "ZFLOAT FLOAT", "ZDECIMAL DECIMAL", "ZSTRING VARCHAR", "ZURI VARCHAR", "ZBINARY BLOB",
        "ZTRANSFORMABLE BLOB", "ZUUID BLOB",
      ])
  }

  // SQLite's numeric affinity would turn the digits into a double, as it does in stores that Core Data writes.
  @Test func `exact decimal numbers are stored as numbers, others as text`() throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    let entity = Self.model.entity("Sample")
    let texts = ["12.50", "100", "9007199254740993.5", "1e20"]
    try store.insert(
      entity,
      texts.map { text in
        var row = [Value](repeating: .null, count: entity.slots.count)
        row[entity.path("decimal").slot] = .decimal(Decimal(string: text) ?? .nan)
        return row
      })
    try store.close()
    let rows = try PlainDatabase(fixture.path).rows("SELECT typeof(ZDECIMAL), ZDECIMAL FROM ZSAMPLE ORDER BY Z_PK")
    #expect(
      rows == [["real", "12.5"], ["integer", "100"], ["text", "=9007199254740993.5"], ["real", "1.0e+20"]])
  }

  @Test(arguments: [
    ("ZUUID", "x'01'", "a blob"), ("ZDECIMAL", "'twelve'", "text"), ("ZBINARY", "1", "an integer"),
    ("ZURI", "x'41'", "a blob"),
  ])
  func `invalid bytes for a type throw an error that names table, column and key`(
    column: String, literal: String, found: String
  ) throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    let entity = Self.model.entity("Sample")
    try store.insert(entity, [[Value](repeating: .null, count: entity.slots.count)])
    try PlainDatabase(fixture.path).rows("UPDATE ZSAMPLE SET \(column) = \(literal)")
    let error = #expect(throws: PersistenceError.self) { try store.all(entity) }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.message.contains("column \(column) of table ZSAMPLE holds \(found) in the row with key 1") == true)
  }
}

/// Makes bytes of lists of numbers.
private struct ReversingTransformer: ContextEngine.ValueTransformer {
  let name = "reversing"

  func transformedValue(_ value: any Hashable & Sendable) -> Data? { (value as? [UInt8]).map { Data($0.reversed()) } }
  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { Array(data.reversed()) }
}
