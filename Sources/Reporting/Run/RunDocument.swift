import Metrics

/// The JSON object that `run --format json` prints. Every member is always present, and is `null` if it has no value.
///
/// The form is stable: members may be added, but existing members keep their names and meanings. The members are listed
/// by `stackbench run --help`. The figures have the values and the column names of the CSV.
package struct RunDocument: Encodable, Sendable {
  private let schema = 1
  private let output: String
  private let failures: [String]
  @ExplicitNull private var isDeterministic: Bool?
  private let stacks: TableRows
  private let ratios: [RatioTable.Member]
  private let killed: TableRows

  /// Creates the document of a run.
  ///
  /// - Parameters:
  ///   - output: The folder of the results, an absolute path.
  ///   - failures: The failures of the run, one line for each; empty if it succeeded.
  ///   - isDeterministic: True if a second simulation gave the same results, or nil if the run was not simulated again.
  ///   - summaries: The summary of each stack; empty if the apps were killed.
  ///   - ratios: The comparison of the other stacks with the reference, or nil if there is none.
  ///   - killed: The records of the trials whose apps were killed.
  package init(
    output: String, failures: [String] = [], isDeterministic: Bool? = nil, summaries: [Summary] = [],
    ratios: StackRatios? = nil, killed: [KilledRecord] = []
  ) {
    self.output = output
    self.failures = failures
    stacks = TableRows(SummaryTable.csv(summaries), textColumns: SummaryTable.textColumns)
    self.ratios = ratios.map { RatioTable([RatioTable.Group(ratios: $0)]).members } ?? []
    self.killed = TableRows(KilledTable.csv(killed), textColumns: KilledTable.textColumns)
    self.isDeterministic = isDeterministic
  }
}
