import Metrics

/// The outcome of a gate with the words of the command line, in the forms in which it is printed.
package struct GateReport: PrintableResult {
  private let outcome: GateOutcome
  private let words: CommandWords

  package init(_ outcome: GateOutcome, words: CommandWords) {
    self.outcome = outcome
    self.words = words
  }

  package static let formats: [OutputFormat] = [.text, .markdown, .json, .junit, .gitHubAction, .bencher]

  /// Returns the page. Standard error has what cannot be compared; a comment in Markdown has to list it, too.
  package func pages(for format: OutputFormat) -> [Page] {
    [GatePage(outcome, words: words, listsMismatches: format == .markdown).page]
  }

  package func otherText(_ format: OutputFormat) throws -> String {
    switch format {
    case .junit: GateJUnit(outcome).text
    case .gitHubAction: try JSONText.text(of: outcome.gitHubAction)
    default: try JSONText.text(of: outcome.bencher)
    }
  }

  package var json: any Encodable { outcome.json }
}
