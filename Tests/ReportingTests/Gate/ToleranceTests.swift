import Metrics
import Testing

@testable import Reporting

@Suite struct ToleranceTests {
  @Test(
    arguments: [
      (10_000, 0, 100.0, 1.0), (10_000, 5, 100, 5), (10_000, 5, 1_000, 10), (0, 0, 7, 0), (0, 3, 0, 3),
      (1_000_000_000, 2, 0, 2), (10_000, 0, 9e18, 9e16),
    ] as [(Int64, Int64, Double, Double)])
  func `the larger of share and floor goes unnoticed`(
    partsPerMillion: Int64, floor: Int64, before: Double, limit: Double
  ) {
    #expect(Tolerance(partsPerMillion: partsPerMillion, floor: floor).limit(from: before) == limit)
  }

  @Test(
    arguments: [
      ("import_ns", 100, 102, GateChange.Kind.worse), ("import_ns", 100, 98, .better),
      ("import_ns", 100, 101, .tolerated), ("import_ns", 100, 100, .equal), ("rows_per_second", 100, 98, .worse),
      ("rows_per_second", 100, 102, .better), ("window_ns", 100, 200, .tolerated), ("window_ns", 100, 100, .equal),
      ("hangs_count", 0, 0.05, .worse), ("hangs_count", 0.05, 0, .better),
    ] as [(String, Double, Double, GateChange.Kind)])
  func `a verdict follows which way the measure gets better`(
    name: String, before: Double, now: Double, verdict: GateChange.Kind
  ) throws {
    let measure = try #require(Measure.named(name))
    let floor = GateFloor(noticed: Tolerance.standard.limit(from: before))
    let change = GateChange(measure: measure, before: before, now: now, floor: floor)
    #expect(change.verdict == verdict)
  }

  @Test(
    arguments: [
      (100.0, 113.0, 1.0, 4.0, 0.0, GateChange.Kind.worse, false),
      (100, 112, 1, 4, 0, .tolerated, true), (100, 88, 1, 4, 0, .tolerated, true), (100, 87, 1, 4, 0, .better, false),
      (100, 112.5, 1, 4, 0.5, .tolerated, true), (100, 101, 1, 4, 0, .tolerated, false),
      (100, 120, 20, 4, 0, .tolerated, false), (100, 121, 20, 4, 0, .worse, false),
    ] as [(Double, Double, Double, Double, Double, GateChange.Kind, Bool)])
  func `a move counts beyond what a user notices and beyond three standard errors`(
    before: Double, now: Double, noticed: Double, standardError: Double, shift: Double, verdict: GateChange.Kind,
    isUncertain: Bool
  ) throws {
    let change = GateChange(
      measure: try #require(Measure.named("import_ns")), before: before, now: now,
      floor: GateFloor(noticed: noticed, standardError: standardError, shift: shift))
    #expect(change.verdict == verdict)
    #expect(change.isUncertain == isUncertain)
  }

  @Test func `a measure has its own tolerance, or else the standard one`() throws {
    let own = try #require(Measure.named("import_ns"))
    let other = try #require(Measure.named("visible_ns"))
    let tolerances = Tolerances(own: [own: Tolerance(partsPerMillion: 1, floor: 2)])
    #expect(tolerances[own] == Tolerance(partsPerMillion: 1, floor: 2))
    #expect(tolerances[other] == Tolerance(partsPerMillion: 10_000))
  }

  @Test(arguments: [
    ("hitch_us_per_s", 4_000.0, 2_500.0), ("stall_ns_p99", 1_000_000, 2_000_000), ("main_busy_ns", 4e9, 4e7),
    ("main_cpu_ns", 4e9, 4e7), ("import_ns", 4e9, 4e7), ("lost_edits_count", 0, 0),
  ])
  func `no limit is above what a user notices`(name: String, before: Double, limit: Double) throws {
    #expect(Tolerances()[try #require(Measure.named(name))].limit(from: before) == limit)
  }
}
