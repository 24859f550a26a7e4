import Foundation
import Metrics
import Testing

@testable import Reporting

/// Limits of the gate's runs: the results that keep them, the draws that they depend on, and their display.
@Suite struct GateLimitTests {
  /// Returns a limit of a number of units on a share of the devices, in per cent.
  private func limit(_ name: String, _ most: Double, on percent: Int = 100) throws -> GateLimit {
    let measured = try #require(LimitedMeasure.named(name))
    return GateLimit(name: name, limit: measured.limit(most), share: percent * 100)
  }

  /// Ten devices, on which three-tier has hitches of 1 ms/s, 2 ms/s and so on.
  private static let ten = MadeUpGate.drawn(10) { $0.hitchMicrosecondsPerSecond = Int64($1) * 1_000 }

  private func judged(_ limits: GateLimit..., in results: GateResults = Self.ten) throws -> GateComparison {
    try GateComparison(run: "six", mismatches: []).judging(limits, in: results)
  }

  // MARK: Verdicts

  @Test(arguments: [(9.0, 90, true), (8.9, 90, false), (10, 100, true), (9.9, 100, false), (9, 81, true), (1, 1, true)])
  func `a limit is kept if enough devices keep it`(most: Double, percent: Int, isKept: Bool) throws {
    let comparison = try judged(try limit("hitch", most, on: percent))
    let result = try #require(comparison.limits.first)
    #expect(result.isKept == isKept)
    #expect(result.keptCount == Int(most) && result.count == 10)
    #expect(MadeUpGate.report(comparison).verdict == (isKept ? .equal : .worse))
  }

  @Test func `the value is the smallest limit that would be kept`() throws {
    let result = try #require(try judged(try limit("hitch", 2, on: 90)).limits.first)
    #expect(result.value == 9_000)
    #expect(
      result.sentence == "three-tier: hitch is 9.000 ms/s on 90 % of the devices, above the limit of 2.000 ms/s "
        + "(kept on 2 of 10, evidence: drawn devices)")
  }

  @Test func `a limit on a measure that a stack does not have throws`() throws {
    let limit = try limit("in_flight_wait_ns_max", 1)
    #expect(throws: GateLimitError(limit: limit, stack: "three-tier")) { try judged(limit) }
  }

  @Test func `a run that failed is not held to its limits, and a limit that is not kept outweighs a mismatch`() throws {
    let limit = try limit("hitch", 2)
    let failed = try GateComparison(run: "six", mismatches: [GateMismatch(.unverified, "it hung")])
      .judging([limit], in: Self.ten)
    #expect(failed.limits.isEmpty)
    #expect(MadeUpGate.report(failed).verdict == .incomparable)
    let foreign = try GateComparison(run: "six", mismatches: [GateMismatch(.rows, "a stack is missing")])
      .judging([limit], in: Self.ten)
    #expect(MadeUpGate.report(foreign).verdict == .worse)
  }

  // MARK: Evidence

  @Test func `the evidence is a counter, drawn devices, one device or a live trial`() throws {
    let counter = try limit("faults_fired_count", 1)
    let time = try limit("stall", 1)
    #expect(try judged(counter, time).limits.map(\.evidence) == [.counter, .drawnDevices])
    #expect(try judged(time, in: MadeUpGate.results()).limits.first?.evidence == .oneDevice)
    var manifest = MadeUpGate.manifest
    manifest.machine = "live"
    let live = try judged(counter, in: MadeUpGate.results(of: MadeUpGate.six, manifest)).limits
    #expect(live.count == 6 && live.allSatisfy { $0.evidence == .live && $0.sentence.contains(" of the trials, ") })
  }

  // MARK: Formats

  @Test func `the text has a table of the limits that are not kept, and one of the others`() throws {
    let comparison = try judged(try limit("hitch", 2, on: 90), try limit("stall", 1_000))
    let outcome = GateOutcome(baseline: "gate-baseline", comparisons: [comparison], unrecorded: ["six"])
    let page = GatePage(outcome, words: MadeUpResults.words, listsMismatches: false).page
    #expect(
      page.terminal() == """
        Limits that are not kept, run six:

        stack and limit      limit share        now kept on evidence
        --------------- ---------- ----- ---------- ------- -------------
        three-tier
          hitch         2.000 ms/s  90 % 9.000 ms/s 2 of 10 drawn devices

        Limits that are kept, run six:

        stack and limit   limit share      now  kept on evidence
        --------------- ------- ----- -------- -------- -------------
        three-tier
          stall         1000 ms 100 % 4.000 ms 10 of 10 drawn devices

        Gate: worse; 1 run: 1 of 2 limits kept
        Not in gate-baseline, and held to limits only: six; run 'make baseline' to record a baseline

        """)
    #expect(page.markdown.hasPrefix("### Stackbench gate: a limit is not kept\n"))
  }

  @Test func `JUnit and JSON have each limit`() throws {
    let report = MadeUpGate.report(try judged(try limit("hitch", 2, on: 90), try limit("stall", 1_000)))
    let junit = GateJUnit(report).text
    #expect(junit.contains("<testsuite name=\"six\" tests=\"2\" failures=\"1\" errors=\"0\">"))
    #expect(
      junit.contains(
        "<testcase classname=\"six.three-tier\" name=\"limit hitch\"><failure type=\"limit\" message=\"three-tier: hitch is "
      ))
    #expect(junit.contains("name=\"limit stall\"><system-out>three-tier: stall is "))
    let json = try JSONText.text(of: report.json)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let limits = try #require(document["limits"] as? [[String: Any]])
    #expect(limits.count == 2)
    #expect(
      limits[0] as NSDictionary == [
        "run": "six", "stack": "three-tier", "limit": "hitch", "measure": "hitch_us_per_s", "at_most": 2_000,
        "on_percent": 90, "now": 9_000, "kept_count": 2, "count": 10, "kept": false, "evidence": "drawn devices",
      ])
  }

  @Test func `histories get the mean, the range and the evidence of each figure`() throws {
    let report = MadeUpGate.report(try judged(try limit("faults_fired_count", 1)))
    let action = try JSONText.text(of: report.gitHubAction)
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(action.utf8)) as? [[String: Any]])
    let hitch = try #require(entries.first { $0["name"] as? String == "six/three-tier/hitch_us_per_s" })
    #expect(
      hitch as NSDictionary == [
        "name": "six/three-tier/hitch_us_per_s", "unit": "µs/s", "value": 5_500, "range": "1000 to 10000",
        "extra": "evidence: drawn devices",
      ])
    // A limited measure is added to those of the table.
    #expect(entries.contains { $0["name"] as? String == "six/three-tier/faults_fired_count" })
    let bencher = try JSONText.text(of: report.bencher)
    let metrics = try #require(
      try JSONSerialization.jsonObject(with: Data(bencher.utf8)) as? [String: [String: [String: Double]]])
    #expect(metrics.keys.sorted() == ["six/three-tier"])
    #expect(
      metrics["six/three-tier"]?["hitch-us-per-s-drawn-devices"] == [
        "value": 5_500, "lower_value": 1_000, "upper_value": 10_000,
      ])
    #expect(metrics["six/three-tier"]?["faults-fired-count-counter"] != nil)
  }
}
