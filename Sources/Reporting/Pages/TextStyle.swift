/// The form of texts that a terminal or a file receives.
package struct TextStyle: Hashable, Sendable {
  /// True if texts have colours.
  package var usesColour: Bool
  /// The number of columns that tables may have.
  package var width: Int

  /// Creates a style. It is that of files by default.
  package init(usesColour: Bool = false, width: Int = WrappedText.terminalWidth) {
    self.usesColour = usesColour
    self.width = width
  }
}
