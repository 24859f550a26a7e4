import Foundation
import Testing
import Workloads

/// Text that RFC 8259 does not allow is refused with the place, and text that it allows is read.
@Suite struct FeedSyntaxTests {
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
    let message = try feedError("[\n{\"v\":1},\n {\"v\":\(text)}]")
    #expect(message.hasPrefix("feed.json:3: not JSON: \(sentence), column \(column) (in record 1 (the first is 0)"))
    let line = try feedError(" {\"v\":\(text)}", name: "feed.jsonl")
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
    ("feed.json", "[{\"a\":1}", "1: not JSON: the text ends too early"),
    ("feed.json", "[{\"a\":\"b", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    ("feed.json", "[{\"a\":\"\\", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    ("feed.json", "[{\"a\":1.", "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"),
    (
      "feed.json", "[{\"a\":\"\\u12",
      "1: not JSON: the text ends too early (in record 0 (the first is 0), member \"a\")"
    ),
    ("feed.jsonl", "{\"a\":1},\n{\"a\":2}", "1: not JSON: there is text after the end of the value, column 8"),
    ("feed.jsonl", "{\"a\":1}\n{\"a\":2,}\n", "2: not JSON: there is a comma before the closing brace, column 8"),
    (
      "feed.geojson", #"{"type":"FeatureCollection","features":[{"id":1},]}"#,
      "1: not JSON: there is a comma before the closing bracket, column 50 (in member \"features\")"
    ),
  ])
  func `invalid JSON around a record is refused`(_ name: String, _ text: String, _ message: String) throws {
    #expect(try feedError(text, name: name) == "\(name):\(message)")
  }

  @Test func `two members with the same name are refused`() throws {
    #expect(
      try feedError(#"[{"a":1},{"a":1,"b":{"c":1,"\u0063":1}}]"#)
        == #"feed.json:1: an object has two members "c", column 28 (in record 1 (the first is 0), member "b")"#)
    #expect(
      try feedError("{\"a\":1}\n{\"id\":1,\"id\":1}", name: "feed.jsonl")
        == #"feed.jsonl:2: an object has two members "id", column 9"#)
  }

  @Test func `nesting deeper than 512 levels is refused`() throws {
    func nested(_ depth: Int) -> String {
      "[{\"v\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}]"
    }
    try withFeed(nested(510)) { #expect($0.options.rows == 1) }
    for depth in [511, 100_000] {
      #expect(
        try feedError(nested(depth)).hasPrefix(
          "feed.json:1: lists and objects are nested more than 512 deep, column 517 (in record 0 (the first is 0), member \"v\""
        ))
    }
    #expect(try feedError(String(repeating: #"{"a":"#, count: 100_000)).contains("more than 512 deep"))
  }

  /// Texts of which a part is not UTF-8, with the message of their refusal.
  private static let otherEncodings: [(parts: [[UInt8]], message: String)] = [
    ([[0xff, 0xfe, 0x5b, 0]], ": the feed is not UTF-8 but UTF-16 or UTF-32; use UTF-8"),
    ([[0xfe, 0xff, 0, 0x5b]], ": the feed is not UTF-8 but UTF-16 or UTF-32; use UTF-8"),
    (
      [Array(#"[{"v":""#.utf8), [0xe9], Array(#""}]"#.utf8)],
      #":1: not JSON: a string is not UTF-8, column 7 (in record 0 (the first is 0), member "v")"#
    ),
    (
      [Array(#"[{"v":"\n"#.utf8), [0xed, 0xa0, 0x80], Array(#""}]"#.utf8)],
      #":1: not JSON: a string is not UTF-8, column 7 (in record 0 (the first is 0), member "v")"#
    ),
    (
      [Array(#"[{""#.utf8), [0xc0, 0xaf], Array(#"":1}]"#.utf8)],
      ":1: not JSON: a string is not UTF-8, column 3 (in record 0 (the first is 0))"
    ),
  ]

  @Test(arguments: otherEncodings.indices)
  func `text that is not UTF-8 is refused`(_ index: Int) throws {
    let (parts, message) = Self.otherEncodings[index]
    #expect(try feedError(Data(parts.joined())) == "feed.json\(message)")
  }

  @Test func `whitespace and every kind of value are read`() throws {
    let text = "\r\n\t [ {\"a\" : [ ] , \"b\":{ }\t,\"c\":[ 1 , -0 , 1e5 , 2E-1, true,false , null ]\r}\n]  \n"
    try withFeed(text) { archive in
      let row = try #require(try archive.answer().tables[0].rows.first)
      #expect(row.values.prefix(3) == [.string("[]"), .string("{}"), .string("[1,0,100000.0,0.2,true,false,null]")])
    }
  }
}
