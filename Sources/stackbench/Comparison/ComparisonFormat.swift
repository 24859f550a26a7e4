import Metrics
import Reporting

/// What a comparison is printed as.
enum ComparisonFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Ends with a line break.
  func text(
    of comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult, usesColour: Bool
  ) throws -> String {
    switch self {
    case .text: ComparisonReport(comparison, first, second, usesColour: usesColour).text
    case .markdown: ComparisonMarkdown(comparison, first, second).text
    case .json: try JSONText.text(of: ComparisonDocument(comparison, first, second))
    }
  }
}
