import Metrics

/// A run as `run` and `show` print it.
package struct PrintedRun: PrintableResult {
  private let page: Page
  /// The folder of the results, an absolute path.
  private let output: String
  /// The failures of the run, one line for each; empty if it succeeded.
  private let failures: [String]
  /// True if a second simulation gave the same results, or nil if the run was not simulated again.
  private let isDeterministic: Bool?
  /// The summary of each stack; empty if the apps were killed.
  private let summaries: [Summary]
  /// The comparison of the other stacks with the reference, or nil if there is none.
  private let ratios: StackRatios?
  /// The records of the trials whose apps were killed, or nil if the run killed none.
  private let killed: [KilledRecord]?
  package let notes: [String]

  /// Creates a run whose stacks were measured.
  package init(
    _ page: Page, output: String, failures: [String] = [], isDeterministic: Bool? = nil, summaries: [Summary],
    ratios: StackRatios?, notes: [String] = []
  ) {
    (self.page, self.output, self.failures, self.isDeterministic) = (page, output, failures, isDeterministic)
    (self.summaries, self.ratios, self.notes) = (summaries, ratios, notes)
    killed = nil
  }

  /// Creates a run whose apps were killed.
  package init(killed: [KilledRecord], output: String, failures: [String] = [], isDeterministic: Bool? = nil) {
    page = KilledPage(records: killed).page
    (self.killed, self.output, self.failures, self.isDeterministic) = (killed, output, failures, isDeterministic)
    (summaries, ratios, notes) = ([], nil, [])
  }

  package static let formats: [OutputFormat] = [.text, .json, .csv, .markdown]

  package func pages(for format: OutputFormat) -> [Page] { [page] }

  /// Returns the table with a row for each stack or, if the run killed its apps, the table of killed apps.
  package func otherText(_ format: OutputFormat) -> String {
    (killed.map(KilledTable.csv) ?? SummaryTable.csv(summaries)).text
  }

  /// The JSON object of the run. Every member is always present, and is `null` if it has no value.
  ///
  /// The form is stable: members may be added, but existing members keep their names and meanings. The members are
  /// listed by `stackbench run --help`. The figures have the values and the column names of the CSV.
  package var json: any Encodable {
    [
      "schema": 1, "output": output, "failures": failures, "deterministic": isDeterministic,
      "stacks": TableRows(SummaryTable.csv(summaries), textColumns: SummaryTable.textColumns),
      "ratios": ratios.map { RatioTable([RatioTable.Group(ratios: $0)]).members } ?? [],
      "killed": TableRows(KilledTable.csv(killed ?? []), textColumns: KilledTable.textColumns),
    ] as JSONObject
  }
}
