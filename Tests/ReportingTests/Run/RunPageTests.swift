import Foundation
import MachineCore
import Metrics
import Testing

@testable import Reporting

@Suite struct RunPageTests {
  private func report(
    _ trials: [TrialRecord], _ manifest: Manifest = MadeUpResults.manifest, scale: HitchScale = .scroll,
    usesColour: Bool = false
  ) -> String {
    RunPage(
      summaries: Summary.summaries(of: trials), manifest: manifest, hitchScale: scale, words: MadeUpResults.words
    ).page.terminal(usesColour: usesColour)
  }

  @Test func `a live run says how much the computer's speed changed`() {
    var manifest = MadeUpResults.manifest
    #expect(!report(MadeUpResults.six, manifest).contains("Yardstick"))
    let pairs: [(Int64, Int64)] = [(11_000_000, 11_110_000), (12_500_000, 13_500_000), (12_000_000, 12_000_000)]
    manifest.noise = pairs.map { pair in
      var noise = Manifest.Noise(
        topology: "all-main", variant: nil, trial: 1, tickerNanoseconds: nil, mainNanoseconds: nil)
      noise.yardstickBeforeNanoseconds = pair.0
      noise.yardstickAfterNanoseconds = pair.1
      return noise
    }
    let words = report(MadeUpResults.six, manifest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "Yardstick over 3 trials: least 11.05, median 12.00, greatest 13.00 ms; the values before and after one trial "
          + "differ by at most 7.7 %."))
  }

  @Test func `six topologies read as expected`() {
    #expect(
      report(MadeUpResults.six) == """
        catalog, 100000 rows, seed 1, live machine; * = best

        topology                  hitch ms  ms/s band dropped stall p99 ms
        ------------------------- -------- ----- ---- ------- ------------
        worker-merge/notification    83.3*  2.7* good      5*        21.4*
        per-view-controller         166.7   5.4  fair     10         42.8
        reversed-parent/root        250.0   8.1  fair     15         64.2
        three-tier                  333.3  10.8  poor     20         85.6
        child-of-main               416.7  13.5  poor     25        107.0
        all-main                    500.0  16.2  poor     30        128.4

        topology                  visible p99 ms edit p99 ms main busy ms import s
        ------------------------- -------------- ----------- ------------ --------
        worker-merge/notification          93.0*      640.0        812.3*   24.00
        per-view-controller               186.0       320.0       1624.7    12.00
        reversed-parent/root              279.0       213.3       2437.0     8.00
        three-tier                        372.0       160.0       3249.4     6.00
        child-of-main                     465.0       128.0       4061.7     4.80
        all-main                          558.0       106.7*      4874.1     4.00*

        topology                  durable p99 ms at risk ms heap MB    SQL verified
        ------------------------- -------------- ---------- ------- ------ --------
        worker-merge/notification          50.0*       0.0*   27.7* 48211  yes
        per-view-controller               100.0       22.0    35.3  48211  yes
        reversed-parent/root              150.0       33.0    43.0  48211  yes
        three-tier                        200.0       44.0    50.6  48211  yes
        child-of-main                     250.0       55.0    58.3  48211  yes
        all-main                          300.0       66.0    65.9  48211  yes

        The longest stalls:
        all-main, tick 13: 6.000 ms, import of 500 objects in context main; longest
          statement INSERT INTO "Z"
        child-of-main, tick 13: 5.000 ms, import of 500 objects in context main; longest
          statement INSERT INTO "Z"
        three-tier, tick 13: 4.000 ms, import of 500 objects in context main; longest
          statement INSERT INTO "Z"
        reversed-parent/root, tick 13: 3.000 ms, import of 500 objects in context main;
          longest statement INSERT INTO "Z"
        per-view-controller, tick 13: 2.000 ms, import of 500 objects in context main;
          longest statement INSERT INTO "Z"

        ms/s = hitch time per second. Apple's bands for scrolling: good < 5, fair <= 10,
          poor above.
        All stores have the same digest:
          0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
        Idle ticks started 0.12 ms late (p99).

        """)
  }

  @Test func `a sentence for each stack says what has become of computations`() {
    var record = MadeUpResults.trial("worker-merge", nil, scale: 1)
    record.measures.set(
      ComputationMeasures(
        fates: [.failed, .applied, .failed], restoredCount: 2, waits: [.microseconds(450), .milliseconds(12)]))
    let text = report([record], MadeUpResults.manifest, scale: .animation)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "worker-merge: 3 computations, 1 applied, 2 failed; 2 deleted rows came back; a deletion took 0.5 ms, at most "
          + "12.0 ms."))
  }

  @Test func `what is doubtful, tolerated or wrong is said below`() {
    var manifest = MadeUpResults.manifest
    manifest.idleTicks = Manifest.IdleTicks(latenessNanosecondsP50: 90_000, latenessNanosecondsP99: 2_345_678)
    manifest.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: 900)
    manifest.configuration = "debug"
    var stale = MadeUpResults.trial("worker-merge", "none", scale: 1)
    stale.measures.staleRowsCount = 12
    stale.measures.lostEditsCount = 1
    stale.measures.timeToVisibleNanosecondsP99 = nil
    stale.measures.heapPeakBytes = nil
    var wrong = MadeUpResults.trial("three-tier", nil, scale: 2)
    wrong.measures.staleRowsCount = 3
    wrong.measures.verified = 0
    wrong.measures.storeDigest = String(repeating: "e1", count: 32)
    #expect(
      report([wrong, stale], manifest, scale: .animation) == """
        catalog, 100000 rows, seed 1, live machine; * = best

        topology          hitch ms ms/s band dropped stall p99 ms
        ----------------- -------- ---- ---- ------- ------------
        worker-merge/none    83.3* 2.7* good      5*        21.4*
        three-tier          166.7  5.4  good     10         42.8

        topology          visible p99 ms edit p99 ms main busy ms import s
        ----------------- -------------- ----------- ------------ --------
        worker-merge/none             -       640.0        812.3*   24.00
        three-tier                186.0       320.0*      1624.7    12.00*

        topology          durable p99 ms at risk ms heap MB    SQL verified
        ----------------- -------------- ---------- ------- ------ --------
        worker-merge/none          50.0*       0.0*      -  48211  yes
        three-tier                100.0       22.0    35.3  48211  NO

        The longest stalls:
        three-tier, tick 13: 2.000 ms, import of 500 objects in context main; longest
          statement INSERT INTO "Z"
        worker-merge/none, tick 13: 1.000 ms, import of 500 objects in context main;
          longest statement INSERT INTO "Z"; waited 250.0 µs for root (save, which waits
          for store writer)

        ms/s = hitch time per second. Apple's bands for all animations: good <= 10,
          warning <= 25, critical <= 50, immediate above.
        three-tier: the data is wrong.
        worker-merge/none shows defects that are expected of it: 1 lost edit, 12 stale
          rows.
        The stores hold different data: 2 digests.
        Warning: the computer was too busy for valid figures: idle ticks started 2.35 ms
          late (p99), and the limit is 1 ms.
        Warning: the store was in memory (tmpfs), where syncs take no time.
        Warning: this is a debug build, so the figures are not valid.

        """)
  }

  @Test func `a simulated result is printed alike in every build and on every file system`() {
    var manifest = MadeUpResults.manifest
    manifest.machine = "simulated"
    let text = report(MadeUpResults.six, manifest, scale: .scroll)
    manifest.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: 900)
    manifest.configuration = "debug"
    #expect(report(MadeUpResults.six, manifest, scale: .scroll) == text)
  }

  @Test func `pairs of stacks that do not differ in print are named`() {
    let trials = ["all-main", "three-tier"].flatMap { topology in
      [1, 2].map { number in
        var trial = MadeUpResults.trial(topology, nil, scale: 1)
        trial.identity.trial = number
        return trial
      }
    }
    func text(_ separation: Separation?) -> String {
      RunPage(
        summaries: Summary.summaries(of: trials), manifest: MadeUpResults.manifest, hitchScale: .scroll,
        words: MadeUpResults.words, separation: separation
      ).page.terminal()
    }
    let separated = text(Separation(of: trials, by: RunPage.printedMeasures))
    #expect(
      separated.contains(
        "than the trials of either stack do. No such difference was found between\n  all-main and three-tier.\n"
      ))
    #expect(!text(nil).contains("pairs of stacks differ"))
  }

  @Test func `rows are sorted by total hitch time, then import time, then name`() {
    func trial(_ topology: String, hitch: Int64, importing: Int64) -> TrialRecord {
      var trial = MadeUpResults.trial(topology, nil, scale: 1)
      trial.measures.hitchTotalNanoseconds = hitch
      trial.measures.importNanoseconds = importing
      return trial
    }
    let text = report([
      trial("e", hitch: 9, importing: 1), trial("d", hitch: 0, importing: 7), trial("c", hitch: 0, importing: 5),
      trial("b", hitch: 0, importing: 5),
    ])
    let rows = text.split(separator: "\n").filter { $0.dropFirst().first == " " && $0.first != " " }
    #expect(rows.map { $0.prefix(1) }.joined() == "bcdebcdebcde")
  }

  @Test func `equal figures share the mark, and one topology has nothing to be best at`() {
    let one = report([MadeUpResults.six[1]])
    #expect(!one.replacingOccurrences(of: "* = best", with: "").contains("*"))
    let three = report([
      MadeUpResults.trial("a", nil, scale: 1), MadeUpResults.trial("b", nil, scale: 1),
      MadeUpResults.trial("c", nil, scale: 2),
    ])
    #expect(three.components(separatedBy: " 83.3*").count == 3)
  }

  @Test func `colour changes nothing but colour`() {
    let plain = report(MadeUpResults.six)
    let coloured = report(MadeUpResults.six, usesColour: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[32;1m   83.3*\u{1B}[0m"))
    #expect(coloured.contains("\u{1B}[31mpoor\u{1B}[0m"))
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func `tables fit eighty columns with long names and large figures`() {
    let trials = [1, 1_500].map {
      MadeUpResults.trial("worker-merge", $0 == 1 ? "notification" : "automatic", scale: $0)
    }
    let tables = report(trials, scale: .animation).split(separator: "\n")
    #expect(tables.map(\.count).max() ?? 0 <= 80)
  }

  private func drawn(_ trial: TrialRecord, _ draw: Int) -> TrialRecord {
    var trial = trial
    trial.simulation = SimulationFigures(
      fingerprint: "", draw: draw, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0)
    return trial
  }

  /// Returns the table of some trials with three devices drawn for each of two stacks.
  private func drawnReport() -> String {
    var nominal = MadeUpResults.trial("all-main", nil, scale: 1)
    nominal.measures.hitchTotalNanoseconds = 0
    let trials = [MadeUpResults.trial("three-tier", nil, scale: 4), nominal]
    let draws = zip([5, 3, 4], [1, 6, 2]).enumerated().flatMap { draw, scales in
      [
        drawn(MadeUpResults.trial("three-tier", nil, scale: scales.0), draw + 1),
        drawn(MadeUpResults.trial("all-main", nil, scale: scales.1), draw + 1),
      ]
    }
    let summaries = Summary.summaries(of: trials, draws: draws)
    return RunPage(
      summaries: summaries, manifest: MadeUpResults.manifest, hitchScale: .scroll, words: MadeUpResults.words,
      draws: DrawBands(of: draws, values: summaries, by: RunPage.printedMeasures)
    ).page.terminal()
  }

  @Test func `a figure is the median over draws, with their range and the share of the band below`() {
    let text = drawnReport()
    // The device with exactly the values of its profile would have shown 0.0 ms for all-main.
    #expect(
      text.contains(
        """
        topology       hitch ms      ms/s band   dropped stall p99 ms
        ---------- ------------ --------- ------ ------- ------------
        all-main         166.7*      5.4* fair       10*        42.8*
                    83.3-500.0  2.7-16.2  1 of 3   5-30   21.4-128.4
        three-tier       333.3      10.8  poor       20         85.6
                   250.0-416.7  8.1-13.5  2 of 3  15-25   64.2-107.0

        """), "\(text)")
    #expect(text.contains("Each figure is the median over 3 devices drawn from the profile's ranges"))
    #expect(text.contains("The ranking by total hitch is the same on 2 of 3 drawn devices."))
    #expect(text.split(separator: "\n").map(\.count).max() ?? 0 <= 80)
  }

  @Test(arguments: [50, 60, 80, 250])
  func `a report is as wide as the terminal: one table where there is room`(width: Int) {
    let trials = ["all-main", "three-tier"].map { MadeUpResults.trial($0, nil, scale: 1) }
    let text = RunPage(
      summaries: Summary.summaries(of: trials), manifest: MadeUpResults.manifest, hitchScale: .scroll,
      words: MadeUpResults.words
    ).page.terminal(width: width)
    // A digest is one word, at which no line breaks.
    let lines = text.split(separator: "\n").filter { !$0.contains("0f0f") }
    #expect(lines.map(\.count).max() ?? 0 <= width, "\(text)")
    let tables = text.split(separator: "\n").count { $0.hasPrefix("topology ") }
    #expect(width > 200 ? tables == 1 : width > 50 ? tables >= 3 : tables > 3, "\(text)")
    #expect(text.contains("verified") && text.contains("SQL"))
  }

  @Test func `a figure of several trials is the median of its column, with the least and the greatest below`() {
    // The trials rank as 1, 2, 3 by total hitch time, and as 3, 1, 2 by import time.
    let trials = [(1, 9), (2, 12), (3, 6)].map { scale, seconds in
      var trial = MadeUpResults.trial("three-tier", nil, scale: Int64(scale))
      trial.identity.trial = scale
      trial.measures.importNanoseconds = Int64(seconds) * 1_000_000_000
      return trial
    }
    let text = report(trials)
    #expect(text.contains("9.00"))
    #expect(text.contains("6.00-12.00"))
    #expect(!text.contains("12.00 \n"))
    #expect(
      text.contains(
        "Each figure is the median of its column over 3 trials. Below it are the least\nand the greatest value."))
  }

  @Test func `five stalls are told, the longest first, and that there is none`() {
    var trial = MadeUpResults.trial("all-main", nil, scale: 1)
    trial.stalls = [3, 9, 4, 9, 8, 7, 6].enumerated().map { index, milliseconds in
      StallRow(tick: index, start: .zero, duration: .milliseconds(milliseconds), cause: .save)
    }
    let lines = report([trial]).split(separator: "\n").filter { $0.contains(", tick ") }
    #expect(
      lines.map { $0.dropFirst("all-main, tick ".count) } == [
        "1: 9.000 ms, save", "3: 9.000 ms, save", "4: 8.000 ms, save", "5: 7.000 ms, save", "6: 6.000 ms, save",
      ])
    trial.stalls = []
    #expect(report([trial]).contains("\nNo frame started more than one tick interval late.\n"))
  }

  @Test func `no trial at all is said`() {
    #expect(report([]).hasPrefix("No trial ended with a result.\n"))
  }

  @Test(arguments: [
    (HitchScale.scroll, 4_999 as Int64, HitchBand.good), (.scroll, 5_000, .fair), (.scroll, 10_000, .fair),
    (.scroll, 10_001, .poor), (.animation, 10_000, .good), (.animation, 10_001, .warning),
    (.animation, 25_000, .warning), (.animation, 25_001, .critical), (.animation, 50_000, .critical),
    (.animation, 50_001, .immediate),
  ])
  func `bands begin and end where Apple's do`(scale: HitchScale, hitch: Int64, band: HitchBand) {
    #expect(scale.band(microsecondsPerSecond: hitch) == band)
  }
}
