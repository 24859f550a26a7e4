import Foundation
import MachineCore
import Testing
import Workloads

/// The values of a feed, compared with the values that other parsers make of the same text.
@Suite struct FeedValueTests {
  /// Random finite doubles of all magnitudes, and the extremes.
  private static let doubles: [Double] = {
    var random = SeededRandom(seed: 1, stream: "doubles of a feed")
    var doubles: [Double] = [
      0.9732522570430618, 0.1, 1e23, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -0.5,
      9_007_199_254_740_993.5,
    ]
    while doubles.count < 2_500 {
      let double = Double(bitPattern: random.next())
      if double.isFinite { doubles.append(double) }
    }
    while doubles.count < 5_000 { doubles.append(Double(random.next() >> 11) * 0x1p-53) }
    return doubles
  }()

  /// Returns the values of a feed of `{"v":…}`, as the answer has them and as payloads decode to them.
  private func values(_ literals: [String]) throws -> (answer: [FieldValue], decoded: [FieldValue]) {
    let text = literals.map { "{\"v\":\($0)}" }.joined(separator: "\n")
    return try withFeed(text, name: "feed.jsonl", batchSize: 1_000) { archive in
      let place = try #require(archive.schema.entities[0].attributes.firstIndex { $0.member == "v" })
      return (
        try archive.answer().tables[0].rows.map { $0.values[place] },
        try archive.decodedPayloads().flatMap { $0 }.map { $0.values[place] }
      )
    }
  }

  @Test func `doubles in their shortest form keep every bit`() throws {
    let found = try values(Self.doubles.map(\.description))
    let expected = Self.doubles.map(\.bitPattern)
    #expect(found.answer.map(\.bitPattern) == expected)
    #expect(found.decoded.map(\.bitPattern) == expected)
  }

  @Test func `a long decimal is read as the double that strtod returns`() throws {
    var random = SeededRandom(seed: 2, stream: "decimals of a feed")
    var literals = [
      // These values lie halfway between two doubles, or near that point.
      "9007199254740993.0", "9007199254740993.00000000000000000000000000000000001",
      "1.00000000000000011102230246251565",
      "1.000000000000000111022302462515654042363166809082031249", "0.1e1", "1E+2", "-1.5e-3",
      "2.4703282292062328e-324", "179769313486231570000000000000000000000.0",
    ]
    for _ in 0..<2_000 {
      let digits = (0..<1 + random.below(40)).map { _ in "\(random.below(10))" }.joined()
      literals.append("\(random.below(10)).\(digits)e\(random.below(600) - 300)")
    }
    let found = try values(literals)
    let expected = literals.map { strtod($0, nil).bitPattern }
    #expect(found.answer.map(\.bitPattern) == expected)
    #expect(found.decoded.map(\.bitPattern) == expected)
  }

  @Test func `integers of 64 bits keep every bit`() throws {
    var random = SeededRandom(seed: 3, stream: "integers of a feed")
    let integers: [Int64] =
      [.min, .min + 1, -9_007_199_254_740_993, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max]
      + (0..<1_000).map { _ in Int64(bitPattern: random.next()) }
    let found = try values(integers.map(\.description))
    #expect(found.answer == integers.map(FieldValue.integer))
    #expect(found.decoded == found.answer)
  }

  @Test(arguments: [
    "-9223372036854775809", "9223372036854775808", "18446744073709551616",
    "-1000000000000000000000000000000000000000000000000000000000000000000000",
  ])
  func `an integer with more than 64 bits is a string of its digits`(_ literal: String) throws {
    #expect(try values(["1", literal]).answer == [.string("1"), .string(literal)])
    #expect(try values(["[[\(literal)]]"]).decoded == [.string("[[\(literal)]]")])
  }

  @Test func `a zero with any exponent is 0`() throws {
    #expect(
      try values(["0e999", "-0.0", "0.000", "0.5"]).answer == [.double(0), .double(0), .double(0), .double(0.5)])
  }

  @Test func `numbers that no double holds are strings of their digits`() throws {
    #expect(try values(["0.5", "9007199254740993"]).answer == [.string("0.5"), .string("9007199254740993")])
    #expect(try values(["0.5", "9007199254740992"]).answer == [.double(0.5), .double(9_007_199_254_740_992)])
  }

  /// Strings as they are in a feed, with their UTF-8 bytes.
  private static let strings: [(literal: String, bytes: [UInt8])] = [
    ("\u{feff}a", [0xef, 0xbb, 0xbf, 0x61]), (#"\uFEFFa"#, [0xef, 0xbb, 0xbf, 0x61]),
    ("a\u{feff}", [0x61, 0xef, 0xbb, 0xbf]), ("\u{fffe}\u{2028}\u{7f}", Array("\u{fffe}\u{2028}\u{7f}".utf8)),
    ("\u{e9}", [0xc3, 0xa9]), ("e\u{301}", [0x65, 0xcc, 0x81]), (#"\u00e9"#, [0xc3, 0xa9]),
    (#"\ud83d\uDE00"#, [0xf0, 0x9f, 0x98, 0x80]), (#"\uD800\uDC00"#, [0xf0, 0x90, 0x80, 0x80]),
    (#"\udbff\udfff"#, [0xf4, 0x8f, 0xbf, 0xbf]), (#"\u0000a"#, [0, 0x61]),
    (#"\"\\\/\b\f\n\r\t"#, [0x22, 0x5c, 0x2f, 8, 12, 10, 13, 9]), ("", []), (#"x\ty\tz"#, Array("x\ty\tz".utf8)),
  ]

  @Test func `strings keep every byte`() throws {
    let found = try values(Self.strings.map { "\"\($0.literal)\"" })
    #expect(found.answer.map(\.bytes) == Self.strings.map(\.bytes))
    #expect(found.decoded.map(\.bytes) == Self.strings.map(\.bytes))
  }

  @Test func `nested values keep their numbers and strings`() throws {
    let found = try values([#"[0,{"b":[-9223372036854775808,0.9732522570430618],"a":"\uFEFF"}]"#])
    #expect(
      found.answer == [.string("[0,{\"a\":\"\u{feff}\",\"b\":[-9223372036854775808,0.9732522570430618]}]")])
    #expect(found.decoded == found.answer)
  }
}

extension FieldValue {
  fileprivate var bitPattern: UInt64? {
    if case .double(let value) = self { value.bitPattern } else { nil }
  }

  fileprivate var bytes: [UInt8]? {
    if case .string(let text) = self { Array(text.utf8) } else { nil }
  }
}
