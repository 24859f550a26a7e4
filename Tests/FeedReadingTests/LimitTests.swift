import MachineCore
import Testing
import Workloads

/// Hostile feeds are refused at a byte, and use no more memory than the limits allow.
@Suite struct LimitTests {
  private static let limit = 1 << 16

  /// Reads a feed to its error, and checks the memory of the reader.
  private func refusal(
    of bytes: [UInt8], _ shape: FeedShape = FeedShape(.list), _ limits: FeedLimits = FeedLimits(maxRecordBytes: limit)
  ) throws -> FeedError? {
    try withFile(bytes) { path in
      let reader = try FeedReader(path: path, shape: shape, limits: limits)
      let error = #expect(throws: FeedError.self) { try reader.forEachRecord { _ in } }
      let window = reader.cursor.window.capacity
      let tokens = reader.cursor.tape.capacity * MemoryLayout<Token>.stride
      #expect(window <= max(limits.maxRecordBytes + 1, limits.windowBytes))
      #expect(tokens <= max(limits.maxRecordBytes * 2, 2_048))
      // A larger window and the previous one are in memory for a moment.
      #expect(window * 3 / 2 + tokens < 4 * max(limits.maxRecordBytes, limits.windowBytes))
      return error
    }
  }

  private func repeated(_ text: String, _ count: Int) -> [UInt8] {
    Array(repeatElement(Array(text.utf8), count: count).joined())
  }

  @Test(arguments: [
    ("[{\"a\":1},{\"v\":\"", "x", 9), ("[{\"a\":1}, {\"", "name", 10), ("[{\"v\":", "1", 1), ("[{\"v\":0.", "1", 1),
    ("[{\"v\":[", "[],", 1), ("[{\"v\":", " ", 1), ("[{\"v\":\"", "\\u00e9", 1),
  ])
  func `a record without end is refused at its first byte`(_ start: String, _ part: String, _ offset: Int) throws {
    for windowBytes in [16, 1 << 12, 1 << 15] {
      let bytes = Array(start.utf8) + repeated(part, 4 * Self.limit / part.utf8.count)
      let error = try refusal(
        of: bytes, FeedShape(.list), FeedLimits(maxRecordBytes: Self.limit, windowBytes: windowBytes))
      #expect(error?.code == .limit)
      #expect(error?.offset == offset || error?.message.contains("values and names") == true)
      #expect(error?.message.contains("from byte \(offset) on") == true || part == "[],")
    }
  }

  @Test func `a line without end is refused`() throws {
    let limits = FeedLimits(maxRecordBytes: Self.limit, windowBytes: 1 << 10)
    let bytes = Array("{\"a\":1}\n{\"v\":\"".utf8) + repeated("é", 2 * Self.limit)
    let error = try refusal(of: bytes, FeedShape(.lines), limits)
    #expect(error?.offset == 8)
    #expect(error?.line == 2)
    #expect(
      error?.message
        == "a record or another value has more than 65536 bytes, from byte 8 on; use smaller ones, or a larger limit, "
        + "column 1")
  }

  @Test func `a value beside the records is limited too`() throws {
    let bytes = Array("{\"meta\":\"".utf8) + repeated("x", 2 * Self.limit) + Array("\",\"items\":[{}]}".utf8)
    #expect(try refusal(of: bytes, FeedShape(.list, path: ["items"]))?.offset == 8)
  }

  @Test func `a list beside the records may be larger than a record`() throws {
    let list = "[" + (0..<20_000).map { "{\"x\":[\($0)]}" }.joined(separator: ",") + "]"
    let text = "{\"other\":{\"list\":\(list)},\"items\":[{\"id\":1}],\"more\":\(list)}"
    let limits = FeedLimits(maxRecordBytes: 1 << 10, windowBytes: 1 << 10)
    #expect(try records(text, shape: FeedShape(.list, path: ["items"]), limits: limits).records.count == 1)
    #expect(try records(text, limits: limits).records.count == 20_000)
  }

  @Test func `a record may have exactly as many bytes as the limit`() throws {
    for size in [8, 100, 5_000] {
      let record = "{\"v\":\"" + String(repeating: "x", count: size - 8) + "\"}"
      for windowBytes in [1, size, 4 * size] {
        let text = "[\(record),\n\(record)]"
        let shape = FeedShape(.list)
        let limits = FeedLimits(maxRecordBytes: size, windowBytes: windowBytes)
        #expect(try records(text, shape: shape, limits: limits).records.count == 2)
        let smaller = FeedLimits(maxRecordBytes: size - 1, windowBytes: windowBytes)
        #expect(try feedError(text.utf8, shape: shape, limits: smaller).code == .limit)
      }
    }
  }

  @Test func `nesting deeper than 512 levels is refused at its byte`() throws {
    func nested(_ depth: Int) -> String {
      "[{\"v\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}]"
    }
    #expect(try records(nested(510)).records.count == 1)
    for depth in [511, 10_000] {
      let error = try feedError(nested(depth).utf8)
      #expect(error.message.hasPrefix("lists and objects are nested more than 512 deep, column 517 (in record 0"))
      #expect(error.offset == 516)
    }
    for text in [String(repeating: "[", count: 10_000), String(repeating: #"{"a":"#, count: 10_000)] {
      #expect(try feedError(text.utf8).message.hasPrefix("lists and objects are nested more than 512 deep"))
    }
    for text in [String(repeating: #"{"a":"#, count: 10_000), String(repeating: "[{\"a\":", count: 10_000)] {
      #expect(try refusal(of: Array(text.utf8), FeedShape(.list, path: ["b"]))?.code != nil)
    }
  }

  @Test func `a record has a limited number of values`() throws {
    let bytes = Array("[{\"v\":[".utf8) + repeated("1,", Self.limit / 2 - 10) + Array("1]}]".utf8)
    let error = try refusal(of: bytes)
    #expect(error?.message.hasPrefix("a record has more than 13107 values and names; use fewer, or ") == true)
  }

  @Test func `white space takes no memory`() throws {
    let bytes =
      Array("[".utf8) + repeated(" \n", 4 * Self.limit) + Array("{\"a\":1}".utf8) + repeated("\t", 9 * Self.limit)
    let limits = FeedLimits(maxRecordBytes: Self.limit, windowBytes: 64)
    let error = try refusal(of: bytes, FeedShape(.list), limits)
    #expect(error?.message == "not JSON: the text ends too early")
    #expect(error?.line == 4 * Self.limit + 1)
  }

  @Test func `an object has at most a hundred thousand members`() throws {
    func feed(_ count: Int) -> String {
      "[{\"v\":{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}}]"
    }
    #expect(try records(feed(100_000)).records.count == 1)
    #expect(
      try feedError(feed(100_001).utf8).message.hasPrefix("an object has more than 100000 members, column "))
    let names = (0...100_000).map { "{\"\($0)\":0}" }.joined(separator: "\n")
    #expect(
      try feedError(names.utf8, name: "feed.jsonl").message.hasPrefix(
        "the records have more than 100000 different members"))
  }

  @Test func `a dictionary may have more records than an object has members`() throws {
    let text = "{\((0...100_000).map { "\"k\($0)\":{\"a\":\($0)}" }.joined(separator: ","))}"
    try withFile(text.utf8) { path in
      let summary = try FeedSummary(of: FeedReader(path: path))
      #expect(summary.shape == "dictionary")
      #expect(summary.distinctIDs == 100_001)
    }
  }

  @Test func `damaged feeds never stop the process`() throws {
    var random = SeededRandom(seed: 13)
    var documents = RandomDocument(seed: 12)
    for _ in 0..<600 {
      var bytes = Array(documents.feed().utf8)
      for _ in 0..<1 + random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      _ = try? withFile(bytes) { path in
        let limits = FeedLimits(maxRecordBytes: 1 << 12, windowBytes: 1 + random.below(300))
        _ = try FeedSummary(of: FeedReader(path: path, limits: limits))
      }
    }
  }
}
