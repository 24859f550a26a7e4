@testable import Reporting

extension Page {
  /// Returns the text for a terminal.
  func terminal(usesColour: Bool = false, width: Int = 80) -> String {
    TerminalPage(self, usesColour: usesColour, width: width).text
  }

  var markdown: String { MarkdownPage(self).text }
}
