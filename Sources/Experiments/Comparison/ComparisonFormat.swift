import Metrics
import Reporting

/// What a comparison is printed as.
package enum ComparisonFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Returns the comparison in this format, with a line break at its end.
  ///
  /// - Parameter width: The number of columns that tables may have.
  package func text(
    of comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult, usesColour: Bool, width: Int
  ) throws -> String {
    switch self {
    case .text: ComparisonReport(comparison, first, second, usesColour: usesColour, width: width).text
    case .markdown: ComparisonMarkdown(comparison, first, second).text
    case .json: try JSONText.text(of: ComparisonDocument(comparison, first, second))
    }
  }
}
