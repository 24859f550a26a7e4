import Reporting

/// What an answer is printed as.
package enum AdviceFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown

  /// Returns the answer in this format; it ends with a line break.
  ///
  /// - Parameter width: The number of columns that a line of text may have.
  package func text(of report: AdviceReport, usesColour: Bool, width: Int = WrappedText.terminalWidth) throws -> String
  {
    switch self {
    case .text: AdviceText(report, usesColour: usesColour, width: width).text
    case .json: try JSONText.text(of: AdviceDocument(report))
    case .markdown: AdviceMarkdown(report).text
    }
  }
}
