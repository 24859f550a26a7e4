import Foundation
import MachineCore
import Testing
import Workloads

/// The window through which a file is read, with different sizes.
@Suite struct WindowTests {
  private static let feeds: [(text: String, name: String)] = [
    (
      #"""
       [ {"id" : 1, "a\u00e9\ud83d\ude00" : "tr\"ue\\ é日本😀" , "n":[true,false,null,-12.5e+3,0,{}],"o":{"x":-1}},
      {"id":12345678901234567890,"b":"","n":[[[]]],"long":"plain text that is longer than sixteen bytes"} ]
      """#, "feed.json"
    ),
    ("{\"a\":1,\"t\":true}\r\n\n{\"a\":-0.25}\n \t{\"a\":\"é\\n\"}", "feed.jsonl"),
    (#"{"meta":{"a":[1,"x",{"y":null}]},"data":{"items":[{"a":1},{"b":[2.5]}],"n":12},"z":false}"#, "feed.json"),
    (#"{ "k\n1" : {"a":1,"b":"x"} ,"k2":{"a":2,"b":"é"}, "k3":{"b":null,"a":[]}}"#, "feed.json"),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"m":1.5}}],"bbox":[1,2]}"#,
      "feed.geojson"
    ),
  ]

  @Test(arguments: feeds.indices)
  func `a window of any size gives the same records`(_ index: Int) throws {
    let (text, name) = Self.feeds[index]
    let expected = try records(text, name: name)
    #expect(!expected.records.isEmpty)
    for size in 1...text.utf8.count + 1 {
      let found = try records(text, name: name, limits: FeedLimits(windowBytes: size))
      #expect(found.shape == expected.shape, "\(size)")
      #expect(found.records == expected.records, "\(size)")
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }

  @Test(arguments: feeds.indices)
  func `a feed that ends at any byte is refused as truncated`(_ index: Int) throws {
    let (text, name) = Self.feeds[index]
    let bytes = Array(text.utf8)
    let shape = try records(text, name: name).shape
    var ends = bytes.count
    while Self.isSpace(bytes[ends - 1]) { ends -= 1 }
    for count in 1..<ends where bytes[..<count].contains(where: { !Self.isSpace($0) }) {
      let head = bytes[..<count]
      // The first lines of a feed are a complete feed themselves.
      if shape.container == .lines, head.last(where: { !Self.isSpace($0) }) == UInt8(ascii: "}") { continue }
      let error = try feedError(head, name: name, shape: shape)
      #expect(error.message.hasPrefix("not JSON: the text ends too early"), "\(count): \(error)")
      #expect(error.line == 1 + head.count { $0 == UInt8(ascii: "\n") })
      #expect(error.column == nil)
    }
  }

  @Test func `errors have the same place with a window of any size`() throws {
    let texts = [
      "[{\"a\":1},\n{\"é\":\"日本\",\"b\":tru}]", "[\n\n{\"a\":1},{\"a\":[1,2,{\"b\":01}]}]", "[{\"a\":\"\u{1}\"}]",
      #"[{"a":1,"b":{"c":1,"c":2}}]"#, #"[{"a":1},{"b":1,"a":2,"b":3}]"#, "[{\"a\":1e999}]", "[{\"a\":1}] x",
    ]
    for text in texts {
      let expected = try feedError(text.utf8)
      for size in 1...text.utf8.count + 1 {
        #expect(try feedError(text.utf8, limits: FeedLimits(windowBytes: size)) == expected, "\(size)")
      }
    }
  }

  @Test func `random documents are the same through a small window`() throws {
    var documents = RandomDocument(seed: 9)
    for size in [1, 2, 3, 7, 16, 64, 200] {
      for _ in 0..<10 {
        let text = documents.feed()
        let shape = FeedShape(.list)
        #expect(
          try records(text, shape: shape, limits: FeedLimits(windowBytes: size)).records
            == records(text, shape: shape).records)
      }
    }
  }

  @Test func `lines and columns are counted as in a simple count`() {
    var random = SeededRandom(seed: 5, stream: "places of a text")
    let pieces = Array("a\né日😀 \n\n".unicodeScalars).map { Array(String($0).utf8) }
    for _ in 0..<200 {
      let bytes = (0..<random.below(3_000)).flatMap { _ in pieces[random.below(pieces.count)] }
      var counter = LineCounter()
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + 1 + random.below(700))
        bytes[place..<end].withUnsafeBufferPointer { counter.advance(over: $0) }
        place = end
        let lines = bytes[..<place].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(counter.line == lines.count)
        #expect(counter.characterCount == lines.last?.count { !UTF8.isContinuation($0) })
        #expect(counter.offset == place)
      }
    }
  }

  @Test func `UTF-8 is accepted exactly if the standard library accepts it`() {
    var random = SeededRandom(seed: 6, stream: "bytes")
    let bytes: [UInt8] = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf1, 0xf4, 0xf5,
    ]
    for _ in 0..<50_000 {
      let text = (0..<1 + random.below(20)).map { _ in random.below(3) == 0 ? 0x41 : bytes[random.below(bytes.count)] }
      let isValid = String(validating: text, as: UTF8.self) != nil
      #expect(text.withUnsafeBufferPointer { UTF8Check.isValid($0.baseAddress!, count: $0.count) } == isValid)
    }
  }
}
