import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct ComparisonPageTests {
  /// Returns trials of two stacks. If `isSlower`, the main queue of the first is 20 % busier and imports take half as
  /// long.
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
    return ComparedResult(title: title, manifest: MadeUpResults.manifest, trials: trials, roles: MadeUpResults.roles)
  }

  private func text(
    _ first: ComparedResult, _ second: ComparedResult, _ design: Comparison.Design, width: Int = 80
  ) -> String {
    ComparisonPage(Comparison(first.trials, second.trials, design: design), first: first, second: second).page.terminal(
      width: width)
  }

  @Test func `pairs read as expected`() {
    let text = text(result("main"), result("HEAD", isSlower: true), .paired)
    #expect(
      text.hasPrefix(
        """
        Verdict: worse.
        Before:  main (stackbench 0.1.0)
        After:   HEAD (stackbench 0.1.0)
        catalog, 100000 rows, seed 1, live machine; trials in turns, Wilcoxon on pairs

        Of 16 measures: 1 worse, 1 better, 14 equal.
        Worse:
          all-main: main busy +20.0 % (+20.0 to +20.0 %)
        Better:
          all-main: import 2.00 times as fast

        all-main, 12 pairs

        measure        before after  change verdict    95 % interval     p
        -------------- ------ ----- ------- ------- ---------------- -----
        total hitch ms  166.7 166.7     0 % equal           0 to 0 % 1.000
        stall p99 ms    42.80 42.80     0 % equal           0 to 0 % 1.000
        main busy ms     1625  1950 +20.0 % worse   +20.0 to +20.0 % 0.008
        import s        12.00 6.000  1/2.00 better  1/2.00 to 1/2.00 0.008
        visible p99 ms  186.0 186.0     0 % equal           0 to 0 % 1.000
        edit p99 ms     320.0 320.0     0 % equal           0 to 0 % 1.000
        heap peak MB    35.31 35.31     0 % equal           0 to 0 % 1.000
        allocated MB    2.000 2.000     0 % equal           0 to 0 % 1.000

        worker-merge/notification, 12 pairs

        """))
    #expect(
      text.contains(
        """
        Other measures: change of the medians, without a verdict:
        #1 all-main, #2 worker-merge/notification

        column                  #1 #2
        ------------------ ------- --
        faults_fired_count +0.35 %  0

        No change: window_ns, visible_ns, rows_per_second, hitch_us_per_s, ticks_count,

        """))
    #expect(
      text.hasSuffix(
        """
        duplicates_count, stale_rows_count, yardstick_ns, steal_ns

        A change counts if it exceeds the floors of 'stackbench compare --help'; p is
          given after Holm's correction over 16 tests.
        The figures are not adjusted to the computer's speed, because one version has no
          yardstick.

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
    #expect(words.contains("Import, main busy and main CPU times are adjusted to the mean speed of each pair."))
  }

  @Test func `too few trials are said with the number that would do`() {
    let text = text(result("A", trialCount: 3), result("B", isSlower: true, trialCount: 3), .unpaired)
    #expect(text.contains("inconclusive too few trials 1.000\n"))
    #expect(
      text.contains(
        "Too few trials: with 16 tests, at least 6 trials of each stack in both results\n"
          + "are needed for a verdict of worse or better.\n\nall-main, 3 trials each\n"))
    #expect(text.hasPrefix("Verdict: inconclusive.\n"))
  }

  @Test func `exact results have neither an interval nor a probability`() {
    let text = text(result("A", trialCount: 1), result("B", isSlower: true, trialCount: 1), .exact)
    #expect(!text.contains("95 %") && !text.contains("too few"))
    #expect(text.contains("main busy ms     1625  1950 +20.0 % worse\n"))
    #expect(text.contains("Simulated results are exact: a change counts if it exceeds the floors of"))
  }

  @Test func `a change below the floor of its measure names the floor, and is counted apart`() throws {
    var second = result("B", trialCount: 1)
    var first = result("A", trialCount: 1)
    for index in first.trials.indices {
      first.trials[index].measures.stallNanosecondsP99 = index == 0 ? 900_000 : 400_000
      second.trials[index].measures.stallNanosecondsP99 = index == 0 ? 901_000 : 224_800
      second.trials[index].measures.heapPeakBytes = first.trials[index].measures.heapPeakBytes.map { $0 * 101 / 100 }
    }
    let text = text(first, second, .exact)
    #expect(text.contains("stall p99 ms    0.400 0.225 -43.8 % below the floor of 1 ms\n"), "\(text)")
    #expect(text.contains("stall p99 ms    0.900 0.901 +0.11 % equal\n"), "\(text)")
    #expect(text.contains("\nOf 16 measures: 15 equal, 1 below the floor.\n"))
    #expect(text.contains(" A change below its floor counts as equal.\n"))
    #expect(text.hasPrefix("Verdict: equal.\n"))
    let page = ComparisonPage(Comparison(first.trials, second.trials, design: .exact), first: first, second: second)
    #expect(page.page.markdown.contains("| 0.400 | 0.225 | -43.8 % | below the floor of 1 ms |\n"))
    let json = try page.text(.json)
    #expect(json.components(separatedBy: "\"below_floor\" : true").count == 2)
  }

  @Test func `between two runs the floor of 15 per cent is the one that is named`() {
    var second = result("B")
    for index in second.trials.indices {
      second.trials[index].measures.importNanoseconds = second.trials[index].measures.importNanoseconds.map {
        $0 * 110 / 100
      }
    }
    let text = text(result("A"), second, .unpaired)
    #expect(
      text.contains("+10.0 % below the floor +10.0 to +10.0 % 0.000\n                                    of 15 %\n"),
      "\(text)")
    #expect(text.hasPrefix("Verdict: equal.\n"))
  }

  @Test(arguments: [(60, 8), (80, 2), (160, 1)])
  func `tables are as wide as the terminal, and a single one where it has the room`(width: Int, tableCount: Int) {
    let lines = text(result("A"), result("B", isSlower: true), .paired, width: width).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
    #expect(lines.count { $0.contains("main busy ms") } == (width == 60 ? 4 : 2))
    let titles = lines.filter { $0.hasPrefix("measure ") || $0.hasPrefix("topology ") }
    #expect(titles.count == (width == 60 ? 4 : tableCount), "\(titles)")
    #expect(titles.allSatisfy { $0.contains("verdict") } == (width > 60))
  }

  @Test func `a measure has one unit in all tables, which its title names`() {
    for width in [60, 80, 160] {
      let lines = text(result("A"), result("B", isSlower: true), .paired, width: width).split(separator: "\n")
      for name in ["import", "main busy", "heap peak"] {
        let titles = lines.compactMap {
          $0.firstMatch(of: /\b(import|main busy|heap peak) (ms|s|kB|MB) +[0-9]/)?.output
        }
        .filter { $0.1 == name }
        #expect(Set(titles.map(\.2)).count == 1 && titles.count >= 2, "\(name): \(titles)")
      }
    }
  }

  @Test func `what the trials leave open is named without a claim`() {
    var second = result("B")
    for index in second.trials.indices where second.trials[index].identity.topology == "all-main" {
      // Half of the trials take twice as long.
      let isHit = second.trials[index].identity.trial % 2 == 0
      second.trials[index].measures.importNanoseconds = second.trials[index].measures.importNanoseconds.map {
        isHit ? $0 * 2 : $0
      }
    }
    let text = text(result("A"), second, .paired)
    #expect(text.hasPrefix("Verdict: inconclusive.\n"))
    #expect(
      text.contains("\nOf 16 measures: 15 equal, 1 inconclusive.\nInconclusive:\n  all-main: import\n"), "\(text)")
  }

  @Test func `stacks of one result only are named`() {
    var second = result("B")
    second.trials.removeAll { $0.identity.topology == "all-main" }
    #expect(text(result("A"), second, .unpaired).contains("Left out, because only A has them: all-main.\n"))
  }

  @Test func `the verdict's words are coloured where that is asked for, and nothing moves`() {
    let (first, second) = (result("A"), result("B", isSlower: true))
    let comparison = Comparison(first.trials, second.trials, design: .paired)
    let coloured = ComparisonPage(comparison, first: first, second: second).page.terminal(usesColour: true)
    #expect(coloured.contains("\u{1B}[31m"))
    let plain = coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    #expect(words(plain) == words(ComparisonPage(comparison, first: first, second: second).page.terminal()))
  }

  @Test func `JSON reads as expected`() throws {
    let (first, second) = (result("A"), result("B", isSlower: true))
    let comparison = Comparison(first.trials, second.trials, design: .paired)
    let json = try ComparisonPage(comparison, first: first, second: second).text(.json)
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
              "below_floor" : false,
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
    let text = ComparisonPage(comparison, first: first, second: second).page.markdown
    #expect(
      text.hasPrefix(
        """
        ### Stackbench comparison: worse

        - **Verdict**: worse.
        - **Before**: v1 (stackbench 0.1.0)
        - **After**: fix\\_it (stackbench 0.1.0)

        catalog, 100000 rows, seed 1, live machine; trials in turns, Wilcoxon on pairs

        Of 16 measures: 1 worse, 1 better, 14 equal.

        Worse:

        - all-main: main busy +20.0 % (+20.0 to +20.0 %)

        Better:

        - all-main: import 2.00 times as fast

        <details><summary>All 16 judged measures (trials in turns, Wilcoxon on pairs)</summary>

        12 pairs of each stack

        | topology | measure | before | after | change | verdict | 95 % interval | p |
        | --- | --- | --: | --: | --: | --- | --: | --: |
        | all-main | total hitch ms | 166.7 | 166.7 | 0 % | equal | 0 to 0 % | 1.000 |

        """))
    #expect(text.contains("|  | import s | 12.00 | 6.000 | 1/2.00 | better | 1/2.00 to 1/2.00 | 0.008 |\n"))
    #expect(text.contains("|  | main busy ms | 1625 | 1950 | +20.0 % | **worse** | +20.0 to +20.0 % | 0.008 |\n"))
    #expect(
      text.contains(
        "steal\\_ns\n\n</details>\n\nA change counts if it exceeds the floors of `stackbench compare --help`;"))
  }
}
