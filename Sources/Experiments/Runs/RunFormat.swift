import Metrics
import Reporting

/// The format in which a run is printed.
package enum RunFormat: String, CaseIterable, Sendable {
  case text
  case json
  case csv
  case markdown

  /// Returns the report as text that ends with a line break.
  package func text(of report: ExperimentRun.Report, style: TextStyle) throws -> String {
    switch self {
    case .text: report.results.table(style)
    case .json: try JSONText.text(of: RunFormat.document(report))
    case .csv: RunFormat.table(report.results).text
    case .markdown: MarkdownPage(report.results.page).text
    }
  }

  private static func document(_ report: ExperimentRun.Report) -> RunDocument {
    RunDocument(
      output: report.results.experiment.output, failures: report.failures,
      isDeterministic: report.determinism.map { if case .same = $0 { true } else { false } },
      summaries: report.results.summaries, ratios: report.results.ratios, killed: report.results.killed)
  }

  /// Returns the table with a row for each stack or, if the run killed its apps, the table of killed apps.
  private static func table(_ results: Results) -> CSV {
    results.experiment.options.killAt == nil
      ? SummaryTable.csv(results.summaries) : KilledTable.csv(results.killed)
  }
}
