#if !UNDER_SANITIZER
  import CJemalloc
  import Foundation
  import TestSupport
  import Testing
  import Workloads

  /// The work of making a workload, measured by the memory that it requests, which does not depend on the computer.
  @Suite struct PreparationGrowthTests {
    private static let model = """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Call"><attribute name="origin" attributeType="String"/>
          <attribute name="count" optional="YES" attributeType="Integer 32"/></entity>
      </model>
      """

    @Test(arguments: [false, true])
    func `twice the existing rows request about twice the memory if rows are updated`(_ isFeed: Bool) throws {
      let small = try requestedBytes(isFeed, existing: 2_000, .standard)
      let large = try requestedBytes(isFeed, existing: 4_000, .standard)
      #expect(large < small * 23 / 10)
      #expect(large < (try requestedBytes(isFeed, existing: 4_000, .insertsOnly)) * 2)
    }

    /// Returns the bytes that this thread requests while it writes a workload of 10 records.
    private func requestedBytes(_ isFeed: Bool, existing: Int, _ mix: Mix) throws -> UInt64 {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let model = try folder.write(Self.model, to: "contents")
      let feed = try folder.write(
        (0..<existing).map { #"{"id":\#($0),"count":7}"# }.joined(separator: "\n"), to: "f.jsonl")
      let archive = folder.url.appending(path: "archive")
      try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: false)
      var options = WorkloadOptions(
        workload: isFeed ? .feed(path: feed) : .model(path: model), rows: 10, existingRows: .count(existing),
        batchSize: 10, mix: mix)
      if !isFeed { options.model = model }
      let before = Self.requestedBytes
      try WorkloadArchive.write(options, to: archive)
      return Self.requestedBytes - before
    }

    /// The bytes that this thread has requested so far.
    private static var requestedBytes: UInt64 {
      var count: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      precondition(mallctl("thread.allocated", &count, &size, nil, 0) == 0)
      return count
    }
  }
#endif
