import Foundation
import Testing
import Workloads

/// A feed that cannot be read is refused with one sentence and its place.
@Suite struct ErrorTests {
  /// Texts in place of a value, as in ` {"v":…}`, each with the sentence and the column of its refusal.
  private static let values: [(text: String, sentence: String, column: Int)] = [
    ("[1,]", "there is a comma before the closing bracket", 10),
    ("[1,2, ]", "there is a comma before the closing bracket", 13),
    ("[,1]", "a value is expected", 8), ("[1,,2]", "a value is expected", 10), ("[,]", "a value is expected", 8),
    ("[1 2]", "a comma or a closing bracket is expected", 10), ("[1}", "a comma or a closing bracket is expected", 9),
    (#"{"a":1,}"#, "there is a comma before the closing brace", 14), ("{,}", "a name in double quotes is expected", 8),
    (#"{"a" 1}"#, "a colon is expected", 12), (#"{"a":}"#, "a value is expected", 12),
    (#"{"a":1 "b":2}"#, "a comma or a closing brace is expected", 14),
    ("{a:1}", "a name in double quotes is expected", 8), ("{'a':1}", "a name in double quotes is expected", 8),
    ("{1:1}", "a name in double quotes is expected", 8), ("'a'", "a value is expected", 7),
    ("01", "a number begins with a superfluous zero", 8), ("-012", "a number begins with a superfluous zero", 9),
    ("1.", "a digit is expected after the decimal point", 9),
    ("1.e5", "a digit is expected after the decimal point", 9), (".5", "a value is expected", 7),
    ("+1", "a value is expected", 7), ("-", "a digit is expected after the minus sign", 8),
    ("--1", "a digit is expected after the minus sign", 8), ("-.5", "a digit is expected after the minus sign", 8),
    ("1e", "a digit is expected in the exponent", 9), ("1e+", "a digit is expected in the exponent", 10),
    ("1.5.2", "a comma or a closing brace is expected", 10), ("0x10", "a comma or a closing brace is expected", 8),
    ("1_000", "a comma or a closing brace is expected", 8), ("NaN", "a value is expected", 7),
    ("Infinity", "a value is expected", 7), ("-Infinity", "a digit is expected after the minus sign", 8),
    ("True", "a value is expected", 7), ("nul", "a value is expected", 7),
    ("nulls", "a comma or a closing brace is expected", 11), ("", "a value is expected", 7),
    ("1 // one", "a comma or a closing brace is expected", 9), ("/* one */ 1", "a value is expected", 7),
    ("\u{a0}1", "a value is expected", 7), ("\u{b}1", "a value is expected", 7),
    ("\"a\tb\"", "a string holds a control character; escape it", 9),
    ("\"a\u{0}b\"", "a string holds a control character; escape it", 9),
    ("\"\u{1f}\"", "a string holds a control character; escape it", 8),
    (#""\x41""#, #"a backslash is followed by none of "\/bfnrtu"#, 9),
    (#""\u12g4""#, #"four hexadecimal digits are expected after \u"#, 12),
    (#""\u+123""#, #"four hexadecimal digits are expected after \u"#, 10),
    (#""\ud800""#, "an escape is half of a surrogate pair", 8),
    (#""a\udc00""#, "an escape is half of a surrogate pair", 9),
    (#""\ud800\ud800""#, "an escape is half of a surrogate pair", 8),
    (#""\udc00\ud800""#, "an escape is half of a surrogate pair", 8),
    (#""\ud800\n""#, "an escape is half of a surrogate pair", 8),
  ]

  @Test(arguments: values.indices)
  func `a value that is not JSON is refused with its column`(_ index: Int) throws {
    let (text, sentence, column) = Self.values[index]
    let message = try feedErrorText("[\n{\"v\":1},\n {\"v\":\(text)}]")
    #expect(message.hasPrefix("feed.json:3: not JSON: \(sentence), column \(column) (in record 1 (the first is 0)"))
    let line = try feedErrorText(" {\"v\":\(text)}", name: "feed.jsonl")
    #expect(line.hasPrefix("feed.jsonl:1: not JSON: \(sentence), column \(column)"))
  }

  @Test(arguments: [
    ("feed.json", #"[{"a":1},]"#, "1: not JSON: there is a comma before the closing bracket, column 10"),
    (
      "feed.json", #"[{"a":1,}]"#,
      "1: not JSON: there is a comma before the closing brace, column 9 (in record 0 (the first is 0))"
    ),
    ("feed.json", #"[{"a":1}],"#, "1: not JSON: there is text after the end of the value, column 10"),
    ("feed.json", "[{\"a\":1}]\n]", "2: not JSON: there is text after the end of the value, column 1"),
    ("feed.json", "[{\"a\":1}]\u{0}", "1: not JSON: there is text after the end of the value, column 10"),
    ("feed.json", "[{\"a\":1} {\"a\":2}]", "1: not JSON: a comma or a closing bracket is expected, column 10"),
    ("feed.json", "[{\"a\":1}", "1: not JSON: the text ends too early"),
    ("feed.json", "[{\"a\":1},", "1: not JSON: the text ends too early (in element 1)"),
    ("feed.json", "[{\"a\":\"b", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    ("feed.json", "[{\"a\":\"\\", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    ("feed.json", "[{\"a\":1.", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    (
      "feed.json", "[{\"a\":{\"b\":[1,\n\"\\u12",
      "2: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\", member \"b\", element 1)"
    ),
    (
      "feed.json", "[{\"a\":\"\\u12",
      "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"
    ),
    ("feed.jsonl", "{\"a\":1},\n{\"a\":2}", "1: not JSON: there is text after the end of the value, column 8"),
    ("feed.jsonl", "{\"a\":1}\n{\"a\":2,}\n", "2: not JSON: there is a comma before the closing brace, column 8"),
    (
      "feed.jsonl", "{\"a\":1}\n{\"a\":2\n{\"a\":3}\n",
      "2: not JSON: the text ends too early; a line must hold a whole object"
    ),
    ("feed.jsonl", "{\"a\":\n1}\n", "1: not JSON: the text ends too early; a line must hold a whole object"),
    ("feed.json", "{\"a\":1}{\"a\":2}", "1: not JSON: there is text after the end of the value, column 8"),
    (
      "feed.geojson", #"{"type":"FeatureCollection","features":[{"id":1},]}"#,
      "1: not JSON: there is a comma before the closing bracket, column 50 (in member \"features\")"
    ),
    (
      "feed.json", #"{"data":{"next":1,"items":[{"id":1}],"next":2}}"#,
      #"1: an object has two members "next", column 38 (in member "data")"#
    ),
    (
      "feed.json", #"[{"a":1},{"a":1,"b":{"c":1,"\u0063":1}}]"#,
      #"1: an object has two members "c", column 28 (in record 1 (the first is 0), member "b")"#
    ),
    (
      "feed.json", #"[{"id":1,"id":1}]"#,
      #"1: an object has two members "id", column 10 (in record 0 (the first is 0))"#
    ),
    ("feed.jsonl", "{\"a\":1}\n{\"id\":1,\"id\":1}", #"2: an object has two members "id", column 9"#),
    (
      "feed.json", #"{"k1":{"a":1},"k2":{"a":1},"k1":{"a":1}}"#,
      #"1: an object has two members "k1", column 28"#
    ),
  ])
  func `invalid JSON around a record is refused`(_ name: String, _ text: String, _ message: String) throws {
    #expect(try feedErrorText(text, name: name) == "\(name):\(message)")
  }

  @Test func `repeated names are found in large objects too`() throws {
    let members = (0..<500).map { "\"n\($0)\":\($0)" }
    for place in [0, 250, 499] {
      let text = "[{\"v\":{\((members + ["\"n\(place)\":0"]).joined(separator: ","))}}]"
      #expect(try feedError(text.utf8).message.hasPrefix("an object has two members \"n\(place)\", column "))
    }
    #expect(try records("[{\"v\":{\(members.joined(separator: ","))}}]").records.count == 1)
  }

  @Test(arguments: [
    ("1e400", "is too large for a double; use at most 1.7976931348623157e+308"),
    ("-1.8e308", "is too large for a double; use at most 1.7976931348623157e+308"),
    ("1e999", "is too large for a double; use at most 1.7976931348623157e+308"),
    ("1e-400", "is too small for a double; use 0 or at least 5e-324"),
    ("-0.001e-330", "is too small for a double; use 0 or at least 5e-324"),
  ])
  func `a number outside the range of doubles is refused`(_ literal: String, _ reason: String) throws {
    #expect(
      try feedErrorText("[{\"v\":\(literal)}]")
        == "feed.json:1: \(literal) \(reason), column 7 (in record 0 (the first is 0), member \"v\")")
  }

  /// Values that are valid JSON but not a feed, with the sentence that says so.
  private static let others: [(text: String, message: String)] = [
    ("3", "the feed is a number; use "), ("\"text\"", "the feed is a string; use "), ("null", "the feed is null; use "),
    ("[1,2]", "record 0 (the first is 0) is a number; every record must be an object"),
    ("[[1],[2]]", "record 0 (the first is 0) is a list; every record must be an object"),
    (#"[{"a":1},null]"#, "record 1 (the first is 0) is null; every record must be an object"),
    (#"{"a":[]}"#, "the feed is one object in which no member holds a list of objects; use "),
    (#"{"items":[],"total":0}"#, "the feed is one object in which no member holds a list of objects; use "),
    ("{}", "the feed is one object without members; use "),
    (#"{"type":"FeatureCollection","items":[{}]}"#, "the FeatureCollection has no list called features"),
    (#"{"type":"FeatureCollection"}"#, "the FeatureCollection has no list called features"),
    (
      #"{"type":"FeatureCollection","features":[null]}"#,
      "record 0 (the first is 0) is null; every record must be an object, column 41"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"properties":1}]}"#,
      #"the member "properties" of record 0 (the first is 0) is a number; use an object"#
    ),
    ("[]", "the feed holds no records; it must hold at least one object"),
    (#"{"type":"FeatureCollection","features":[]}"#, "the feed holds no records; it must hold at least one object"),
    ("", "the feed is empty; it must hold at least one object"),
    (" \n\t\r\n", "the feed is empty; it must hold at least one object"),
    ("\u{feff}", "the feed is empty; it must hold at least one object"),
  ]

  @Test(arguments: others.indices)
  func `JSON that is no feed is refused with one sentence`(_ index: Int) throws {
    let error = try feedError(Self.others[index].text.utf8)
    #expect(error.message.hasPrefix(Self.others[index].message))
    #expect(!error.description.contains("\n"))
    #expect([.shape, .empty].contains(error.code))
  }

  @Test func `a line that is no object is refused`() throws {
    #expect(
      try feedErrorText("{\"a\":1}\n[1]", name: "feed.ndjson")
        == "feed.ndjson:2: the line is a list; every line must be an object, column 1")
  }

  @Test func `a shape that the feed does not have is refused`() throws {
    let shape = FeedShape(.list, path: ["data", "items"])
    #expect(
      try feedErrorText(#"{"data":{"rows":[]}}"#, shape: shape)
        == #"feed.json: the value at "data" has no member "items"; the records were expected as a list at data.items"#)
    #expect(
      try feedErrorText(#"{"data":[1]}"#, shape: shape)
        == #"feed.json:1: the value at "data" is a list, not an object; the records were expected as a list at "#
        + "data.items, column 9")
    #expect(
      try feedErrorText(#"{"data":{"items":7}}"#, shape: shape).hasPrefix(
        #"feed.json:1: the value at "data.items" is a number, not a list; "#))
  }

  // MARK: Encodings

  @Test func `text that is not UTF-8 is refused`() throws {
    let wide = "the feed is not UTF-8 but UTF-16 or UTF-32; use UTF-8"
    let texts: [[UInt8]] = [
      [0xff, 0xfe, 0x5b, 0], [0xfe, 0xff, 0, 0x5b], [0xff, 0xfe, 0, 0, 0x5b, 0, 0, 0],
      [0, 0, 0xfe, 0xff, 0, 0, 0, 0x5b],
      [0x5b, 0, 0x5d, 0], [0, 0x5b, 0, 0x5d],
    ]
    for bytes in texts { #expect(try feedError(bytes).message == wide) }
  }

  @Test(arguments: [
    [0xe9], [0x80], [0xc0, 0xaf], [0xc1, 0x81], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xc3, 0x28], [0xff],
  ])
  func `a string that is not UTF-8 is refused`(_ bytes: [UInt8]) throws {
    for start in ["é12345678", #"\n"#] {
      let value = try feedError(Array(#"[{"v":"\#(start)"#.utf8) + bytes + Array(#""}]"#.utf8))
      #expect(value.message == #"not JSON: a string is not UTF-8, column 7 (in record 0 (the first is 0), member "v")"#)
    }
    let name = try feedError(Array(#"[{""#.utf8) + bytes + Array(#"":1}]"#.utf8))
    #expect(name.message == "not JSON: a string is not UTF-8, column 3 (in record 0 (the first is 0))")
  }

  // MARK: Files

  @Test func `a file that cannot be read twice is refused`() throws {
    try withFile([]) { path in
      let folder = path.dropLast("feed.json".count)
      let pipe = "\(folder)pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      for (path, reason) in [
        (pipe, "it is a pipe, which cannot be read twice; write it to a file first"),
        ("\(folder)", "it is a folder"), ("/dev/null", "it is a device or a socket; use a file"),
        ("\(folder)missing.json", "there is no such file"), ("\(path)/feed.json", "Not a directory"),
      ] {
        let error = #expect(throws: FeedError.self) { try FeedReader(path: path) }
        #expect(error?.description == "\(path): the feed cannot be read: \(reason)")
        #expect(error?.code == .unreadable)
      }
    }
  }

  @Test func `a file without permission is refused`() throws {
    guard geteuid() != 0 else { return }
    try withFile("[]".utf8) { path in
      #expect(chmod(path, 0) == 0)
      let error = #expect(throws: FeedError.self) { try FeedReader(path: path) }
      #expect(error?.message == "the feed cannot be read: permission is denied")
    }
  }
}
