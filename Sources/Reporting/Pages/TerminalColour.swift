/// Sequences that set colors on a terminal.
enum TerminalColour {
  /// Returns the text in the color of a tone.
  static func text(_ text: String, tone: Page.Tone, isBold: Bool = false) -> String {
    let color =
      switch tone {
      case .good: 32
      case .warning: 33
      case .bad: 31
      }
    return "\u{1B}[\(color)\(isBold ? ";1" : "")m\(text)\u{1B}[0m"
  }
}
