import Reporting

/// What an answer is printed as.
enum AdviceFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown

  /// Ends with a line break.
  func text(of report: AdviceReport, usesColour: Bool) throws -> String {
    switch self {
    case .text: AdviceText(report, usesColour: usesColour).text
    case .json: try JSONText.text(of: AdviceDocument(report))
    case .markdown: AdviceMarkdown(report).text
    }
  }
}
