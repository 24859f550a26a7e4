import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct GateComparisonTests {
  // MARK: Verdicts

  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let change: @Sendable (inout TrialMeasures) -> Void
    let verdict: GateOutcome.Status
    var worse: [String] = []
    var better: [String] = []

    var testDescription: String { title }
  }

  @Test(arguments: [
    Case(title: "equal", change: { _ in }, verdict: .equal),
    Case(
      title: "within its floor", change: { $0.importNanoseconds = 6_060_000_000 }, verdict: .equal),
    Case(
      title: "just beyond it", change: { $0.importNanoseconds = 6_060_000_001 }, verdict: .worse,
      worse: ["import_ns"]),
    Case(
      title: "better", change: { $0.mainMergeNanoseconds? /= 2 }, verdict: .better, better: ["main_merge_ns"]),
    Case(
      title: "slower", change: { $0.rowsPerSecond? /= 2 }, verdict: .worse, worse: ["rows_per_second"]),
    Case(
      title: "mixed",
      change: {
        $0.mainMergeNanoseconds? /= 2
        $0.faultsFiredCount? *= 2
      }, verdict: .worse, worse: ["faults_fired_count"], better: ["main_merge_ns"]),
    Case(
      title: "from nothing", change: { $0.lostEditsCount = 1 }, verdict: .worse, worse: ["lost_edits_count"]),
    Case(title: "what has no better", change: { $0.windowNanoseconds? *= 2 }, verdict: .equal),
    Case(
      title: "the largest integer", change: { $0.allocatedBytes = .max }, verdict: .worse, worse: ["allocated_bytes"]),
  ])
  func `a report says what is worse and what is better`(_ example: Case) {
    let report = MadeUpGate.report(MadeUpGate.comparison(example.change))
    #expect(report.verdict == example.verdict)
    let stack = report.comparisons[0].stacks.first { $0.name == "three-tier" }
    #expect(stack?.changes(.worse).map(\.measure.name) == example.worse)
    #expect(stack?.changes(.better).map(\.measure.name) == example.better)
    #expect(report.stackCount == 6)
    #expect(report.changeCount == 6 * Measure.all.count { !$0.isOfHost && !$0.isOfWorkInFlight })
  }

  @Test func `a tolerance of its own holds for its measure alone`() throws {
    let measure = try #require(Measure.named("import_ns"))
    let comparison = MadeUpGate.comparison(tolerances: Tolerances(own: [measure: Tolerance(partsPerMillion: 500_000)]))
    {
      $0.importNanoseconds = $0.importNanoseconds.map { $0 * 3 / 2 }
      $0.visibleNanoseconds = $0.visibleNanoseconds.map { $0 * 3 / 2 }
    }
    #expect(comparison.stacks.flatMap { $0.changes(.worse) }.map(\.measure.name) == ["visible_ns"])
  }

  // MARK: Draws

  /// Compares draws 1 to 4 and 5 to 8 of one stack, with stalls of 50 ms in the baseline.
  private func comparison(
    first: Int64, second: Int64?, noise: GateNoise = GateNoise()
  ) throws -> (comparison: GateComparison, change: GateChange) {
    func results(_ count: Int, from number: Int, _ stall: Int64) -> GateResults {
      MadeUpGate.drawn(count, from: number) { measures, draw in
        measures.stallNanosecondsP99 = stall + Int64(draw)
      }
    }
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: results(8, from: 1, 50_000_000), now: results(4, from: 1, first),
      again: second.map { results(4, from: 5, $0) }, tolerances: Tolerances(), noise: noise)
    #expect(comparison.mismatches.isEmpty)
    let change = comparison.stacks.first?.changes.first { $0.measure.name == "stall_ns_p99" }
    return (comparison, try #require(change))
  }

  @Test func `means over the draws that both have are compared`() throws {
    let (comparison, change) = try comparison(first: 53_000_000, second: nil)
    // The value before is the one of draws 1 to 4.
    #expect(change.before == 50_000_002.5)
    #expect(change.now == 53_000_002.5)
    #expect(change.verdict == .worse)
    #expect(comparison.drawCount == 4)
    #expect(comparison.hasMoved)
  }

  @Test func `a move counts only if the second look shows it as well`() throws {
    let (both, confirmed) = try comparison(first: 53_000_000, second: 54_000_000)
    #expect(confirmed.verdict == .worse)
    #expect(confirmed.now - confirmed.before == 3_500_000)
    #expect(both.drawCount == 8)
    // The change is seen once, and in the other direction the second time.
    for second in [50_500_000, 46_000_000, 50_000_000] as [Int64] {
      let (comparison, change) = try comparison(first: 58_000_000, second: second)
      #expect(change.verdict != .worse, "\(second)")
      #expect(!comparison.hasMoved)
    }
  }

  @Test func `a move within chance is named, and does not count`() throws {
    let measure = try #require(Measure.named("stall_ns_p99"))
    let noise = GateNoise(figures: ["three-tier": [measure: GateNoise.Figure(deviation: 4_000_000, shift: 1_000_000)]])
    // 1 ms + 3 * 4 ms / 2.
    let (quiet, within) = try comparison(first: 56_900_000, second: nil, noise: noise)
    #expect(within.verdict == .tolerated)
    #expect(
      MadeUpGate.report(quiet).uncertainLines(json: "--format json") == [
        "six, three-tier: stall_ns_p99 50.00 ms -> 56.90 ms (+13.8 %)"
      ])
    let (_, beyond) = try comparison(first: 57_100_000, second: nil, noise: noise)
    #expect(beyond.verdict == .worse)
  }

  @Test func `a band that changes is named although the move does not count`() throws {
    let before = MadeUpGate.drawn(4) { measures, _ in measures.hitchMicrosecondsPerSecond = 4_500 }
    let now = MadeUpGate.drawn(4) { measures, _ in measures.hitchMicrosecondsPerSecond = 5_500 }
    let report = MadeUpGate.report(
      GateComparison(of: "six", roles: MadeUpResults.roles, before: before, now: now, tolerances: Tolerances()))
    #expect(report.verdict == .equal)
    let line = "six, three-tier: Apple's band for hitches: good (4.500 ms/s) before, fair (5.500 ms/s) now"
    #expect(report.bandLines == [line])
    #expect(
      GatePage(report, words: MadeUpResults.words, listsMismatches: false).page.terminal().contains(
        "Apple's bands that have changed:"))
    #expect(GatePage(report, words: MadeUpResults.words, listsMismatches: true).page.markdown.contains("- \(line)\n"))
    #expect(GateJUnit(report).text.contains("good (4.500 ms/s) before, fair (5.500 ms/s) now</system-out>"))
    #expect(try JSONText.text(of: report.json).contains("\"before\" : \"good\""))
  }

  @Test func `without a draw in common nothing can be compared`() {
    let message = "draws: other numbers in the baseline, numbers from 5 now"
    let other = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.drawn(4), now: MadeUpGate.drawn(4, from: 5),
      tolerances: Tolerances())
    #expect(other.mismatches == [GateMismatch(.rows, message)])
    let none = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.drawn(4),
      now: MadeUpGate.results(of: MadeUpGate.six.filter { $0.identity.name == "three-tier" }), tolerances: Tolerances())
    #expect(none.mismatches == [GateMismatch(.rows, "draws: other numbers in the baseline, none now")])
  }

  // MARK: What cannot be compared

  struct Mismatch: Sendable, CustomTestStringConvertible {
    let title: String
    var before: GateResults = MadeUpGate.results()
    var now: GateResults = MadeUpGate.results()
    var flags: Set<String> = []
    var failures: [String] = []
    let kind: GateMismatch.Kind
    let messages: [String]

    init(
      _ title: String, before: GateResults = MadeUpGate.results(), now: GateResults = MadeUpGate.results(),
      flags: Set<String> = [], failures: [String] = [], _ kind: GateMismatch.Kind, _ messages: String...
    ) {
      self.title = title
      self.before = before
      self.now = now
      self.flags = flags
      self.failures = failures
      self.kind = kind
      self.messages = messages
    }

    var testDescription: String { title }

    static func manifest(_ change: (inout Manifest) -> Void) -> GateResults {
      var manifest = MadeUpGate.manifest
      change(&manifest)
      return MadeUpGate.results(of: MadeUpGate.six, manifest)
    }
  }

  private static let mismatches = [
    Mismatch(
      "a stack that is missing", now: MadeUpGate.results(of: Array(MadeUpGate.six.dropLast())), .rows,
      "per-view-controller: in the baseline, but missing now"),
    Mismatch(
      "a stack that is new", before: MadeUpGate.results(of: Array(MadeUpGate.six.dropFirst())), .rows,
      "all-main: missing in the baseline"),
    Mismatch(
      "a trial that is missing",
      before: MadeUpGate.results(of: MadeUpGate.six + [MadeUpResults.trial("all-main", nil, scale: 6, trial: 2)]),
      .rows, "all-main, trial 2: in the baseline's trials.csv, but missing now"),
    Mismatch(
      "a measure that is empty now", now: MadeUpGate.results(of: MadeUpGate.changed { $0.hangsCount = nil }), .measure,
      "three-tier: hangs_count is 4000044 in the baseline, and not measured now"),
    Mismatch(
      "a measure that was empty", before: MadeUpGate.results(of: MadeUpGate.changed { $0.hangsCount = nil }), .measure,
      "three-tier: hangs_count is not measured in the baseline, and 4000044 now"),
    Mismatch(
      "other data", now: MadeUpGate.results(of: MadeUpGate.changed { $0.storeDigest = "00" }), .data,
      "three-tier: store_digest: the store holds different data than in the baseline"),
    Mismatch(
      "data that did not verify", now: MadeUpGate.results(of: MadeUpGate.changed { $0.verified = 0 }), .unverified,
      "three-tier: its data did not verify now"),
    Mismatch(
      "a baseline that did not verify", before: MadeUpGate.results(of: MadeUpGate.changed { $0.verified = nil }),
      .unverified, "three-tier: its data did not verify in the baseline"),
    Mismatch(
      "a trial that failed", failures: ["three-tier, trial 1: it hung"], .unverified, "three-tier, trial 1: it hung"),
    Mismatch(
      "another SQLite", now: Mismatch.manifest { $0.versions.sqlite = "3.46.0" }, .version,
      "sqlite: 3.40.1 in the baseline, 3.46.0 now"),
    Mismatch(
      "another configuration", now: Mismatch.manifest { $0.configuration = "debug" }, .configuration,
      "configuration: release in the baseline, debug now (simulated figures are the same in both, but the gate "
        + "compares equal builds only)"),
    Mismatch(
      "another profile's version", now: Mismatch.manifest { $0.profileVersion = 4 }, .profile,
      "profile_version: 3 in the baseline, 4 now"),
    Mismatch(
      "another profile", now: Mismatch.manifest { $0.profile = "iphone-4s" }, .profile,
      "--profile: iphone-15-pro in the baseline, iphone-4s now"),
    Mismatch(
      "another workload", now: Mismatch.manifest { $0.flags["rows"] = "200" }, .workload,
      "--rows: 100 in the baseline, 200 now"),
    Mismatch(
      "a flag that is gone", now: Mismatch.manifest { $0.flags["rows"] = nil }, .workload,
      "--rows: 100 in the baseline, not known now"),
    Mismatch(
      "a flag of the run that the baseline does not know", now: Mismatch.manifest { $0.flags["cell-work"] = "5" },
      flags: ["cell-work"], .workload, "--cell-work: not known in the baseline, 5 now"),
    Mismatch(
      "another seed", now: Mismatch.manifest { $0.seed = 2 }, .workload, "--seed: 1 in the baseline, 2 now"),
    Mismatch(
      "a newer program", before: Mismatch.manifest { $0.versions.tool = "0.10.0" }, .version,
      "tool: the baseline is of stackbench 0.10.0, this is 0.1.0"),
  ]

  @Test(arguments: mismatches)
  func `what is not like the baseline is named`(_ example: Mismatch) {
    let comparison = GateComparison(
      of: "six", flags: example.flags, roles: MadeUpResults.roles, before: example.before, now: example.now,
      tolerances: Tolerances(),
      failures: example.failures)
    #expect(comparison.mismatches == example.messages.map { GateMismatch(example.kind, $0) })
    #expect(MadeUpGate.report(comparison).verdict == .incomparable)
  }

  @Test func `a stack in another's place is judged, and so are its settings`() {
    let reset = MadeUpGate.six.map { record in
      var record = record
      if record.identity.topology == "worker-merge" {
        record.identity.variant = "reset"
        record.measures.importNanoseconds? *= 2
      }
      return record
    }
    var manifest = MadeUpGate.manifest
    manifest.flags["merge-policy"] = "overwrite"
    manifest.flags["batch-size"] = "50"
    var before = MadeUpGate.manifest
    before.flags["merge-policy"] = "error"
    before.flags["batch-size"] = "500"
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, judged: ["batch-size"],
      before: MadeUpGate.results(of: MadeUpGate.six, before), now: MadeUpGate.results(of: reset, manifest),
      tolerances: Tolerances())
    #expect(comparison.mismatches.isEmpty)
    #expect(
      comparison.changed == [
        "the stack: worker-merge/notification in the baseline, worker-merge/reset now",
        "--batch-size: 500 in the baseline, 50 now", "--merge-policy: error in the baseline, overwrite now",
      ])
    let worse = comparison.stacks.filter { !$0.changes(.worse).isEmpty }
    #expect(worse.map(\.name) == ["worker-merge/reset"])
    #expect(worse.first?.changes(.worse).map(\.measure.name) == ["import_ns"])
    #expect(worse.first?.changes(.worse).map(\.evidence) == [.oneDevice])
    // A setting that is not one of the stack's changes the question.
    let unlike = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.results(of: MadeUpGate.six, before),
      now: MadeUpGate.results(of: reset, manifest), tolerances: Tolerances())
    #expect(unlike.mismatches == [GateMismatch(.workload, "--batch-size: 500 in the baseline, 50 now")])
  }

  @Test func `unlike circumstances are not judged, missing rows leave the others`() {
    let unlike = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.results(),
      now: Mismatch.manifest { $0.flags["rows"] = "7" },
      tolerances: Tolerances())
    #expect(unlike.stacks.isEmpty)
    let missing = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.results(),
      now: MadeUpGate.results(of: Array(MadeUpGate.six.dropLast())),
      tolerances: Tolerances())
    #expect(missing.stacks.count == 5)
  }

  @Test func `what changes no simulated figure is let be`() {
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: MadeUpGate.results(),
      now: Mismatch.manifest {
        $0.host = Manifest.Host(cpuModel: "Other CPU", cores: 64, kernel: "7.0")
        $0.versions.swift = "6.4"
        $0.versions.tool = "0.2.0"
        $0.versions.packages["Rainbow"] = "5.0.0"
        $0.flags["time-limit"] = "9"
        $0.flags["cell-work"] = "0"
        $0.startedAt += 1_000
      }, tolerances: Tolerances())
    #expect(comparison.mismatches.isEmpty)
    #expect(MadeUpGate.report(comparison).verdict == .equal)
  }

  // MARK: Explanations

  @Test func `the counters that changed explain, the largest share first`() {
    let comparison = MadeUpGate.comparison {
      $0.importNanoseconds? *= 2
      $0.faultsFiredCount? *= 3
      $0.sqlStatementsCount? += 1
      $0.conflictsCount? /= 2
    }
    let stack = comparison.stacks.first { $0.name == "three-tier" }
    #expect(
      stack?.explanation.counters.map(\.name) == ["faults_fired_count", "conflicts_count", "sql_statements_count"])
    #expect(stack?.explanation.charges == [])
    #expect(comparison.stacks.filter { $0.name != "three-tier" }.allSatisfy { $0.explanation.isEmpty })
  }

  @Test func `what the profile charged explains, the most time first`() {
    let comparison = MadeUpGate.comparison(charged: { manifest in
      var manifest = manifest
      let place = manifest.simulatedTrials?.firstIndex { $0.topology == "three-tier" }
      manifest.simulatedTrials?[place ?? 0].chargedNanoseconds = [
        "ui faultFired": 40_000_007, "import rowWritten": 600_000_000, "ui changeMergedFault": 5,
      ]
      return manifest
    }) { $0.importNanoseconds? *= 2 }
    let stack = comparison.stacks.first { $0.name == "three-tier" }
    #expect(stack?.explanation.charges.map(\.work) == ["import rowWritten", "ui faultFired", "ui changeMergedFault"])
    #expect(stack?.explanation.charges.map(\.nanoseconds) == [-100_000_000, 7, 5])
  }

  @Test func `what holds for all runs is said once`() {
    let other = Mismatch.manifest { $0.configuration = "debug" }
    let report = MadeUpGate.report(
      GateComparison(
        of: "six", roles: MadeUpResults.roles, before: MadeUpGate.results(), now: other, tolerances: Tolerances()),
      GateComparison(
        of: "one-big-save", roles: MadeUpResults.roles, before: MadeUpGate.results(), now: other,
        tolerances: Tolerances(), failures: ["it hung"]))
    #expect(report.mismatchLines.count == 2)
    #expect(report.mismatchLines[0].hasPrefix("all runs: configuration: "))
    #expect(report.mismatchLines[1] == "one-big-save: it hung")
  }
}
