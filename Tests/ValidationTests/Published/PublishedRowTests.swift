import Harness
import MachineCore
import MachineSimulated
import Metrics
import TestSupport
import Testing

@testable import Experiments
@testable import Validation

/// Tests of the shipped tables, whose rows run at a small part of their size and in virtual time.
@Suite struct PublishedRowTests {
  private let bench: ScriptBench

  init() throws {
    bench = try ScriptBench()
  }

  /// Returns a shipped table with smaller numbers of objects.
  private static func small(_ name: String) throws -> PublishedTable {
    var text = try #require(PublishedLibrary.shippedText(of: name))
    for (number, less) in [("100000", "100"), ("15000", "300"), ("10000", "100"), ("50000", "100"), ("20000", "100")] {
      for key in ["count", "times", "objects"] {
        text = text.replacing("\(key): \(number)", with: "\(key): \(less)")
      }
    }
    return try PublishedTableReader(place: name).table(from: text.replacing("limit: 1000", with: "limit: 10"))
  }

  /// Returns the cost of counted work in picoseconds of CPU time.
  private static func price(_ work: WorkCounts, _ costs: CostModel) -> Int64 {
    Work.Kind.allCases.reduce(0) { sum, kind in
      sum + Int64(work[kind]) * costs[kind].cpuPerCount + Int64(work.bytes(kind)) * costs[kind].cpuPerByte
    }
  }

  @Test(arguments: PublishedNames.shipped) func `every shipped row has verified data`(_ name: String) throws {
    let table = try Self.small(name)
    for row in table.rows.indices {
      let outcome = try bench.run(table, row: row)
      #expect(outcome.complaints == [], "\(table.rows[row].title)")
      #expect(outcome.measurements.count == table.rows[row].figures.count)
      for (figure, measured) in zip(table.rows[row].figures, outcome.measurements) {
        #expect(measured.wall > .zero, "\(figure.name)")
        #expect(measured.cpu >= measured.mainCPU)
      }
    }
  }

  @Test(arguments: ["kugler-2013", "anchor-iphone-6"])
  func `the CPU time equals the counted work times its costs`(_ name: String) throws {
    let table = try Self.small(name)
    let costs = bench.profile.device().costs
    for row in table.rows.indices {
      for measured in try bench.run(table, row: row).measurements {
        // Each thread may still have to pay up to a nanosecond at a reading. There are fewer than eight threads.
        #expect(abs(Self.price(measured.work, costs) / 1_000 - measured.cpu.nanoseconds) <= 8)
        #expect(abs(Self.price(measured.mainWork, costs) / 1_000 - measured.mainCPU.nanoseconds) <= 2)
      }
    }
  }

  @Test func `a row has the same measurements each time`() throws {
    let table = try Self.small("anchor-iphone-6")
    for row in table.rows.indices {
      #expect(try bench.run(table, row: row).measurements == bench.run(table, row: row).measurements)
    }
  }

  @Test func `a fixed overhead is added to the simulated time`() throws {
    let table = try Self.small("anchor-iphone-6")
    let measurements = try table.rows.indices.map { try bench.run(table, row: $0).measurements }
    let comparison = table.comparison(with: measurements, profile: "a phone")
    let noMerge = try #require(
      comparison.figures.first { $0.topology == "worker-merge/none" && $0.clock == .mainCPU })
    #expect(noMerge.simulated - noMerge.overhead == measurements[1][1].mainCPU.nanoseconds)
    #expect(noMerge.overhead == 800_000_000)
  }

  @Test func `the time of a step ends with its save or with its consequences`() throws {
    let text = PublishedTableText.text(
      row: "    topology: child-of-main", steps: ["insert: {entity: Item, count: 50, save: once}"])
    let rest = try bench.run(text).measurements[0]
    let done = try bench.run(text.replacing("clock: wall", with: "clock: wall, until: done")).measurements[0]
    #expect(done.wall < rest.wall)
    #expect(done.work[.saveBegun] == 1 && rest.work[.saveBegun] == 2)
  }

  @Test func `a figure of memory is the peak of what contexts and row caches hold`() throws {
    func bytes(_ steps: String...) throws -> Int64 {
      let text = PublishedTableText.text(
        row: "    topology: all-main", setUp: ["insert: {entity: Item, count: 500, save: once, hold: true}"],
        steps: steps + ["reset: {}"])
      let memory = text.replacing("clock: wall, milliseconds: 1", with: "clock: memory, megabytes: 0.1")
      let table = try PublishedTableReader(place: "table.yaml").table(from: memory)
      let comparison = table.comparison(with: [try bench.run(table).measurements], profile: "a phone")
      #expect(comparison.figures[0].published == 100_000)
      return comparison.figures[0].simulated
    }
    let once = try bytes("insert: {entity: Item, count: 1000, save: once}")
    let twice = try bytes("insert: {entity: Item, count: 2000, save: once}")
    #expect(once > 100_000 && abs(Double(twice) / Double(once) - 2) < 0.2)
    #expect(try bytes("insert: {entity: Item, count: 1000, save: 50}") < once / 2)
    #expect(try bytes("fetch: {entity: Item, where: {attribute: number}}") < once / 10)
  }

  @Test func `an order can compare shares, and a row can be of another device`() throws {
    let second = """

            - {name: main, clock: main-cpu, milliseconds: 1, role: predicted, source: "made up"}
        - title: other
          topology: all-main
          profile: iphone-4
          steps: [{insert: {entity: Item, count: 50}}, {reset: {}}]
          figures: [{name: all, clock: cpu, milliseconds: 1, role: predicted, source: "made up"}]
      orders:
        - name: share
          first: {row: row, figure: main, of: all}
          second: {row: other, figure: all, of: all}
          low: 0
      """
    let text =
      PublishedTableText.text(
        row: "    topology: worker-merge", steps: ["insert: {entity: Item, count: 50, save: once}"]) + second
    let table = try PublishedTableReader(place: "table.yaml").table(
      from: text.replacing("clock: wall", with: "clock: cpu"))
    #expect(table.profile(ofRow: 0) == "iphone-6-ios-11" && table.profile(ofRow: 1) == "iphone-4")
    let measured = try table.rows.indices.map { try bench.run(table, row: $0).measurements }
    let order = try #require(table.comparison(with: measured, profile: "phones").orders.first)
    let ratio = Double(measured[0][1].mainCPU.nanoseconds) / Double(measured[0][0].cpu.nanoseconds)
    #expect(ratio > 0 && abs(Double(order.valuePartsPerMillion ?? 0) / 1e6 - ratio) < 2e-6)
  }

  @Test func `a published series has its median and range`() throws {
    let table = try #require(try PublishedLibrary.tables(named: "iphone-6-child-of-main").first)
    let published = table.rows[0].figures[0].published
    #expect(published.median == 12_200_000)
    #expect(published.least == 11_900_000 && published.greatest == 39_600_000)
    let two = try #require(try PublishedLibrary.tables(named: "iphone-7-plus-inserts").first)
    #expect(two.rows[0].figures[0].published.median == 2_522_000)
  }

  @Test func `the fit uses every shipped figure`() throws {
    let figures = try PublishedLibrary.tables(named: "all").flatMap(\.rows).flatMap(\.figures)
    #expect(figures.count == 51 && figures.allSatisfy { $0.role == .fitted })
  }
}
