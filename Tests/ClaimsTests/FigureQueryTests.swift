import Testing

@testable import Claims

/// Tests of each form of a query, on small figures.
@Suite struct FigureQueryTests {
  /// Dropped frames: one for each ten rows in all-main, two less in worker-merge, and none in three-tier with few rows.
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

  @Test func `a figure that is not committed is an error that names the trial`() throws {
    let keys = SmallCatalogue.claim("{value: \(Self.main)}")
    let error = try #require(throws: (any Error).self) { try SmallCatalogue.judged(keys, FigureTable()) }
    #expect(
      "\(error)".hasPrefix(
        "sizes, profile=iphone-15-pro rows=100, all-main, draw 1: not among the committed figures; renew them"))
  }
}
