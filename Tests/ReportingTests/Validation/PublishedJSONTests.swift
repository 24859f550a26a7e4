import Metrics
import Testing

@testable import Reporting

@Suite struct PublishedJSONTests {
  private func json(_ clock: PublishedClock) throws -> String {
    try JSONText.text(
      of: PublishedResult(
        PublishedResult.Name(table: "table", row: "row", figure: "figure", topology: "all-main"), clock: clock,
        role: .fitted, published: PublishedResult.Published(median: 100, least: 90, greatest: 120), overhead: 10,
        simulated: 80, bandPartsPerMillion: 350_000
      ).json)
  }

  @Test func `the JSON of a figure has its amounts in their unit, and its error`() throws {
    #expect(
      try json(.mainCPU) == """
        {
          "band_ppm" : 350000,
          "clock" : "main-cpu",
          "error_ppm" : -100000,
          "figure" : "figure",
          "overhead_ns" : 10,
          "published_greatest_ns" : 120,
          "published_least_ns" : 90,
          "published_ns" : 100,
          "role" : "fitted",
          "row" : "row",
          "simulated_ns" : 90,
          "table" : "table",
          "topology" : "all-main",
          "within_band" : true
        }

        """)
    let memory = try json(.mainCPU).replacing("_ns\"", with: "_bytes\"").replacing("main-cpu", with: "memory")
    #expect(try json(.memory).split(separator: "\n").sorted() == memory.split(separator: "\n").sorted())
  }

  @Test func `the JSON of an order has every member, with null for nil`() throws {
    let range = PublishedOrder.Range(lowPartsPerMillion: 50_000_000, highPartsPerMillion: nil)
    let order = PublishedOrder("order", relation: .ratio, of: 5, to: 0, in: range, isRequired: true)
    #expect(
      try JSONText.text(of: order.json) == """
        {
          "high_ppm" : null,
          "low_ppm" : 50000000,
          "name" : "order",
          "passed" : false,
          "required" : true,
          "value_ppm" : null
        }

        """)
  }
}
