import Metrics
import Testing

@testable import Reporting

@Suite struct ToleranceTests {
  /// What a change comes to: tolerance in parts per million, floor, before, now, whether it counts.
  struct Case: Sendable, CustomTestStringConvertible {
    let tolerance: Int64
    var floor: Int64 = 0
    let before: Int64
    let now: Int64
    let counts: Bool

    var testDescription: String { "\(before) to \(now) at \(tolerance) ppm, floor \(floor)" }
  }

  @Test(arguments: [
    // Exactly the share is within it; one more is not, in either direction.
    Case(tolerance: 10_000, before: 100, now: 101, counts: false),
    Case(tolerance: 10_000, before: 100, now: 102, counts: true),
    Case(tolerance: 10_000, before: 100, now: 99, counts: false),
    Case(tolerance: 10_000, before: 100, now: 98, counts: true),
    Case(tolerance: 10_000, before: 1_000_000_007, now: 1_010_000_007, counts: false),
    Case(tolerance: 10_000, before: 1_000_000_007, now: 1_010_000_008, counts: true),
    // Small counts: one more is a share of its own.
    Case(tolerance: 10_000, before: 1, now: 2, counts: true),
    Case(tolerance: 1_000_000, before: 1, now: 2, counts: false),
    Case(tolerance: 1_000_000, before: 1, now: 3, counts: true),
    // Without any tolerance, everything counts but no change.
    Case(tolerance: 0, before: 7, now: 7, counts: false),
    Case(tolerance: 0, before: .max, now: .max - 1, counts: true),
    // From nothing every share is exceeded; to nothing is a whole.
    Case(tolerance: 1_000_000_000, before: 0, now: 1, counts: true),
    Case(tolerance: 10_000, before: 0, now: 0, counts: false),
    Case(tolerance: 10_000, before: 1, now: 0, counts: true),
    // Floor and share must both be exceeded.
    Case(tolerance: 10_000, floor: 5, before: 0, now: 5, counts: false),
    Case(tolerance: 10_000, floor: 5, before: 0, now: 6, counts: true),
    Case(tolerance: 10_000, floor: 5, before: 1_000, now: 1_006, counts: false),
    Case(tolerance: 10_000, floor: 20, before: 1_000, now: 1_015, counts: false),
    // No product overflows.
    Case(tolerance: 10_000, before: 0, now: .max, counts: true),
    Case(tolerance: 10_000, before: .max, now: 0, counts: true),
    Case(tolerance: .max, before: .max, now: 0, counts: false),
    Case(tolerance: 10_000, before: .max - .max / 1_000, now: .max, counts: false),
    Case(tolerance: 1_000, before: .max - .max / 1_000, now: .max, counts: true),
  ])
  func `a change counts beyond its share and its floor`(_ example: Case) {
    let tolerance = Tolerance(partsPerMillion: example.tolerance, floor: example.floor)
    #expect(tolerance.isExceeded(from: example.before, to: example.now) == example.counts)
  }

  @Test(
    arguments: [
      (100, 101, 10_000), (100, 99, -10_000), (3, 4, 333_333), (3, 5, 666_667), (2_000_000, 2_000_001, 1),
      (2_000_001, 2_000_002, 0), (7, 7, 0), (0, 0, nil), (0, 5, nil), (5, 0, -1_000_000), (1, Int64.max, Int64.max),
      (Int64.max, 0, -1_000_000), (Int64.max, Int64.max - 1, 0), (9_000_000_000_000, Int64.max, 1_024_818_115_206),
    ] as [(Int64, Int64, Int64?)])
  func `a share is in parts per million, rounded, and never overflows`(before: Int64, now: Int64, share: Int64?) {
    #expect(Int64.partsPerMillion(from: before, to: now) == share)
  }

  @Test(
    arguments: [
      ("import_ns", 100, 102, GateChange.Verdict.worse), ("import_ns", 100, 98, .better),
      ("import_ns", 100, 101, .tolerated), ("import_ns", 100, 100, .equal), ("rows_per_second", 100, 98, .worse),
      ("rows_per_second", 100, 102, .better), ("window_ns", 100, 200, .tolerated), ("window_ns", 100, 100, .equal),
      ("hangs_count", 0, 1, .worse), ("hangs_count", 1, 0, .better),
    ] as [(String, Int64, Int64, GateChange.Verdict)])
  func `a verdict follows which way the measure gets better`(
    name: String, before: Int64, now: Int64, verdict: GateChange.Verdict
  ) throws {
    let measure = try #require(Measure.named(name))
    let change = GateChange(measure: measure, before: before, now: now, tolerance: .standard)
    #expect(change.verdict == verdict)
  }

  @Test func `a measure has its own tolerance, or else the standard one`() throws {
    let own = try #require(Measure.named("import_ns"))
    let other = try #require(Measure.named("visible_ns"))
    let tolerances = Tolerances(own: [own: Tolerance(partsPerMillion: 1, floor: 2)])
    #expect(tolerances[own] == Tolerance(partsPerMillion: 1, floor: 2))
    #expect(tolerances[other] == Tolerance(partsPerMillion: 10_000))
  }
}
