import Foundation
import Testing
import Workloads

/// Real feeds, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct FeedSampleTests {
  private let folder = ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? ""

  @Test(arguments: [
    ("earthquakes.geojson", 1_707, "id", 27), ("locations.json", 32, "name", 6),
    ("shoppingItems.json", 147, "index", 6), ("swapi_people.json", 82, "pk", 13),
  ])
  func `a real feed is imported completely`(_ name: String, _ rows: Int, _ key: String, _ attributesCount: Int) throws {
    let options = WorkloadOptions(
      workload: .feed(path: "\(folder)/feeds/\(name)"), rows: nil, existingRows: 0, batchSize: 100, mix: .insertsOnly)
    try withArchive(options) { archive in
      #expect(archive.options.rows == rows)
      #expect(archive.schema.entities[0].keyAttributes[0].name == key)
      #expect(archive.schema.entities[0].attributes.count == attributesCount)
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedPayloads().flatMap({ $0 }) { model.apply(record) }
      let answer = try archive.answer()
      #expect(answer.tables[0].rows.count == rows)
      #expect(answer == model.answer())
    }
  }
}
