import Experiments
import Reporting

/// One line on standard error that says how far a run is. It is not shown unless standard error is a terminal that can
/// erase it.
final class ProgressLine: ProgressDisplay {
  private let isShown: Bool

  init(isQuiet: Bool) {
    isShown = !isQuiet && StandardError.canErase
  }

  func show(_ text: String) {
    write(text)
  }

  func clear() {
    write("")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    // Back to the first column, then erase to the end of the line. What wrapped could not be erased again.
    StandardError.write("\r\u{1b}[K\(VisibleText.line(text).prefix(StandardError.width - 1))")
  }
}
