import Metrics
import Testing

@testable import Experiments

/// Tests of each form of a query, on small figures.
@Suite struct FigureQueryTests {
  /// Figures with dropped frames: one per ten rows in all-main, two fewer in worker-merge, and seven in three-tier if
  /// it has more than 100 rows.
  private let figures = SmallCatalogue.figures { _, rows, stack, _ in
    switch stack {
    case "all-main": Int64(rows / 10)
    case "worker-merge/notification": Int64(max(0, rows / 10 - 2))
    default: rows > 100 ? 7 : 0
    }
  }

  private static let main = "{column: frames_dropped_count, of: all-main, at: {rows: 100}}"
  private static let worker = "{column: frames_dropped_count, of: worker-merge, at: {rows: 100}}"

  @Test(arguments: [
    ("{value: \(main)}", 10.0),
    ("{value: {column: hitch_total_ns, of: all-main, at: {rows: 100}}}", 100),
    ("{value: {column: [hitch_total_ns, hitch_total_ns], of: all-main, at: {rows: 100}}}", 200),
    ("{quotient: [\(main), \(worker)]}", 1.25),
    ("{share: [\(worker), \(main)]}", 80),
    ("{difference: [\(main), \(worker)]}", 2),
    ("{largest: {along: topology, quantity: {column: frames_dropped_count, at: {rows: 1000}}}}", 100),
    ("{smallest: {along: rows, quantity: {column: frames_dropped_count, of: all-main}}}", 1),
    ("{first: {along: rows, quantity: {column: frames_dropped_count, of: three-tier}, where: {above: 0}}}", 1000),
    ("{first: {along: rows, quantity: {column: frames_dropped_count, of: all-main}, where: {above: 500}}}", .infinity),
    ("{last: {along: rows, quantity: {column: frames_dropped_count, of: three-tier}, where: {equals: 0}}}", 100),
    ("{last: {along: rows, quantity: {column: frames_dropped_count, of: all-main}, where: {below: 1}}}", -.infinity),
    ("{count: {along: rows, quantity: {column: frames_dropped_count, of: all-main}, where: {at-least: 10}}}", 2),
    ("{place: \(worker)}", 2),
    ("{place: {column: frames_dropped_count, of: all-main, at: {rows: 10}}}", 3),
    ("{value: {code: contexts, of: three-tier}}", 3),
    ("{value: {code: rules, of: three-tier}}", 2),
  ])
  func `a query has the figure of its form in every case`(figure: String, expected: Double) throws {
    let judged = try SmallCatalogue.judged(SmallCatalogue.claim(figure), figures)
    #expect(judged.cases.map(\.figure) == [Double](repeating: expected, count: 4))
  }

  @Test func `a quotient of nothing by nothing has no value and fulfils no condition`() throws {
    let none = "{column: frames_dropped_count, of: three-tier, at: {rows: 10}}"
    for condition in ["{above: 0}", "{at-most: 5}", "{equals: 0}"] {
      let judged = try SmallCatalogue.judged(
        SmallCatalogue.claim("{quotient: [\(none), \(none)]}", holdsIf: condition), figures)
      #expect(judged.cases.allSatisfy { $0.figure.isNaN })
      #expect(judged.verdict == .doesNotHold)
    }
  }

  @Test func `printed code has fewer lines for one context than for three`() throws {
    let judged = try SmallCatalogue.judged(
      """
      evidence: counter
      label: lines
      figure: {quotient: [{code: lines, of: three-tier}, {code: lines, of: all-main}]}
      holds-if: {above: 1}
      """, FigureTable())
    #expect(judged.verdict == .holds)
    #expect(
      judged.commands == [
        "stackbench topologies three-tier --format swift", "stackbench topologies all-main --format swift",
      ])
  }

  /// Returns the row of a side or a peer.
  private func row(
    _ experiment: String, _ point: String, _ name: String, _ trial: String, _ values: [String: Int64]
  ) -> FigureRow {
    FigureRow(
      key: FigureRow.Key(experiment: experiment, point: point, stack: name, trial: trial), values: values)
  }

  @Test func `a query counts the seeds on which a scenario ends in an error`() throws {
    let figures = FigureTable(
      rows: (1...3).map { seed in
        row("trouble", "seed=\(seed)", "trouble", "device", ["errors_count": seed == 2 ? 1 : 0])
      })
    let judged = try SmallCatalogue.judged(
      SmallCatalogue.counted(
        "{count: {along: seed, quantity: {column: errors_count, of: trouble}, where: {above: 0}}}", of: "trouble",
        holdsIf: "{equals: 1}"), figures)
    #expect(judged.cases.map(\.figure) == [1])
    #expect(judged.verdict == .holds)
    #expect(judged.commands == ["stackbench scenario temporary-id --seeds 3"])
  }

  @Test func `a verdict on peers may depend on the case`() throws {
    let times: [(String, Int64, Int64)] = [("insert", 1_000, 600), ("fetch", 400, 100)]
    let figures = FigureTable(
      rows: times.flatMap { name, engine, raw in
        [
          row("engine", "case=\(name)", "stackbench", "trial 1", ["ns_per_row_median": engine]),
          row("engine", "case=\(name)", "raw", "trial 1", ["ns_per_row_median": raw]),
        ]
      })
    let judged = try SmallCatalogue.judged(
      SmallCatalogue.counted(
        "{quotient: [{column: ns_per_row_median, of: raw}, {column: ns_per_row_median, of: stackbench}]}",
        of: "engine", over: "[case]", evidence: "live", holdsIf: "{below: 0.5}"), figures)
    #expect(judged.cases.map(\.figure) == [0.6, 0.25])
    #expect(judged.verdict == .depends)
  }

  @Test func `the place in the advice is shared by stacks that no criterion separates, and wrong stacks come last`()
    throws
  {
    func figures(staleRows: Int64) -> FigureTable {
      let columns = AdvicePriority.importSpeed.criteria.map(\.measure.name)
      let times: KeyValuePairs<String, Int64> = [
        "all-main": 1_000_000_000, "worker-merge/notification": 1_000_001_000, "three-tier": 3_000_000_000,
      ]
      return FigureTable(
        rows: times.flatMap { stack, time in
          (1...2).map { draw in
            var values = Dictionary(uniqueKeysWithValues: columns.map { ($0, time) })
            values["lost_edits_count"] = 0
            values["duplicates_count"] = 0
            values["stale_rows_count"] = stack == "all-main" ? staleRows : 0
            return row("sizes", "profile=iphone-15-pro rows=10", stack, "draw \(draw)", values)
          }
        })
    }
    func place(_ stack: String, staleRows: Int64) throws -> [Double] {
      let catalogue = try SmallCatalogue.catalogue(
        SmallCatalogue.counted(
          "{value: {advice: import-speed, of: \(stack), at: {profile: iphone-15-pro, rows: 10}}}", of: "sizes",
          evidence: "simulated"))
      return try ClaimJudge(catalogue, figures: figures(staleRows: staleRows)).judged(catalogue.claims[0]).cases.map(
        \.figure)
    }
    #expect(try place("all-main", staleRows: 0) == [1, 1])
    #expect(try place("worker-merge", staleRows: 0) == [1, 1])
    #expect(try place("three-tier", staleRows: 0) == [3, 3])
    #expect(try place("all-main", staleRows: 4) == [3, 3])
    #expect(try place("three-tier", staleRows: 4) == [2, 2])
  }

  @Test func `a figure that is not committed is an error that names the trial`() throws {
    let keys = SmallCatalogue.claim("{value: \(Self.main)}")
    let error = try #require(throws: (any Error).self) { try SmallCatalogue.judged(keys, FigureTable()) }
    #expect(
      "\(error)".hasPrefix(
        "sizes, profile=iphone-15-pro rows=100, all-main, draw 1: not among the committed figures; renew them"))
  }
}
