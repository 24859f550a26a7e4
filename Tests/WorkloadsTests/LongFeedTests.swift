import Foundation
import Testing
import Workloads

@Suite struct LongFeedTests {
  /// Records with repeated keys, later content of earlier rows, and links to rows before and after their own.
  private static func feed(_ count: Int, key: (Int) -> String) -> String {
    let records = (0..<count).map { number in
      let id = number * 7 % (count * 3 / 4)
      return #"{"id":\#(key(id)),"name":"row \#(number)","parent_id":\#(key((id + 5) % count)),"#
        + #""maker":{"id":"m\#(number % 9)","city":"c\#(number)"},"offers":[{"id":\#(id * 2)},{"id":\#(id * 2 + 1)}],"#
        + #""tags":[{"id":\#(number % 5),"t":"a"},{"id":\#(number % 7),"t":"b"}]}"#
    }
    return "[\(records.joined(separator: ",\n"))]"
  }

  private static func options(_ text: String, in folder: URL) throws -> WorkloadOptions {
    let file = folder.appending(path: "feed.json")
    try Data(text.utf8).write(to: file)
    return WorkloadOptions(
      workload: try Workload(argument: file.path(percentEncoded: false)), rows: nil, existingRows: .count(40),
      batchSize: 20, mix: .insertsOnly)
  }

  @Test(arguments: [{ "\($0)" }, { "\"k\($0)\"" }, { "\($0).5" }] as [@Sendable (Int) -> String], [0, 5_000])
  func `rows in a file and rows in memory make the same archive`(
    _ key: @Sendable (Int) -> String, _ limit: Int
  ) throws {
    try withFolder { folder in
      let options = try Self.options(Self.feed(400, key: key), in: folder)
      let archives = try [limit, .max].map { limit in
        let place = folder.appending(path: "\(limit)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        return try WorkloadArchive.write(options, to: place, rowByteLimit: limit)
      }
      #expect(try archives[0].answer() == archives[1].answer())
      #expect(try archives[0].answer().rowCount > 900)
      #expect(archives[0].payloads == archives[1].payloads)
      #expect(archives[0].changes == archives[1].changes)
      #expect(archives[0].listLength == archives[1].listLength)
      let files = try FileManager.default.contentsOfDirectory(atPath: archives[0].folder.path)
      #expect(!files.contains("rows.sqlite"))
    }
  }

  @Test func `rows in memory that take too much of it are refused in one line`() throws {
    try withFolder { folder in
      let error = #expect(throws: WorkloadError.self) {
        try WorkloadArchive.write(catalog(), to: folder, memoryLimit: 1_000_000)
      }
      #expect(
        error?.description
          == "rows 1000: with updates, deletes or a store to start from, all rows are in memory, and they "
          + "take over 1 MB, three quarters of this computer's memory; use fewer, or only inserts")
      _ = try WorkloadArchive.write(catalog(mix: .insertsOnly), to: folder, memoryLimit: 1_000_000)
    }
  }

  // The address sanitizer keeps freed memory for some time.
  #if !UNDER_SANITIZER
    @Test func `a feed of ten times the records takes at most half as much more memory`() async {
      await #expect(processExitsWith: .success) {
        let small = try Self.peakMemory(records: 10_000)
        let large = try Self.peakMemory(records: 100_000)
        #expect(large * 2 < small * 3, "\(small) kB and \(large) kB")
      }
    }

    /// Prepares a feed, computes the digest of a right store, and returns the peak of this process's memory in kB.
    private static func peakMemory(records: Int) throws -> Int {
      try withFolder { folder in
        let file = folder.appending(path: "feed.jsonl")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for first in stride(from: 0, to: records, by: 1_000) {
          let lines = (first..<first + 1_000).map { number in
            #"{"id":\#(number),"name":"row \#(number)","text":"\#(String(repeating: "words ", count: 20))","#
              + #""maker":{"id":\#(number / 10),"name":"maker \#(number / 10)"}}"#
          }
          try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        }
        try handle.close()
        let options = WorkloadOptions(
          workload: try Workload(argument: file.path(percentEncoded: false)), rows: nil, existingRows: 0,
          batchSize: 100,
          mix: .insertsOnly)
        let archive = try WorkloadArchive.write(options, to: folder, rowByteLimit: 1 << 20)
        let answer = try archive.answer(inMemoryUpTo: 1 << 20)
        #expect(RightStore(answer, schema: archive.schema).digest.count == 64)
        #expect(answer.rowCount == records / 10 * 11)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
      }
    }
  #endif
}
