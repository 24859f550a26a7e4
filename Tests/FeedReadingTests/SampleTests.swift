import Foundation
import Testing
import Workloads

/// Real feeds, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct SampleTests {
  private let folder = ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? ""

  @Test(arguments: [
    ("earthquakes.geojson", "geojson", 1_707, "id", 1_707, 28), ("locations.json", "array", 32, nil, nil, 6),
    ("shoppingItems.json", "array", 147, nil, nil, 5), ("swapi_people.json", "array", 82, "pk", 82, 13),
  ])
  func `a real feed is summarised`(
    _ name: String, _ shape: String, _ records: Int, _ id: String?, _ distinctCount: Int?, _ keyCount: Int
  ) throws {
    let reader = try FeedReader(path: "\(folder)/feeds/\(name)")
    let summary = try FeedSummary(of: reader)
    #expect(summary.shape == shape)
    #expect(summary.records == records)
    #expect(summary.idField == id)
    #expect(summary.distinctIDs == distinctCount)
    #expect(summary.unionOfKeys == keyCount)
  }

  @Test func `a real envelope is lifted`() throws {
    let reader = try FeedReader(path: "\(folder)/feeds/swapi_people.json")
    #expect(reader.shape.envelope == ["fields"])
    let record = try #require(try reader.next())
    guard case .string(let name)? = record["name"], case .integer(1)? = record["pk"] else {
      Issue.record("the record has no name and no pk 1")
      return
    }
    #expect(name.string == "Luke Skywalker")
  }
}
