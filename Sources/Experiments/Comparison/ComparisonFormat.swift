import Metrics
import Reporting

/// The formats in which a comparison can be printed.
package enum ComparisonFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Returns the comparison in this format, with a line break at its end.
  ///
  /// - Parameters:
  ///   - first: The first result of the comparison.
  ///   - second: The second result of the comparison.
  ///   - usesColour: True to colour the text format. The other formats have no colours.
  ///   - width: The number of columns that tables of the text format may have.
  /// - Throws: An error if the comparison cannot be encoded as JSON.
  package func text(
    of comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult, usesColour: Bool, width: Int
  ) throws -> String {
    let page = ComparisonPage(comparison, first, second).page
    return switch self {
    case .text: TerminalPage(page, usesColour: usesColour, width: width).text
    case .markdown: MarkdownPage(page).text
    case .json: try JSONText.text(of: ComparisonDocument(comparison, first, second))
    }
  }
}
