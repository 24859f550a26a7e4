import Testing
import Workloads

@Suite struct OptionsTests {
  @Test(arguments: [
    (catalog(rows: 0), "rows 0: out of range; use 1 to 10000000"),
    (catalog(existingRows: -1), "existing rows -1: out of range; use 0 to 10000000"),
    (catalog(batchSize: 0), "batch size 0: out of range; use 1 to 10000000"),
    (catalog(lanes: 65), "lanes 65: out of range; use 1 to 64"),
    (
      catalog(mix: Mix(inserts: 50, updates: 25, deletes: 5)),
      "mix 50:25:5: the shares must add up to 100, as in 70:25:5"
    ),
    (
      catalog(existingRows: 1, mix: Mix(inserts: 0, updates: 95, deletes: 5), lanes: 2),
      "mix 0:95:5: without inserts there is nothing to update or delete; use 2 or more existing rows, or insert some"
    ),
    (
      WorkloadOptions(workload: .flat, rows: nil, existingRows: 0, batchSize: 1, mix: .standard),
      "the number of rows is missing: a generated workload has no size of its own"
    ),
  ])
  func `an invalid option throws an error with a hint`(_ options: WorkloadOptions, _ text: String) {
    let error = #expect(throws: WorkloadError.self) { try options.validate() }
    #expect(error?.description == text)
    #expect(error?.code == .invalidOption)
    #expect(error?.field.map { text.hasPrefix("\($0.kind.rawValue) \($0.value): ") } ?? (options.rows == nil) == true)
  }

  @Test func `valid options pass validation`() throws {
    try catalog().validate()
    try WorkloadOptions(workload: .feed(path: "f"), rows: nil, existingRows: 0, batchSize: 9, mix: .insertsOnly)
      .validate()
  }

  @Test(arguments: ["", "70", "70:30", "70:25:5:0", "a:b:c", "70:25:", "-10:105:5", "70:25:6", "+70:25:5", "1e1:85:5"])
  func `an invalid mix is refused`(_ text: String) {
    let error = #expect(throws: WorkloadError.self) { try Mix(argument: text) }
    #expect(error?.description.hasPrefix("mix \(text): ") == true)
  }

  @Test func `a workload is a known name or the path of a feed`() throws {
    #expect(try Workload(argument: "catalog") == .catalog)
    #expect(try Workload(argument: "flat") == .flat)
    #expect(try Workload(argument: "a/b.GeoJSON") == .feed(path: "a/b.GeoJSON"))
    #expect(try Workload(argument: "a/b.GeoJSON").name == "b.GeoJSON")
    for text in ["", "Catalog", "feed.csv", "json", "a.json/b"] {
      let error = #expect(throws: WorkloadError.self) { try Workload(argument: text) }
      #expect(error?.field?.kind == .workload)
    }
  }
}
