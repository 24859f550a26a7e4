import Reporting

/// The formats in which an answer can be printed.
package enum AdviceFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown

  /// Returns the answer in this format.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - words: The words of the command line that the sentences use.
  ///   - usesColour: True to colour the text format. The other formats have no colours.
  ///   - isVerbose: True for the tables in addition to the short answer. JSON always has all figures.
  ///   - width: The number of columns that a line of the text format may have.
  /// - Returns: A text that ends with a line break.
  /// - Throws: An error if the answer cannot be encoded as JSON.
  package func text(
    of answer: AdviceAnswer, words: CommandWords, usesColour: Bool, isVerbose: Bool = true,
    width: Int = WrappedText.terminalWidth
  ) throws -> String {
    let page = AdvicePage(answer, words: words, isVerbose: isVerbose).page
    return switch self {
    case .text: TerminalPage(page, usesColour: usesColour, width: width).text
    case .json: try JSONText.text(of: AdviceDocument(answer))
    case .markdown: MarkdownPage(page).text
    }
  }
}
