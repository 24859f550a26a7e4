import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct ComparisonReportTests {
  /// Trials of two stacks; where `isSlower`, the main queue of the first is 20 % busier and imports take half as long.
  private func result(_ title: String, isSlower: Bool = false, trialCount: Int = 12) -> ComparedResult {
    let trials = (1...trialCount).flatMap { number in
      [("all-main", nil, Int64(2)), ("worker-merge", "notification", 1)].map { topology, variant, scale in
        var trial = MadeUpResults.trial(topology, variant, scale: scale, trial: number)
        // No two trials are the same.
        let drift = Int64(number) * 1_000
        trial.measures.mainBusyNanoseconds = trial.measures.mainBusyNanoseconds.map { $0 + drift }
        guard isSlower, topology == "all-main" else { return trial }
        trial.measures.mainBusyNanoseconds = trial.measures.mainBusyNanoseconds.map { $0 * 12 / 10 }
        trial.measures.importNanoseconds = trial.measures.importNanoseconds.map { $0 / 2 }
        trial.measures.faultsFiredCount = trial.measures.faultsFiredCount.map { $0 + 7_000 }
        return trial
      }
    }
    return ComparedResult(title: title, manifest: MadeUpResults.manifest, trials: trials)
  }

  private func text(_ first: ComparedResult, _ second: ComparedResult, _ design: Comparison.Design) -> String {
    ComparisonReport(Comparison(first.trials, second.trials, design: design), first, second).text
  }

  @Test func `pairs read as expected`() {
    let text = text(result("main"), result("HEAD", isSlower: true), .paired)
    #expect(
      text.hasPrefix(
        """
        before: main (stackbench 0.1.0)
        after:  HEAD (stackbench 0.1.0)
        catalog, 100000 rows, seed 1, live machine; trials in turns, Wilcoxon on pairs

        all-main, 12 pairs

        measure       before    after   shift      95 % interval     p verdict
        ----------- -------- -------- ------- ------------------ ----- -------
        total hitch 166.7 ms 166.7 ms     0 %         0 % to 0 % 1.000 equal
        stall p99   42.80 ms 42.80 ms     0 %         0 % to 0 % 1.000 equal
        main busy    1625 ms  1950 ms +20.0 % +20.0 % to +20.0 % 0.008 worse
        import       12.00 s  6000 ms -50.0 % -50.0 % to -50.0 % 0.008 better
        visible p99 186.0 ms 186.0 ms     0 %         0 % to 0 % 1.000 equal
        edit p99    320.0 ms 320.0 ms     0 %         0 % to 0 % 1.000 equal
        heap peak   35.31 MB 35.31 MB     0 %         0 % to 0 % 1.000 equal
        allocated   2.000 MB 2.000 MB     0 %         0 % to 0 % 1.000 equal

        worker-merge/notification, 12 pairs

        """))
    #expect(
      text.contains(
        """
        Other measures, change of the medians, without verdict:
        #1 all-main, #2 worker-merge/notification

        column                  #1 #2
        ------------------ ------- --
        faults_fired_count +0.35 %  0

        The same: window_ns, visible_ns, rows_per_second, hitch_us_per_s, ticks_count,

        """))
    #expect(
      text.hasSuffix(
        """
        duplicates_count, stale_rows_count, yardstick_ns, steal_ns

        Worse: all-main main busy +20.0 %.
        Better: all-main import -50.0 %.
        A shift counts beyond the floors of 'stackbench compare --help'; p after Holm's
        correction over 16 tests.
        Figures are as measured: a version that does not measure the yardstick tells no
        speed.
        Verdict: worse.

        """))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `pairs at a common speed are said, with how much it changed`() {
    var first = result("main")
    first.turnDrift = YardstickDrift(of: [
      YardstickPair(beforeNanoseconds: 10_000_000, afterNanoseconds: 10_000_000),
      YardstickPair(beforeNanoseconds: 12_000_000, afterNanoseconds: 12_000_000),
    ])
    let words = text(first, result("HEAD"), .paired).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Yardstick over 2 trials: least 10.00, median 10.00, greatest 12.00 ms;"))
    #expect(words.contains("Import, main busy and main CPU times are those at the mean speed of each pair."))
  }

  @Test func `too few trials are said with the number that would do`() {
    let text = text(result("A", trialCount: 3), result("B", isSlower: true, trialCount: 3), .unpaired)
    #expect(text.contains("too few trials 1.000 inconclusive\n"))
    #expect(
      text.contains(
        "Too few trials: with 16 tests nothing can be called worse or better; that takes\n"
          + "6 trials of each stack in both results.\n"))
    #expect(text.hasSuffix("Verdict: inconclusive.\n"))
  }

  @Test func `exact results have neither an interval nor a probability`() {
    let text = text(result("A", trialCount: 1), result("B", isSlower: true, trialCount: 1), .exact)
    #expect(!text.contains("95 %") && !text.contains("too few"))
    #expect(text.contains("main busy    1625 ms  1950 ms +20.0 % worse\n"))
    #expect(text.contains("Simulated results are exact: a difference counts beyond the floors of\n"))
  }

  @Test func `stacks of one result only are named`() {
    var second = result("B")
    second.trials.removeAll { $0.identity.topology == "all-main" }
    #expect(text(result("A"), second, .unpaired).contains("Left out, in A only: all-main.\n"))
  }

  @Test func `the verdict's words are coloured where that is asked for, and nothing moves`() {
    let (first, second) = (result("A"), result("B", isSlower: true))
    let comparison = Comparison(first.trials, second.trials, design: .paired)
    let coloured = ComparisonReport(comparison, first, second, usesColour: true).text
    #expect(coloured.contains("\u{1B}[31m"))
    let plain = coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    #expect(words(plain) == words(ComparisonReport(comparison, first, second).text))
  }

  @Test func `JSON reads as expected`() throws {
    let (first, second) = (result("A"), result("B", isSlower: true))
    let comparison = Comparison(first.trials, second.trials, design: .paired)
    let json = try JSONText.text(of: ComparisonDocument(comparison, first, second))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "after", "before", "design", "measures", "needed_trials", "notes", "others", "verdict",
      ])
    #expect(object["needed_trials"] is NSNull)
    #expect(json.hasSuffix("  \"verdict\" : \"worse\"\n}\n"))
    #expect(
      json.contains(
        """
        {
              "after" : 1949636827,
              "before" : 1624697356,
              "floor" : 48740921,
              "measure" : "main_busy_ns",
              "p" : 0.00048828125,
              "p_holm" : 0.0078125,
              "shift" : 324939571,
              "shift_high" : 324940071,
              "shift_low" : 324939071,
              "shift_ppm" : 200000,
              "topology" : "all-main",
              "verdict" : "worse"
            },
        """), "\(json)")
  }

  @Test func `Markdown names what changed, then folds all away`() {
    let (first, second) = (result("v1"), result("fix_it", isSlower: true))
    let comparison = Comparison(first.trials, second.trials, design: .paired)
    let text = ComparisonMarkdown(comparison, first, second).text
    #expect(
      text.hasPrefix(
        """
        **worse**: v1 → fix\\_it

        | topology | measure | before | after | shift | 95 % interval | verdict |
        |---|---|--:|--:|--:|--:|---|
        | all-main | main busy | 1625 ms | 1950 ms | +20.0 % | +20.0 % to +20.0 % | worse |
        | all-main | import | 12.00 s | 6000 ms | -50.0 % | -50.0 % to -50.0 % | better |

        <details><summary>All 16 judged measures (trials in turns, Wilcoxon on pairs)</summary>

        | topology | measure | before | after | shift | 95 % interval | verdict |
        |---|---|--:|--:|--:|--:|---|
        | all-main | total hitch | 166.7 ms | 166.7 ms | 0 % | 0 % to 0 % | equal |

        """))
    #expect(text.hasSuffix(" | equal |\n\n</details>\n"))
  }
}
