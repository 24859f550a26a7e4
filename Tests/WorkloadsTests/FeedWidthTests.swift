import Foundation
import Testing
import Workloads

/// The number of different members that the records of a feed may have.
@Suite struct FeedWidthTests {
  /// Returns a feed of two records with the given number of different members between them.
  private func feed(_ count: Int, key: String) -> String {
    let members = [key] + (1..<count).map { "m\($0)" }
    let halves = [members.prefix(count / 2), [key] + members.dropFirst(count / 2)]
    let records = halves.enumerated().map { number, names in
      "{" + names.map { "\"\($0)\":\(number)" }.joined(separator: ",") + "}"
    }
    return "[\(records.joined(separator: ","))]"
  }

  @Test func `a feed can have 1,900 members, or 1,899 without an ID`() throws {
    try withFeed(feed(1_900, key: "id")) { #expect($0.schema.entities[0].attributes.count == 1_900) }
    try withFeed(feed(1_899, key: "name")) { #expect($0.schema.entities[0].attributes.count == 1_900) }
  }

  /// A time that grew with the square of the width would not end for the largest feed.
  @Test(arguments: [1_901, 1_902, 2_500, 50_000])
  func `a feed with more members is refused with the limit`(_ count: Int) throws {
    #expect(
      try feedError(feed(count, key: "id"))
        == "feed.json: the feed's records have \(count) different members; use at most 1900")
    #expect(
      try feedError(feed(count - 1, key: "name"))
        == "feed.json: the feed's records have \(count - 1) different members and no ID, so that an index is added; "
        + "use at most 1899")
  }

  @Test func `the schema of a feed can have up to 1,900 members`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "feed.json")
      try feed(1_900, key: "id").write(to: file, atomically: true, encoding: .utf8)
      let workload = try Workload(argument: file.path(percentEncoded: false))
      #expect(try workload.schema().entities[0].attributes.count == 1_900)
      try feed(1_901, key: "id").write(to: file, atomically: true, encoding: .utf8)
      let error = #expect(throws: WorkloadError.self) { try workload.schema() }
      #expect(error?.message == "the feed's records have 1901 different members; use at most 1900")
    }
  }
}
