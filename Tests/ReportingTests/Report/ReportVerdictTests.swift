import Metrics
import Testing

@testable import Reporting

@Suite struct ReportVerdictTests {
  /// A run and what is said of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let result: ReportedResult
    let headline: String
    /// The titles of the statements, in order.
    let titles: [String]

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "all alike", result: MadeUpReport.result(), headline: "No difference was found between a, b and c",
      titles: ["Best", "Good", "Data verified", "How sure"]),
    Case(
      name: "one is busier", result: MadeUpReport.result(["a", "b"], changing: busier("a")), headline: "Best: b",
      titles: ["Best", "Good", "Data verified", "How sure"]),
    Case(
      name: "one is poor",
      result: MadeUpReport.result(changing: hitching("a", 900_000_000, ratio: 450_000)),
      headline: "No difference was found between b and c",
      titles: ["Best", "Unacceptable", "Good", "Data verified", "How sure"]),
    Case(
      name: "one is fair", result: MadeUpReport.result(["a", "b"], changing: hitching("a", 60_000_000, ratio: 7_000)),
      headline: "Best: b", titles: ["Best", "Needs attention", "Good", "Data verified", "How sure"]),
    Case(
      name: "none is acceptable",
      result: MadeUpReport.result(["a", "b"]) { trial in
        trial.measures.hitchMicrosecondsPerSecond = 20_000
        trial.measures.hitchTotalNanoseconds = trial.identity.topology == "a" ? 300_000_000 : 100_000_000
      },
      headline: "No stack is acceptable; best: b",
      titles: ["Best", "Unacceptable", "Data verified", "How sure"]),
    Case(
      name: "the smoothest did not verify",
      result: MadeUpReport.result(["a", "b"]) { trial in
        if trial.identity.topology == "a" { trial.measures.verified = 0 }
        if trial.identity.topology == "b" { trial.measures.hitchTotalNanoseconds = 70_000_000 }
      },
      headline: "Best: b", titles: ["Best", "Unacceptable", "Good", "Wrong data", "How sure"]),
    Case(
      name: "nothing verified", result: MadeUpReport.result { $0.measures.verified = 0 },
      headline: "No verdict: the data is wrong", titles: ["Best", "Unacceptable", "Wrong data", "How sure"]),
    Case(
      name: "one stack", result: MadeUpReport.result(["a"]), headline: "a is acceptable",
      titles: ["Best", "Good", "Data verified", "How sure"]),
    Case(
      name: "one stack that is poor",
      result: MadeUpReport.result(["a"], changing: hitching("a", 900_000_000, ratio: 450_000)),
      headline: "a is unacceptable", titles: ["Best", "Unacceptable", "Data verified", "How sure"]),
    Case(
      name: "no hitches measured",
      result: MadeUpReport.result { trial in
        trial.measures.hitchTotalNanoseconds = nil
        trial.measures.hitchMicrosecondsPerSecond = nil
      },
      headline: "No verdict: hitches were not measured", titles: ["Best", "Data verified", "How sure"]),
  ]

  private static func busier(_ name: String) -> (inout TrialRecord) -> Void {
    MadeUpReport.named(name) { $0.mainBusyNanoseconds = ($0.mainBusyNanoseconds ?? 0) * 2 }
  }

  private static func hitching(_ name: String, _ total: Int64, ratio: Int64) -> (inout TrialRecord) -> Void {
    MadeUpReport.named(name) {
      $0.hitchTotalNanoseconds = total
      $0.hitchMicrosecondsPerSecond = ratio
    }
  }

  @Test(arguments: cases)
  func `the headline says which stack, and statements why`(_ run: Case) {
    let verdict = ReportVerdict(run.result)
    #expect(verdict.headline == run.headline)
    #expect(verdict.statements.map(\.title) == run.titles)
  }

  /// How sure a verdict says that it is, in its one sentence.
  private func certainty(of result: ReportedResult) -> String? {
    let statements = ReportVerdict(result).statements.filter { $0.title == "How sure" }
    #expect(statements.map(\.sentences.count) == [1])
    return statements.first?.sentences.first
  }

  @Test func `what decides is said with its figures`() {
    let result = MadeUpReport.result { trial in
      switch trial.identity.topology {
      case "a": trial.measures.stallNanosecondsP99 = 60_000_000
      case "b": trial.measures.mainBusyNanoseconds = 2_000_000_000
      default: break
      }
    }
    #expect(
      ReportVerdict(result).statements[0].sentences == [
        "a, b and c have the least hitch time: 0 in total.",
        "By stall p99, b and c are best: 21.40 ms; next is a with 60.00 ms.",
        "By main busy, c is best: 812.3 ms; next is b with 2000 ms.",
        "Stacks are named together if they differ by no more than the floors of 'stackbench compare', or by no more "
          + "than the trials of one stack do.",
      ])
  }

  @Test func `an unacceptable stack is not the best, however fast its import`() {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "a" {
        trial.measures.hangsCount = 1
        trial.measures.importNanoseconds = 1
      }
    }
    var hung = result
    hung.stalls = [MadeUpReport.stalls(of: "a", [700])]
    let verdict = ReportVerdict(hung)
    #expect(verdict.headline == "Best: b")
    #expect(
      verdict.statements[0].sentences[0] == "Among the acceptable stacks: b has the least hitch time: 0 in total.")
    #expect(verdict.statements[1].items == ["a: 1 hang longer than 500 ms"])
  }

  @Test(arguments: ["never shows the imported rows", "shows defects that are expected of it: 3 stale rows"])
  func `a stack that leaves something undone is not the best, and is said to`(shortcoming: String) {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      switch (trial.identity.topology, shortcoming.hasPrefix("never")) {
      case ("b", _): trial.measures.hitchTotalNanoseconds = 70_000_000
      case (_, true): trial.measures.timeToVisibleNanosecondsMaximum = nil
      case (_, false): trial.measures.staleRowsCount = 3
      }
    }
    let verdict = ReportVerdict(result)
    #expect(verdict.headline == "Best: b")
    #expect(verdict.statements.first { $0.title == "Needs attention" }?.items == ["a: \(shortcoming)"])
    #expect(
      verdict.statements[0].sentences[0]
        == "Among the acceptable stacks that show the right rows: b has the least hitch time: 70.00 ms in total.")
  }

  @Test func `stores that differ are said to`() {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "b" { trial.measures.storeDigest = "other" }
    }
    let data = ReportVerdict(result).statements.first { $0.title == "Data verified" }
    #expect(data?.tone == .warning)
    #expect(data?.sentences.last == "The stores hold different data: 2 digests.")
  }

  @Test func `drawn devices say how often the best is the best`() {
    var result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "b" { trial.measures.hitchTotalNanoseconds = 70_000_000 }
    }
    result.draws = (1...4).flatMap { number in
      result.trials.map { trial in
        var draw = trial
        draw.simulation = SimulationFigures(
          fingerprint: "", draw: number, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0)
        if number == 4, trial.identity.topology == "a" { draw.measures.hitchTotalNanoseconds = 90_000_000 }
        return draw
      }
    }
    result.manifest.profile = "iphone-6s"
    #expect(
      certainty(of: result)
        == "On 3 of 4 devices drawn from the ranges of iphone-6s, no stack has less hitch time than a, and on 3 the "
        + "whole "
        + "ranking by hitch time is the same.")
    result.draws = []
    #expect(
      certainty(of: result)
        == "The figures are exact for the values of iphone-6s, and a run with --draws 20 shows on how many devices "
        + "within "
        + "the profile's ranges the ranking is the same.")
  }

  @Test func `a debug build, a busy host and a store in memory cast doubt on a live run`() {
    var result = MadeUpReport.result(trials: 5, machine: "live")
    result.manifest.configuration = "debug"
    result.manifest.idleTicks = Manifest.IdleTicks(latenessNanosecondsP50: 1, latenessNanosecondsP99: 2_000_000)
    result.manifest.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: nil)
    #expect(ReportVerdict(result).statements.first { $0.title == "Doubts" }?.sentences.count == 3)
    result.manifest.machine = "simulated"
    result.manifest.idleTicks = nil
    #expect(!ReportVerdict(result).statements.contains { $0.title == "Doubts" })
  }

  @Test func `one live trial is said to be chance`() {
    #expect(
      certainty(of: MadeUpReport.result(machine: "live"))
        == "Each stack was run once, so that differences may be chance, and a run with --trials 5 shows how much "
        + "trials differ."
    )
    #expect(
      certainty(of: MadeUpReport.result(trials: 5, machine: "live"))
        == "Each stack was run 5 times, and in a column below 0 of 3 pairs of stacks differ by at least 5 % and by "
        + "more "
        + "than the trials of either stack do.")
    #expect(
      certainty(of: MadeUpReport.result(["a"], trials: 5, machine: "live"))
        == "The stack was run 5 times, and the figures are medians.")
  }
}
