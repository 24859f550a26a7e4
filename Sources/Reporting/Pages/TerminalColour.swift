// Both modules have a `Style`, and one a type of its own name.
import enum Rainbow.NamedColor
import enum Rainbow.Style

/// Sequences that set colors on a terminal.
enum TerminalColour {
  /// Returns the text in the color of a tone.
  ///
  /// Rainbow's own properties of `String` depend on a global switch and on the kind of standard output; this function
  /// depends on its arguments only.
  static func text(_ text: String, _ tone: Page.Tone, isBold: Bool = false) -> String {
    let color: NamedColor =
      switch tone {
      case .good: .green
      case .warning: .yellow
      case .bad: .red
      }
    let codes = color.value + (isBold ? Style.bold.value : [])
    return "\u{1B}[\(codes.map { "\($0)" }.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
