import Metrics
import Testing

@Suite struct VerdictTests {
  /// Returns a shift with the interval of the given half width around it.
  private static func shift(_ estimate: Double, around half: Double?) -> Shift {
    guard let half else { return Shift(ordered: [estimate], intervalRank: 0) }
    return Shift(ordered: [estimate - half, estimate, estimate + half], intervalRank: 1)
  }

  private static let table: [(estimate: Double, around: Double?, probability: Double, verdict: Verdict)] = [
    // The shift is significant and beyond the floor of 10.
    (11, 5, 0.01, .worse), (-11, 5, 0.01, .better), (11, 5, 0.05, .worse), (1_000, nil, 0.001, .worse),
    // The shift is beyond the floor, but may be due to chance.
    (11, 5, 0.051, .inconclusive), (-11, 30, 0.4, .inconclusive), (1_000, nil, 1, .inconclusive),
    // The shift is significant, but not beyond the floor.
    (10, 5, 0.01, .inconclusive), (-10, 5, 0.001, .inconclusive), (3, 8, 0.001, .inconclusive),
    // The interval is inside the floor, and the shift is significant or not.
    (3, 7, 0.001, .equal), (0, 10, 1, .equal), (-3, 7, 0.5, .equal), (0, 0, 1, .equal),
    // The interval reaches beyond the floor on one side.
    (4, 7, 0.5, .inconclusive), (-4, 7, 0.5, .inconclusive), (0, 10.5, 1, .inconclusive), (0, nil, 1, .inconclusive),
  ]

  @Test(arguments: table)
  func `a verdict follows significance, the floor and the interval of the shift`(
    estimate: Double, around: Double?, probability: Double, verdict: Verdict
  ) {
    let shift = Self.shift(estimate, around: around)
    #expect(Verdict(shift: shift, probability: probability, floor: 10) == verdict)
  }

  @Test(arguments: [
    ([Verdict.equal, .worse, .better], Verdict.worse), ([.equal, .better, .inconclusive], .better),
    ([.equal, .equal], .equal), ([.equal, .inconclusive], .inconclusive), ([], .inconclusive),
  ])
  func `one worse verdict makes the whole worse, and equal needs all equal`(verdicts: [Verdict], verdict: Verdict) {
    #expect(Verdict(of: verdicts) == verdict)
  }

  @Test func `an exact shift is judged by its value alone`() {
    #expect(Verdict(shift: Shift(exactly: 11), probability: 0, floor: 10) == .worse)
    #expect(Verdict(shift: Shift(exactly: -11), probability: 0, floor: 10) == .better)
    #expect(Verdict(shift: Shift(exactly: 10), probability: 0, floor: 10) == .equal)
  }

  @Test func `eight measures are judged, and lower is better for each`() {
    #expect(
      PrimaryMeasure.all.map(\.measure.name) == [
        "hitch_total_ns", "stall_ns_p99", "main_busy_ns", "import_ns", "time_to_visible_ns_p99",
        "edit_response_ns_p99", "heap_peak_bytes", "allocated_bytes",
      ])
    #expect(PrimaryMeasure.all.allSatisfy { $0.measure.better == .lower })
  }

  @Test func `the floor is the larger of the relative and the absolute floor`() {
    for primary in PrimaryMeasure.all {
      #expect(primary.floor(around: 0) == Double(primary.absoluteFloor))
      let large = primary.absoluteFloor * 1_000
      #expect(primary.floor(around: large) == Double(primary.relativeFloorPartsPerMillion) / 1_000_000 * Double(large))
      #expect(primary.floor(around: large, leastRelativePartsPerMillion: 150_000) == Double(large) * 0.15)
    }
  }
}
