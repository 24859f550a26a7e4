import Foundation
import Testing

@testable import Workloads

/// Feeds that are large, or have many parts.
@Suite struct FeedSizeTests {
  @Test func `nested values are stored as text with sorted members`() throws {
    try withFeed(#"[{"id":1,"v":[0,{"b":[ {"d":1,"c":[2 ,{}]} ],"a":{"é":"\u0001\"","aa":null}}]}]"#) { archive in
      let value = try archive.answer().tables[0].rows[0].values[1]
      #expect(value == .string(#"[0,{"a":{"aa":null,"é":"\u0001\""},"b":[{"c":[2,{}],"d":1}]}]"#))
    }
  }

  @Test func `an object with more than a hundred thousand members is refused`() throws {
    func nested(_ count: Int) -> String {
      #"[{"id":1,"v":{"# + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}}]"
    }
    try withFeed(nested(100_000)) { #expect($0.options.rows == 1) }
    #expect(
      try feedError(nested(100_001)).hasPrefix("feed.json:1: an object has more than 100000 members, column "))
  }

  @Test func `a feed with more than two million records is refused`() throws {
    #expect(Feed.largestRecordCount == 2_000_000)
    var scan = FeedScan()
    scan.offsets = Array(repeating: 0, count: Feed.largestRecordCount - 1)
    let error = #expect(throws: JSONReadingError.self) {
      try JSONReader.readAll(of: Data(#"[{"a":1},{"a":2}]"#.utf8)) {
        (reader: inout JSONReader) throws(JSONReadingError) in
        _ = try scan.readDocument(&reader)
      }
    }
    #expect(
      error?.sentence == "the feed holds more than 2000000 records; use fewer, because their rows are held in memory")
    #expect(error?.offset == 9)
  }

  @Test func `a file with more than a billion bytes is refused`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "feed.json")
      try Data("[".utf8).write(to: file)
      // A hole, which takes no room on the disk.
      #expect(truncate(file.path(percentEncoded: false), 1_000_000_001) == 0)
      let link = folder.appending(path: "link.json")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      for path in [file, link] {
        let error = #expect(throws: WorkloadError.self) {
          try Workload(argument: path.path(percentEncoded: false)).schema()
        }
        #expect(
          error?.message == "the feed has 1000000001 bytes; use at most 1000000000, because it is held in memory")
      }
    }
  }
}
