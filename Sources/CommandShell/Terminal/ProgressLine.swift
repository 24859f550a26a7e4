import Experiments
import Reporting

/// A line on standard error that shows the progress of a run. It is shown only if standard error is a terminal that can
/// erase it.
package final class ProgressLine: ProgressDisplay {
  private let isShown: Bool

  package init(isQuiet: Bool) {
    isShown = !isQuiet && StandardError.canErase
  }

  package func show(_ text: String) {
    write(text)
  }

  package func clear() {
    write("")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    // The control codes move to the first column and erase the line. The text is cut to the width of the terminal,
    // because a wrapped line could not be erased.
    StandardError.write("\r\u{1b}[K\(VisibleText.line(text).prefix(StandardError.width - 1))")
  }
}
