import Foundation
import MachineCore
import Testing
import Workloads

/// The values of records, compared with the values that other parsers make of the same text.
@Suite struct ValueTests {
  /// Reads one value through a feed of `{"v":…}`.
  private func value(_ literal: String) throws -> KeptValue? {
    try records("[{\"v\":\(literal)}]").records.first?["v"]
  }

  // MARK: Random documents

  @Test(arguments: 1...8)
  func `random documents have the values that Foundation reads`(_ seed: Int) throws {
    var documents = RandomDocument(seed: UInt64(seed))
    for _ in 0..<60 {
      let text = documents.feed()
      let expected = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      let found = try records(text, shape: FeedShape(.list)).records
      #expect(found.count == expected.count)
      for (record, object) in zip(found, expected) {
        #expect(record.names.count == object.count)
        for (name, value) in zip(record.names, record.values) where !areEqual(value, object[name]) {
          Issue.record("\(name) is \(value), and Foundation reads \(object[name] ?? "nothing")")
        }
      }
    }
  }

  private func areEqual(_ kept: KeptValue, _ value: Any?) -> Bool {
    switch kept {
    case .null: value is NSNull
    case .boolean(let boolean): (value as? NSNumber)?.boolValue == boolean
    case .integer(let integer): (value as? NSNumber)?.int64Value == integer
    case .largeInteger(let text): (value as? NSNumber)?.doubleValue == Double(text)
    case .double(let double):
      // Foundation reads decimals through decimal arithmetic, whose doubles may be off by the last digits. Another test
      // checks that doubles are read exactly.
      (value as? NSNumber).map { abs($0.doubleValue - double) <= abs(double) * 1e-14 } ?? false
    case .string(let string): (value as? String).map { Array($0.utf8) == Array(string.utf8) } ?? false
    case .list(let list):
      (value as? [Any]).map { other in list.count == other.count && zip(list, other).allSatisfy(areEqual) } ?? false
    case .object(let object):
      (value as? [String: Any]).map { other in
        object.count == other.count && object.allSatisfy { areEqual($0.value, other[$0.key]) }
      } ?? false
    }
  }

  @Test(arguments: [
    (#"{"$oid":"a1"}"#, KeptValue.string("a1")), (#"{"$uuid":"u"}"#, "u"), (#"{"$date":"2020-01-01"}"#, "2020-01-01"),
    (#"{"$date":{"$numberLong":"1400000000000"}}"#, 1_400_000_000_000), (#"{"$date":5}"#, 5),
    (#"{"$numberInt":"-42"}"#, -42), (#"{"$numberInt":7}"#, 7),
    (#"{"$numberLong":"9223372036854775808"}"#, .largeInteger("9223372036854775808")),
    (#"{"$numberDouble":"1.5e3"}"#, .double(1_500)), (#"{"$numberDouble":"2"}"#, .double(2)),
    (#"{"$numberDouble":"NaN"}"#, "NaN"), (#"{"$numberDouble":"1e999"}"#, "1e999"), (#"{"$numberInt":"007"}"#, "007"),
    (#"{"$numberDecimal":"12.25"}"#, .double(12.25)), (#"{"$binary":{"base64":"AQI=","subType":"00"}}"#, "AQI="),
    (#"{"$undefined":true}"#, .null), (#"{"$other":1}"#, .object(["$other": 1])),
    (#"{"$oid":"a","x":1}"#, .object(["$oid": "a", "x": 1])), (#"{"$oid":5}"#, .object(["$oid": 5])),
    (#"{"$date":[{"$oid":"a"}]}"#, .object(["$date": .list(["a"])])),
  ])
  func `objects in which a dump of MongoDB wraps values are read as these`(
    _ literal: String, _ value: KeptValue
  ) throws {
    #expect(try self.value(literal) == value)
  }

  // MARK: Numbers

  @Test func `doubles are read as strtod reads them`() throws {
    var random = SeededRandom(seed: 2, stream: "decimals of a feed")
    var literals = [
      "9007199254740993.0", "9007199254740993.00000000000000000000000000000000001",
      "1.00000000000000011102230246251565",
      "1.000000000000000111022302462515654042363166809082031249", "0.1e1", "1E+2", "-1.5e-3", "2.4703282292062328e-324",
      "179769313486231570000000000000000000000.0", "0e999", "-0.0", "0.000", "-0e-999", "1e22", "1e23", "1e-22",
      "123456789012345678901234567890.5e-20", "0.0000000000000000000000000000000000001e37",
    ]
    for _ in 0..<3_000 {
      let digits = (0..<1 + random.below(40)).map { _ in "\(random.below(10))" }.joined()
      literals.append("\(random.below(10)).\(digits)e\(random.below(600) - 300)")
      literals.append("\(random.below(10_000)).\(digits.prefix(1 + random.below(14)))")
    }
    for _ in 0..<2_000 {
      let double = Double(bitPattern: random.next())
      if double.isFinite { literals.append(double.description) }
    }
    let found = try records("[\(literals.map { "{\"v\":\($0)}" }.joined(separator: ","))]").records
    for (record, literal) in zip(found, literals) where literal.contains(where: { ".eE".contains($0) }) {
      guard case .double(let double) = record["v"] else { throw FeedError(.value, literal, path: "") }
      #expect(double.bitPattern == strtod(literal, nil).bitPattern, "\(literal)")
    }
    #expect(found.count == literals.count)
  }

  @Test func `integers of 64 bits keep every bit and larger ones keep their text`() throws {
    var random = SeededRandom(seed: 3, stream: "integers of a feed")
    let integers: [Int64] =
      [.min, .min + 1, -9_007_199_254_740_993, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max]
      + (0..<1_000).map { _ in Int64(bitPattern: random.next()) >> random.below(64) }
    let found = try records("[\(integers.map { "{\"v\":\($0)}" }.joined(separator: ","))]").records
    #expect(found.map { $0["v"] } == integers.map(KeptValue.integer))
    for text in [
      "-9223372036854775809", "9223372036854775808", "18446744073709551616", "1" + String(repeating: "0", count: 400),
    ] {
      #expect(try value(text) == .largeInteger(text))
    }
    #expect(try value("-0") == 0)
  }

  @Test func `a decimal keeps its text`() throws {
    try withFile(#"[{"v":1.10},{"v":0.1e0001}]"#.utf8) { path in
      var texts: [String] = []
      try FeedReader(path: path).forEachRecord { record throws(FeedError) in
        if case .decimal(let number) = record["v"] { texts.append(number.text) }
      }
      #expect(texts == ["1.10", "0.1e0001"])
    }
  }

  // MARK: Strings

  /// Strings as they are in a feed, with their UTF-8 bytes.
  private static let strings: [(literal: String, bytes: [UInt8])] = [
    ("\u{feff}a", [0xef, 0xbb, 0xbf, 0x61]), (#"\uFEFFa"#, [0xef, 0xbb, 0xbf, 0x61]),
    ("\u{fffe}\u{2028}\u{7f}", Array("\u{fffe}\u{2028}\u{7f}".utf8)), ("\u{e9}", [0xc3, 0xa9]),
    ("e\u{301}", [0x65, 0xcc, 0x81]), (#"\u00e9"#, [0xc3, 0xa9]), (#"\ud83d\uDE00"#, [0xf0, 0x9f, 0x98, 0x80]),
    (#"\uD800\uDC00"#, [0xf0, 0x90, 0x80, 0x80]), (#"\udbff\udfff"#, [0xf4, 0x8f, 0xbf, 0xbf]),
    (#"\u0000a"#, [0, 0x61]),
    (#"\"\\\/\b\f\n\r\t"#, [0x22, 0x5c, 0x2f, 8, 12, 10, 13, 9]), ("", []), (#"x\ty\tz"#, Array("x\ty\tz".utf8)),
  ]

  @Test(arguments: strings.indices)
  func `strings and names keep every byte`(_ index: Int) throws {
    let (literal, bytes) = Self.strings[index]
    for padding in 0..<10 {
      let text = String(repeating: "x", count: padding) + literal
      let expected = Array(repeating: UInt8(ascii: "x"), count: padding) + bytes
      guard case .string(let string) = try value("\"\(text)\"") else { throw FeedError(.value, literal, path: "") }
      #expect(Array(string.utf8) == expected)
      let names = try records("[{\"\(text)\":1},{\"\(text)\":2}]").records.flatMap(\.names)
      #expect(names.map { Array($0.utf8) } == [expected, expected])
    }
  }

  @Test func `names are distinguished by their bytes`() throws {
    let record = try #require(try records("[{\"é\":1,\"e\u{301}\":2,\"v\":{\"é\":1,\"e\u{301}\":2}}]").records.first)
    #expect(record.values.prefix(2) == [1, 2])
    try withFile("[{\"e\u{301}\":2,\"é\":1}]".utf8) { path in
      let reader = try FeedReader(path: path)
      let record = try #require(try reader.next())
      #expect(record["é"].map(KeptValue.init) == 1)
      let member = try #require(reader.memberID(of: "e\u{301}"))
      #expect(record[member].map(KeptValue.init) == 2)
      #expect(reader.name(of: member).utf8.count == 3)
      #expect(record["x"] == nil)
    }
  }

  @Test func `members are found in any order and if some are missing`() throws {
    var random = SeededRandom(seed: 4, stream: "orders of members")
    var expected: [[String: KeptValue]] = []
    let text = (0..<500).map { _ in
      let names = (0..<30).filter { _ in random.below(4) > 0 }.map { "member\($0)" }.shuffled(using: &random)
      let object = Dictionary(uniqueKeysWithValues: names.map { ($0, KeptValue.integer(Int64(random.below(1_000)))) })
      expected.append(object)
      return "{"
        + names.map { name in
          guard case .integer(let value)? = object[name] else { return "" }
          return "\"\(name)\":\(value)"
        }.joined(separator: ",") + "}"
    }.joined(separator: "\n")
    try withFile(text.utf8, name: "feed.jsonl") { path in
      let reader = try FeedReader(path: path)
      let members = try (0..<30).map { try #require(reader.memberID(of: "member\($0)")) }
      try reader.forEachRecord { record throws(FeedError) in
        for (index, member) in members.enumerated() {
          #expect(record[member].map(KeptValue.init) == expected[record.index]["member\(index)"])
        }
      }
    }
  }

  @Test func `nested values can be read more than once`() throws {
    try withFile(#"[{"a":{"b":[1,{"c":[]},[2,[3]]],"d":null}}]"#.utf8) { path in
      let record = try #require(try FeedReader(path: path).next())
      guard case .object(let object)? = record["a"], case .list(let list)? = object["b"] else {
        throw FeedError(.value, "no object", path: path)
      }
      for _ in 0..<2 {
        #expect(list.map(KeptValue.init) == [1, .object(["c": .list([])]), .list([2, .list([3])])])
        #expect(object.map { $0.name.string } == ["b", "d"])
      }
      #expect(object["e"] == nil)
      #expect(record.depth == 5)
    }
  }
}
