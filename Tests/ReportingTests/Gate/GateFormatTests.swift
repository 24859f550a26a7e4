import Foundation
import FoundationXML
import Metrics
import Testing

@testable import Reporting

/// The text that the gate prints, in each of its formats.
@Suite struct GateFormatTests {
  private func text(_ outcome: GateOutcome, usesColour: Bool = false) -> String {
    GatePage(outcome, words: MadeUpResults.words, listsMismatches: false).page.terminal(usesColour: usesColour)
  }

  // MARK: Text

  @Test func `the text shows what is worse and better, and what explains it`() {
    #expect(
      text(MadeUpGate.report(MadeUpGate.worse)) == """
        Worse, run six:

        stack and measure        before      now  change  noticed chance
        ---------------------- -------- -------- ------- -------- ------
        three-tier
          import_ns             6000 ms  6500 ms +8.33 % 60.00 ms      0
          sql_statements_count    48211    49411 +2.49 %   482.11      0
          faults_fired_count    4000220 12000660  +200 % 40002.20      0
          main_fault_ns        4.000 ms 12.00 ms  +200 % 100.0 µs      0
          evidence: counter; one device for import_ns, main_fault_ns
          work: faults_fired_count 4000220 -> 12000660 (+200 %),
            sql_statements_count 48211 -> 49411 (+2.49 %)
          charged: faultFired +123.5 ms

        Better, run six:

        stack and measure   before      now  change  noticed chance
        ----------------- -------- -------- ------- -------- ------
        three-tier
          heap_peak_bytes 50.62 MB 25.31 MB -50.0 % 506.2 kB      0
          evidence: one device
          work: faults_fired_count 4000220 -> 12000660 (+200 %),
            sql_statements_count 48211 -> 49411 (+2.49 %)
          charged: faultFired +123.5 ms

        Gate: worse; 1 run, 6 stacks, 378 measures: 4 worse, 1 better, 1 moved within their floors, 372 equal
        If this is intended, run 'make baseline' and commit the result with the reason

        """)
  }

  @Test func `the text says what to do about a better run`() {
    let report = MadeUpGate.report(MadeUpGate.comparison { $0.heapPeakBytes? /= 2 })
    #expect(
      text(report) == """
        Better, run six:

        stack and measure   before      now  change  noticed chance
        ----------------- -------- -------- ------- -------- ------
        three-tier
          heap_peak_bytes 50.62 MB 25.31 MB -50.0 % 506.2 kB      0
          evidence: one device
          work: no counter of work has changed

        Gate: better; 1 run, 6 stacks, 378 measures: 0 worse, 1 better, 0 moved within their floors, 377 equal
        Better than the baseline: run 'make baseline' and commit the result to keep it

        """)
  }

  @Test func `an equal run is one line`() {
    #expect(
      text(MadeUpGate.report(MadeUpGate.comparison { _ in }), usesColour: true)
        == "Gate: equal; 1 run, 6 stacks, 378 measures: 0 worse, 0 better, 0 moved within their floors, 378 equal\n")
  }

  @Test func `colour changes the headings alone`() {
    let report = MadeUpGate.report(MadeUpGate.worse)
    let coloured = text(report, usesColour: true)
    #expect(coloured.contains("\u{1B}[31;1mWorse\u{1B}[0m, run six:"))
    #expect(coloured.contains("\u{1B}[32;1mBetter\u{1B}[0m, run six:"))
    #expect(
      coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text(report))
  }

  @Test func `a line says how much was compared, and how much of that was worse`() {
    let text = self.text(MadeUpGate.report(MadeUpGate.worse, MadeUpGate.incomparable))
    #expect(
      text.hasSuffix(
        """
        Gate: incomparable; 2 runs, 11 stacks, 693 measures: 4 worse, 1 better, 1 moved within their floors, 687 equal
        If this is intended, run 'make baseline' and commit the result with the reason

        """))
  }

  @Test func `a change of everything shows the table's measures first and names the others below`() {
    let comparison = MadeUpGate.comparison { measures in
      for measure in Measure.all { measures[keyPath: measure.keyPath]? *= measure.better == .lower ? 2 : 1 }
    }
    let text = self.text(MadeUpGate.report(comparison))
    let shown = text.split(separator: "\n").compactMap {
      $0.split(separator: " ").last(where: { Measure.named("\($0)") != nil })
    }
    #expect(
      shown.prefix(8) == [
        "hitch_total_ns", "hitch_us_per_s", "frames_dropped_count", "stall_ns_p99", "time_to_visible_ns_p99",
        "edit_response_ns_p99", "main_busy_ns", "import_ns",
      ])
    // The others follow below the table, each with both values.
    #expect(text.contains("  also worse: time_to_durable_ns_p99 200.0 ms -> 400.0 ms (+100 %),\n"))
    for change in comparison.stacks.flatMap({ $0.changes(.worse) }) {
      #expect(text.contains("\(change.measure.name) "), "\(change.measure.name)")
    }
    #expect(text.split(separator: "\n").filter { !$0.hasPrefix("Gate: ") }.allSatisfy { $0.count <= 80 })
  }

  @Test func `without a counter that changed, the text says so`() {
    let comparison = MadeUpGate.comparison { $0.importNanoseconds? *= 2 }
    #expect(
      text(MadeUpGate.report(comparison)).contains("work: no counter of work has changed\n")
    )
  }

  // MARK: Markdown

  @Test func `the markdown is a comment with a table a reviewer can read`() {
    #expect(
      GatePage(
        MadeUpGate.report(MadeUpGate.worse, MadeUpGate.incomparable), words: MadeUpResults.words, listsMismatches: true
      ).page.markdown == """
        ### Stackbench gate: cannot be compared with the baseline

        - one-big-save: three-tier, trial 1: \\<it\\> hung \\& "died"
        - one-big-save: per-view-controller: in the baseline, but missing now

        #### **Worse**, run six:

        | stack and measure | before | now | change | noticed | chance |
        | --- | --: | --: | --: | --: | --: |
        | **three-tier** |  |  |  |  |  |
        | `import_ns` | 6000 ms | 6500 ms | +8.33 % | 60.00 ms | 0 |
        | `sql_statements_count` | 48211 | 49411 | +2.49 % | 482.11 | 0 |
        | `faults_fired_count` | 4000220 | 12000660 | +200 % | 40002.20 | 0 |
        | `main_fault_ns` | 4.000 ms | 12.00 ms | +200 % | 100.0 µs | 0 |
        | evidence: counter; one device for import\\_ns, main\\_fault\\_ns |  |  |  |  |  |
        | work: faults\\_fired\\_count 4000220 -\\> 12000660 (+200 %), sql\\_statements\\_count 48211 -\\> 49411 (+2.49 %) |  |  |  |  |  |
        | charged: faultFired +123.5 ms |  |  |  |  |  |

        <details><summary>Better: 1</summary>

        #### **Better**, run six:

        | stack and measure | before | now | change | noticed | chance |
        | --- | --: | --: | --: | --: | --: |
        | **three-tier** |  |  |  |  |  |
        | `heap_peak_bytes` | 50.62 MB | 25.31 MB | -50.0 % | 506.2 kB | 0 |
        | evidence: one device |  |  |  |  |  |
        | work: faults\\_fired\\_count 4000220 -\\> 12000660 (+200 %), sql\\_statements\\_count 48211 -\\> 49411 (+2.49 %) |  |  |  |  |  |
        | charged: faultFired +123.5 ms |  |  |  |  |  |

        </details>

        Gate: incomparable; 2 runs, 11 stacks, 693 measures: 4 worse, 1 better, 1 moved within their floors, 687 equal

        If this is intended, run `make baseline` and commit the result with the reason

        """)
  }

  // MARK: JUnit

  @Test func `JUnit's XML is read back with the same cases, failures and errors`() throws {
    let report = MadeUpGate.report(MadeUpGate.worse, MadeUpGate.incomparable)
    let recorder = XMLRecorder()
    let parser = XMLParser(data: Data(GateJUnit(report).text.utf8))
    parser.delegate = recorder
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let elements = recorder.elements
    #expect(elements.first?.name == "testsuites")
    #expect(elements.first?.attributes["tests"] == "\(report.changeCount + 2)")
    #expect(elements.first?.attributes["failures"] == "\(report.count(.worse))")
    #expect(elements.first?.attributes["errors"] == "2")
    #expect(elements.filter { $0.name == "testsuite" }.map { $0.attributes["name"] } == ["six", "one-big-save"])
    #expect(elements.filter { $0.name == "testcase" }.count == report.changeCount + 2)
    let failures = elements.filter { $0.name == "failure" }
    #expect(failures.count == report.count(.worse))
    #expect(failures.first?.attributes["message"] == "6000 ms -> 6500 ms (+8.33 %)")
    #expect(
      failures.first?.text.trimmingCharacters(in: .whitespacesAndNewlines) == """
        evidence: one device
        work: faults_fired_count 4000220 -> 12000660 (+200 %), sql_statements_count 48211 -> 49411 (+2.49 %)
        charged: faultFired +123.5 ms
        """)
    let errors = elements.filter { $0.name == "error" }
    #expect(errors.map { $0.attributes["type"] } == ["unverified", "rows"])
    #expect(errors.first?.attributes["message"] == "three-tier, trial 1: <it> hung & \"died\"")
    let failed = elements.filter { $0.name == "testcase" && $0.hasFailed }
    #expect(Set(failed.map { $0.attributes["classname"] }) == ["six.three-tier"])
    #expect(
      failed.map { $0.attributes["name"] } == MadeUpGate.worse.stacks.flatMap { $0.changes(.worse) }.map(\.measure.name)
    )
  }
}

/// The elements of a document, in their order.
private final class XMLRecorder: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
    var hasFailed = false
  }

  private(set) var elements: [Element] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if name == "failure" { elements[elements.count - 1].hasFailed = true }
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    elements[elements.count - 1].text += text
  }
}
