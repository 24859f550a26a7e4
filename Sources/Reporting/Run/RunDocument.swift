import Metrics

/// What `run --format json` prints: every member is always there, `null` where it has no value.
///
/// Stable: members may be added, none changes its name or its meaning; `stackbench run --help` lists them. The figures
/// are those of the CSV under the names of its columns.
package struct RunDocument: Encodable, Sendable {
  private let schema = 1
  private let output: String
  private let failures: [String]
  @ExplicitNull private var isDeterministic: Bool?
  private let stacks: TableRows
  private let killed: TableRows

  private enum CodingKeys: String, CodingKey {
    case schema
    case output
    case failures
    case isDeterministic = "deterministic"
    case stacks
    case killed
  }

  /// - Parameters:
  ///   - output: The folder of the results, an absolute path.
  ///   - failures: What the run ended with, a line each; it succeeded if there is none.
  ///   - isDeterministic: Whether simulating all again came to the same; nil if it was not simulated again.
  ///   - summaries: One a stack; none where the apps were killed.
  ///   - killed: One a trial whose app was killed.
  package init(
    output: String, failures: [String] = [], isDeterministic: Bool? = nil, summaries: [Summary] = [],
    killed: [KilledRecord] = []
  ) {
    self.output = output
    self.failures = failures
    stacks = TableRows(SummaryTable.csv(summaries), textColumns: SummaryTable.textColumns)
    self.killed = TableRows(KilledTable.csv(killed), textColumns: KilledTable.textColumns)
    self.isDeterministic = isDeterministic
  }
}
