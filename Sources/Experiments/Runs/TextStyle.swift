/// The form of texts that a terminal or a file receives.
package struct TextStyle: Hashable, Sendable {
  /// True if texts have colours.
  package var usesColour: Bool
  /// The number of columns that tables may have.
  package var width: Int

  package init(usesColour: Bool, width: Int) {
    self.usesColour = usesColour
    self.width = width
  }
}
