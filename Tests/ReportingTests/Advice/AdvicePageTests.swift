import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct AdvicePageTests {
  private func page(_ answer: AdviceAnswer) -> Page { AdvicePage(answer, words: MadeUpResults.words).page }

  @Test func `an answer has the stacks, how sure it is, its cost, its contexts, where it flips, and its commands`() {
    let text = """
      catalog, 15000 rows, seed 1, simulated iphone-15-pro; 21 trials, all verified

      Take worker-merge/notification (#2): a worker beside main; main merges each
      save.
      2 qualify, ranked by smoothness. Equal to per-view-controller: none of total
      hitch, stall p99, edit p99, visible p99, main busy and import tells them apart;
      it has the simpler wiring (2 contexts, 1 rule; per-view-controller: 2 contexts,
      2 rules).
      Better than the others? Likely: first, alone or with others, in 2 of 3 draws of
      the profile's ranges. First, too: per-view-controller in 2. In 1 none qualifies.
      Good enough? It is within Apple's bands for scrolling on 3 of 3 devices drawn,
      and keeps to every limit on 2.
      To settle it, measure total hitch of worker-merge/notification and of
      per-view-controller on your own device: docs/on-a-device.md says how.

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
      draws, first: in how many of 3 draws of the profile's ranges it qualifies, and
      comes first among those that do.
      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling:
      good < 5, fair <= 10, poor above.

      What worker-merge/notification costs: where others are better

      measure    here best       there  change others too
      ------- ------- -------- ------- ------- ----------
      import  1980 ms all-main 1700 ms -14.1 %

      Which context for what

        UI                  main. It sits on the coordinator, so that batches are
                            honoured (NSFetchRequest, fetchBatchSize).
        long-lived objects  main. It alone is told of others' saves, and whatever else
                            is held for long goes stale (a <talk> of 2012).

      Where the answer flips

        --batch-size 1000: take per-view-controller, since worker-merge/notification
          misses hitch ratio by 4.000 ms/s.
          stackbench run --machine simulated --batch-size 1000
        --profile iphone-6s: none qualifies; worker-merge/notification misses hitch
          ratio by 4.000 ms/s.
          stackbench run --machine simulated --profile iphone-6s

      At --batch-size 250 the answer is the same.
      No shipped profile is faster than iphone-15-pro.

      To see it:  stackbench run --machine simulated --draws 3
      As code:    stackbench topologies worker-merge/notification --format swift

      """
    #expect(page(MadeUpAdvice.report).terminal() == text)
  }

  @Test func `where none qualifies every stack says what it misses, and what would help is found`() {
    let text = """
      catalog, 15000 rows, seed 1, simulated iphone-15-pro; 21 trials, all verified

      None of the 3 stacks qualifies.
      Nearest: worker-merge/notification, whose worst miss is the smallest share of
      its limit. No stack qualifies in any of the 3 draws of the profile's ranges.

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
      draws, first: in how many of 3 draws of the profile's ranges it qualifies, and
      comes first among those that do.
      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling:
      good < 5, fair <= 10, poor above.

      Where a stack qualifies

        --batch-size 250: take all-main.
          stackbench run --machine simulated --batch-size 250

      At --batch-size 1000 and --profile iphone-6s none qualifies either.
      No shipped profile is faster than iphone-15-pro.

      To see it:  stackbench run --machine simulated --draws 3

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

      Take worker-merge/notification (\\#2): a worker beside main; main merges each save.

      2 qualify, ranked by smoothness. Equal to per-view-controller: none of total hitch, stall p99, edit p99, visible p99, main busy and import tells them apart; it has the simpler wiring (2 contexts, 1 rule; per-view-controller: 2 contexts, 2 rules).

      Better than the others? Likely: first, alone or with others, in 2 of 3 draws of the profile's ranges. First, too: per-view-controller in 2. In 1 none qualifies.

      Good enough? It is within Apple's bands for scrolling on 3 of 3 devices drawn, and keeps to every limit on 2.

      To settle it, measure total hitch of worker-merge/notification and of per-view-controller on your own device: docs/on-a-device.md says how.

      | topology | hitch ratio ms/s | at risk ms | total hitch ms | stall p99 ms | edit p99 ms | visible p99 ms | main busy ms | import ms | qualifies | draws | first |
      | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
      | at most | 5.0 | 60.00 |  |  |  |  |  |  |  |  |  |
      | `worker-merge/notification` | 1.5 | 0.70 | 0.0 | 1.00 | 30.00 | 100.0 | 72.0 | 1980.0 | yes | 2 | 2 |
      | `per-view-controller` | 2.0 | 0.70 | 8.0 | 1.00 | 30.00 | 100.0 | 72.0 | 1980.0 | yes | 2 | 2 |
      | `all-main` | **872.7!** | 0.70 | 1800.0 | 95.00 | 30.00 | 100.0 | 1992.0 | 1700.0 | no | 0 | 0 |

      ! = misses its limit.

      draws, first: in how many of 3 draws of the profile's ranges it qualifies, and comes first among those that do.

      Hitch ratio: hitch time per second of the import; Apple's bands for scrolling: good \\< 5, fair \\<= 10, poor above.

      #### What worker-merge/notification costs: where others are better

      | measure | here | best | there | change | others too |
      | --- | --: | --- | --: | --: | --: |
      | import | 1980 ms | `all-main` | 1700 ms | -14.1 % |  |

      #### Which context for what

      - **UI**: `main`. It sits on the coordinator, so that batches are honoured (NSFetchRequest, fetchBatchSize).
      - **long-lived objects**: `main`. It alone is told of others' saves, and whatever else is held for long goes stale (a \\<talk\\> of 2012).

      #### Where the answer flips

      - `--batch-size 1000`: take per-view-controller, since worker-merge/notification misses hitch ratio by 4.000 ms/s. `stackbench run --machine simulated --batch-size 1000`
      - `--profile iphone-6s`: none qualifies; worker-merge/notification misses hitch ratio by 4.000 ms/s. `stackbench run --machine simulated --profile iphone-6s`

      At --batch-size 250 the answer is the same.

      No shipped profile is faster than iphone-15-pro.

      ```sh
      stackbench run --machine simulated --draws 3
      stackbench topologies worker-merge/notification --format swift
      ```

      """
    #expect(page(MadeUpAdvice.report).markdown == text)
    #expect(page(MadeUpAdvice.none).markdown.hasPrefix("### Stackbench advice: none qualifies\n"))
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
    let text = try JSONText.text(of: AdviceDocument(report))
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: [MadeUpAdvice.report, MadeUpAdvice.none])
  func `JSON has every member, null where it has no value`(report: AdviceAnswer) throws {
    let members = try members(report)
    #expect(
      members.keys.sorted() == [
        "advised", "code_command", "command", "contexts", "costs", "draws", "draws_without", "equal", "limits",
        "nearest",
        "points", "priority", "profile", "ranked_by", "rows", "schema", "seed", "stacks", "sureness", "trials",
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
