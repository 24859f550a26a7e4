import Reporting

/// One line on standard error that says how far a run is; nothing where that is no terminal that can take it back.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let prefix: String

  /// - Parameter prefix: what every text begins with: of which of several runs the line speaks.
  init(isQuiet: Bool, prefix: String = "") {
    isShown = !isQuiet && StandardError.canErase
    self.prefix = prefix
  }

  /// Replaces what the line says.
  func show(_ text: String) {
    write(prefix + text)
  }

  /// Removes the line.
  func clear() {
    write("")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    // Back to the first column, then erase to the end of the line. What wrapped could not be erased again.
    StandardError.write("\r\u{1b}[K\(VisibleText.line(text).prefix(StandardError.width - 1))")
  }
}
