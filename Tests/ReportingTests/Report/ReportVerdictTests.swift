import Metrics
import Testing

@testable import Reporting

@Suite struct ReportVerdictTests {
  @Test(
    arguments: [
      ("all alike", MadeUpReport.result(), [], ["Good", "Data verified"]),
      (
        "one is poor", MadeUpReport.result(changing: hitching("a", 900_000_000, ratio: 450_000)), [],
        ["Unacceptable", "Good", "Data verified"]
      ),
      (
        "one is fair", MadeUpReport.result(["a", "b"], changing: hitching("a", 60_000_000, ratio: 7_000)), [],
        ["Needs attention", "Good", "Data verified"]
      ),
      (
        "one did not verify", MadeUpReport.result(["a", "b"], changing: MadeUpReport.named("a") { $0.verified = 0 }),
        ["Wrong data"], ["Unacceptable", "Good"]
      ),
    ] as [(String, ReportedResult, [String], [String])])
  func `wrong data is a warning, and bands are statements`(
    name: String, result: ReportedResult, warnings: [String], titles: [String]
  ) {
    let verdict = ReportVerdict(result)
    #expect(verdict.warnings.map(\.title) == warnings, "\(name)")
    #expect(verdict.statements.map(\.title) == titles, "\(name)")
  }

  private static func hitching(_ name: String, _ total: Int64, ratio: Int64) -> (inout TrialRecord) -> Void {
    MadeUpReport.named(name) {
      $0.hitchTotalNanoseconds = total
      $0.hitchMicrosecondsPerSecond = ratio
    }
  }

  @Test(
    arguments: [
      (MadeUpReport.result { $0.measures.verified = 0 }, "No answer: the data is wrong"),
      (MadeUpReport.result { $0.measures.hitchTotalNanoseconds = nil }, "No answer: hitches were not measured"),
      (MadeUpReport.result { $0.measures.staleRowsCount = 3 }, "No stack qualifies"),
    ] as [(ReportedResult, String)])
  func `the headline says why there is no answer`(result: ReportedResult, headline: String) {
    let report = RunReport(result: result, answer: MadeUpReport.answer(result), charts: [])
    #expect(report.page.title?.plain == headline)
  }

  @Test(arguments: ["never shows the imported rows", "shows defects that are expected of it: 3 stale rows"])
  func `a stack that leaves something undone needs attention`(shortcoming: String) {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      switch (trial.identity.topology, shortcoming.hasPrefix("never")) {
      case ("b", _): break
      case (_, true): trial.measures.timeToVisibleNanosecondsMaximum = nil
      case (_, false): trial.measures.staleRowsCount = 3
      }
    }
    let statements = ReportVerdict(result).statements
    #expect(statements.first { $0.title == "Needs attention" }?.items == ["a: \(shortcoming)"])
  }

  @Test func `stores that differ are said to`() {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "b" { trial.measures.storeDigest = "other" }
    }
    let data = ReportVerdict(result).statements.first { $0.title == "Data verified" }
    #expect(data?.tone == .warning)
    #expect(data?.sentences.last == "The stores hold different data: 2 digests.")
  }

  @Test func `a debug build, a busy host and a store in memory cast doubt on a live run`() {
    var result = MadeUpReport.result(trials: 5, machine: "live")
    result.manifest.configuration = "debug"
    result.manifest.idleTicks = Manifest.IdleTicks(latenessNanosecondsP50: 1, latenessNanosecondsP99: 2_000_000)
    result.manifest.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: nil)
    #expect(ReportVerdict(result).warnings.first { $0.title == "Doubts" }?.sentences.count == 3)
    result.manifest.machine = "simulated"
    result.manifest.idleTicks = nil
    #expect(ReportVerdict(result).warnings.isEmpty)
  }
}
