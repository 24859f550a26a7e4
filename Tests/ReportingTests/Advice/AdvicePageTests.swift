import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct AdvicePageTests {
  private func page(_ answer: AdviceAnswer, isVerbose: Bool = true) -> Page {
    AdvicePage(answer, words: MadeUpResults.words, isVerbose: isVerbose).page
  }

  @Test
  func `a short answer has what to do, how much better and how sure it is, why, what changes it, and what is next`() {
    let text = """
      catalog, 15000 rows, seed 1, simulated iphone-15-pro; 21 trials, all verified

        Take     worker-merge/notification (#2): a worker beside main; main merges
                 each save.
        Frames   drops 0; all-main 180 (180 to 720), the import on main.
        Best     likely: first on 2 of 3 drawn devices; per-view-controller on 2.
        Smooth   likely: good by Apple's bands on 2 of 3.
        Limits   kept on 2 of 3.
        Why      all-main blocks main for 95.00 ms, save.
        Changes  with --batch-size 1000 take per-view-controller, because
                 worker-merge/notification misses hitch ratio by 4.000 ms/s; with
                 --profile iphone-6s no stack qualifies; worker-merge/notification
                 misses hitch ratio by 4.000 ms/s; not with 1 other setting.
        Next     docs/on-a-device.md says how to compare it with per-view-controller
                 on a phone; --verbose prints all figures.

      To print its Swift code:  stackbench topologies worker-merge/notification --format swift

      """
    #expect(page(MadeUpAdvice.report, isVerbose: false).terminal() == text)
    #expect(page(MadeUpAdvice.report).terminal().hasPrefix(text))
  }

  @Test func `a short answer names the user's stack, and the answer for the other filling of the store`() {
    var report = MadeUpAdvice.report
    report.reference = "per-view-controller"
    let lines = page(report, isVerbose: false).terminal().split(separator: "\n")
    #expect(lines.contains("  Frames   drops 0; per-view-controller 0 (0 to 3), your stack; all-main 180"))
    report.advice = Advice(
      limits: [], priority: nil, candidates: [MadeUpAdvice.worker, MadeUpAdvice.main],
      points: [
        AdvicePoint(
          flag: "existing-rows", value: "full", command: "", candidates: [MadeUpAdvice.main, MadeUpAdvice.screens],
          isSecondQuestion: true)
      ])
    #expect(page(report, isVerbose: false).terminal().contains("\n  Full store  Take per-view-controller"))
  }

  @Test func `a whole answer has the stacks, its cost, its contexts, where it changes, and its commands`() {
    let text = """
      2 of 3 stacks qualify. They are ranked by smoothness. No difference from
      per-view-controller was found in total hitch, stall p99, edit p99, visible p99,
      main busy or import. It is named because its wiring is simpler (2 contexts, 1
      rule; per-view-controller: 2 contexts, 2 rules).

      topology                  hitch ratio ms/s at risk ms total hitch ms
      ------------------------- ---------------- ---------- --------------
      at most                                5.0      60.00
      worker-merge/notification              1.5       0.70            0.0
      per-view-controller                    2.0       0.70            8.0
      all-main                            872.7!       0.70         1800.0

      topology                  stall p99 ms edit p99 ms visible p99 ms main busy ms
      ------------------------- ------------ ----------- -------------- ------------
      worker-merge/notification         1.00       30.00          100.0         72.0
      per-view-controller               1.00       30.00          100.0         72.0
      all-main                         95.00       30.00          100.0       1992.0

      topology                  import ms qualifies draws first
      ------------------------- --------- --------- ----- -----
      worker-merge/notification    1980.0       yes     2     2
      per-view-controller          1980.0       yes     2     2
      all-main                     1700.0        no     0     0

      ! = misses its limit.
      draws = the number of the 3 drawn devices on which the stack qualifies; first =
      the number on which it ranks first among the stacks that qualify.
      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling:
      good < 5, fair <= 10, poor above.

      What worker-merge/notification costs: where other stacks are better

      measure    here best       there  change others too
      ------- ------- -------- ------- ------- ----------
      import  1980 ms all-main 1700 ms -14.1 %

      Which context to use

        UI                  main. It sits on the coordinator, so that batches are
                            honoured (NSFetchRequest, fetchBatchSize).
        long-lived objects  main. It alone is told of others' saves, and whatever else
                            is held for long goes stale (a <talk> of 2012).

      Where the answer changes

        --batch-size 1000: take per-view-controller, because worker-merge/notification
          misses hitch ratio by 4.000 ms/s.
          stackbench run --machine simulated --batch-size 1000
        --profile iphone-6s: no stack qualifies; worker-merge/notification misses
          hitch ratio by 4.000 ms/s.
          stackbench run --machine simulated --profile iphone-6s

      With --batch-size 250, the answer is the same.
      No shipped profile is faster than iphone-15-pro.

      To print its figures:  stackbench run --machine simulated --draws 3

      """
    #expect(page(MadeUpAdvice.report).terminal().hasSuffix("\n" + text))
  }

  @Test func `where no stack qualifies every stack says what it misses, and what would help is found`() {
    let text = """
      catalog, 15000 rows, seed 1, simulated iphone-15-pro; 21 trials, all verified

      None of the 3 stacks qualifies.
      The nearest is worker-merge/notification: its largest excess, as a share of the
      limit, is the smallest. No stack qualifies on any of the 3 devices drawn from
      the profile's ranges.

        all-main misses hitch ratio by 871.5 ms/s and edit, which was not measured.
        worker-merge/notification misses hitch ratio by 300 µs/s and edit, which was
          not measured.
        per-view-controller misses hitch ratio by 800 µs/s and edit, which was not
          measured.

      topology                  hitch ratio ms/s       edit ms total hitch ms
      ------------------------- ---------------- ------------- --------------
      at most                                1.2          9.00
      all-main                            872.7! not measured!         1800.0
      worker-merge/notification             1.5! not measured!            0.0
      per-view-controller                   2.0! not measured!            8.0

      topology                  stall p99 ms edit p99 ms visible p99 ms main busy ms
      ------------------------- ------------ ----------- -------------- ------------
      all-main                         95.00       30.00          100.0       1992.0
      worker-merge/notification         1.00       30.00          100.0         72.0
      per-view-controller               1.00       30.00          100.0         72.0

      topology                  import ms qualifies draws first
      ------------------------- --------- --------- ----- -----
      all-main                     1700.0        no     0     0
      worker-merge/notification    1980.0        no     0     0
      per-view-controller          1980.0        no     0     0

      ! = misses its limit.
      draws = the number of the 3 drawn devices on which the stack qualifies; first =
      the number on which it ranks first among the stacks that qualify.
      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling:
      good < 5, fair <= 10, poor above.

      Where a stack qualifies

        --batch-size 250: take all-main.
          stackbench run --machine simulated --batch-size 250

      With --batch-size 1000 or --profile iphone-6s, no stack qualifies either.
      No shipped profile is faster than iphone-15-pro.

      To print its figures:  stackbench run --machine simulated --draws 3

      """
    #expect(page(MadeUpAdvice.none).terminal() == text)
  }

  @Test func `a wide terminal has one table of the stacks, and a narrow one no line that is broken`() {
    let wide = page(MadeUpAdvice.report).terminal(width: 200)
    #expect(wide.split(separator: "\n").count { $0.hasPrefix("topology ") } == 1)
    let narrow = page(MadeUpAdvice.report).terminal(width: 60)
    // Commands stay whole.
    for line in narrow.split(separator: "\n") where !line.contains("stackbench ") {
      #expect(line.count <= 60, "\(line)")
    }
  }

  @Test func `Markdown says the same`() {
    let text = """
      ### Stackbench advice: take `worker-merge/notification`

      catalog, 15000 rows, seed 1, simulated iphone-15-pro; 21 trials, all verified

      - **Take**: worker-merge/notification (\\#2): a worker beside main; main merges each save.
      - **Frames**: drops 0; all-main 180 (180 to 720), the import on main.
      - **Best**: likely: first on 2 of 3 drawn devices; per-view-controller on 2.
      - **Smooth**: likely: good by Apple's bands on 2 of 3.
      - **Limits**: kept on 2 of 3.
      - **Why**: all-main blocks main for 95.00 ms, save.
      - **Changes**: with --batch-size 1000 take per-view-controller, because worker-merge/notification misses hitch ratio by 4.000 ms/s; with --profile iphone-6s no stack qualifies; worker-merge/notification misses hitch ratio by 4.000 ms/s; not with 1 other setting.
      - **Next**: docs/on-a-device.md says how to compare it with per-view-controller on a phone; --verbose prints all figures.

      ```sh
      stackbench topologies worker-merge/notification --format swift
      ```

      2 of 3 stacks qualify. They are ranked by smoothness. No difference from per-view-controller was found in total hitch, stall p99, edit p99, visible p99, main busy or import. It is named because its wiring is simpler (2 contexts, 1 rule; per-view-controller: 2 contexts, 2 rules).

      | topology | hitch ratio ms/s | at risk ms | total hitch ms | stall p99 ms | edit p99 ms | visible p99 ms | main busy ms | import ms | qualifies | draws | first |
      | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
      | at most | 5.0 | 60.00 |  |  |  |  |  |  |  |  |  |
      | `worker-merge/notification` | 1.5 | 0.70 | 0.0 | 1.00 | 30.00 | 100.0 | 72.0 | 1980.0 | yes | 2 | 2 |
      | `per-view-controller` | 2.0 | 0.70 | 8.0 | 1.00 | 30.00 | 100.0 | 72.0 | 1980.0 | yes | 2 | 2 |
      | `all-main` | **872.7!** | 0.70 | 1800.0 | 95.00 | 30.00 | 100.0 | 1992.0 | 1700.0 | no | 0 | 0 |

      ! = misses its limit.

      draws = the number of the 3 drawn devices on which the stack qualifies; first = the number on which it ranks first among the stacks that qualify.

      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling: good \\< 5, fair \\<= 10, poor above.

      #### What worker-merge/notification costs: where other stacks are better

      | measure | here | best | there | change | others too |
      | --- | --: | --- | --: | --: | --: |
      | import | 1980 ms | `all-main` | 1700 ms | -14.1 % |  |

      #### Which context to use

      - **UI**: `main`. It sits on the coordinator, so that batches are honoured (NSFetchRequest, fetchBatchSize).
      - **long-lived objects**: `main`. It alone is told of others' saves, and whatever else is held for long goes stale (a \\<talk\\> of 2012).

      #### Where the answer changes

      - `--batch-size 1000`: take per-view-controller, because worker-merge/notification misses hitch ratio by 4.000 ms/s. `stackbench run --machine simulated --batch-size 1000`
      - `--profile iphone-6s`: no stack qualifies; worker-merge/notification misses hitch ratio by 4.000 ms/s. `stackbench run --machine simulated --profile iphone-6s`

      With --batch-size 250, the answer is the same.

      No shipped profile is faster than iphone-15-pro.

      ```sh
      stackbench run --machine simulated --draws 3
      ```

      """
    #expect(page(MadeUpAdvice.report).markdown == text)
    #expect(page(MadeUpAdvice.none).markdown.hasPrefix("### Stackbench advice: no stack qualifies\n"))
  }

  @Test func `no line of a table or sentence is wider than a terminal`() {
    for report in [MadeUpAdvice.report, MadeUpAdvice.none] {
      for line in page(report).terminal().split(separator: "\n")
      where !line.contains("stackbench ") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test func `colour takes no room, and marks what misses its limit`() {
    let coloured = page(MadeUpAdvice.report).terminal(usesColour: true)
    #expect(coloured.contains(/\x1B\[31m *872\.7!\x1B\[0m/))
    let plain = coloured.replacing(/\x1B\[[0-9;]*m/, with: "")
    #expect(
      plain.split(whereSeparator: \.isWhitespace)
        == page(MadeUpAdvice.report).terminal().split(whereSeparator: \.isWhitespace))
  }

  // MARK: JSON

  private func members(_ report: AdviceAnswer) throws -> [String: Any] {
    let text = try AdvicePage(report, words: MadeUpResults.words).text(.json)
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: [MadeUpAdvice.report, MadeUpAdvice.none])
  func `JSON has every member, null where it has no value`(report: AdviceAnswer) throws {
    let members = try members(report)
    #expect(
      members.keys.sorted() == [
        "advised", "code_command", "command", "contexts", "costs", "draws", "draws_without", "equal", "limits",
        "nearest",
        "points", "priority", "profile", "ranked_by", "reference", "rows", "schema", "seed", "stacks", "sureness",
        "trials",
        "untried",
        "workload",
      ])
    #expect(members["priority"] is NSNull)
    let isAdvised = report.advice.advised != nil
    #expect((members["advised"] is NSNull) != isAdvised)
    #expect((members["nearest"] is NSNull) == isAdvised)
    #expect((members["code_command"] is NSNull) != isAdvised)
  }

  @Test func `JSON has what each stack came to, and what each point changes`() throws {
    let members = try members(MadeUpAdvice.report)
    #expect(members["advised"] as? String == "worker-merge/notification")
    #expect(members["equal"] as? [String] == ["per-view-controller"])
    let stacks = try #require(members["stacks"] as? [[String: Any]])
    #expect(
      stacks.map { $0["topology"] as? String } == ["all-main", "worker-merge/notification", "per-view-controller"])
    #expect(stacks.map { $0["qualifies"] as? Bool } == [false, true, true])
    #expect(stacks.map { $0["draws_qualifying"] as? Int } == [0, 2, 2])
    #expect(stacks.map { $0["draws_good"] as? Int } == [0, 2, 2])
    let checks = try #require(stacks[0]["checks"] as? [[String: Any]])
    #expect(checks.map { $0["value"] as? Int } == [872_700, 700_000, 0, 0, 0])
    #expect(checks.map { $0["met"] as? Bool } == [false, true, true, true, true])
    let points = try #require(members["points"] as? [[String: Any]])
    #expect(points.map { $0["change"] as? String } == ["same", "disqualified", "disqualified"])
    #expect(points.map { ($0["first"] as? [String])?.count } == [2, 1, 0])
    let none = try self.members(MadeUpAdvice.none)
    #expect((none["points"] as? [[String: Any]])?.map { $0["change"] as? String } == ["found", "same", "same"])
    #expect(none["nearest"] as? String == "worker-merge/notification")
  }
}
