import Metrics
import Reporting

/// The formats in which a comparison can be printed.
package enum ComparisonFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Returns the comparison in this format.
  ///
  /// - Parameters:
  ///   - comparison: The comparison of the two results.
  ///   - first: The first result of the comparison.
  ///   - second: The second result of the comparison.
  ///   - reference: The name of the stack with which the other stacks are compared, or nil for no such comparison.
  ///   - usesColour: True to colour the text format. The other formats have no colours.
  ///   - width: The number of columns that tables of the text format may have.
  /// - Returns: A text that ends with a line break.
  /// - Throws: An error if the comparison cannot be encoded as JSON.
  package func text(
    of comparison: Comparison, first: ComparedResult, second: ComparedResult, reference: String? = nil,
    usesColour: Bool, width: Int
  ) throws -> String {
    let page = ComparisonPage(comparison, first: first, second: second, reference: reference).page
    return switch self {
    case .text: TerminalPage(page, usesColour: usesColour, width: width).text
    case .markdown: MarkdownPage(page).text
    case .json:
      try JSONText.text(of: ComparisonDocument(comparison, first: first, second: second, reference: reference))
    }
  }
}
