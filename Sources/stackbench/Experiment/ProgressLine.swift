/// One line on standard error that says how far a run is; nothing where that is no terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let prefix: String

  /// - Parameter prefix: what every text begins with: of which of several runs the line speaks.
  init(isQuiet: Bool, prefix: String = "") {
    isShown = !isQuiet && StandardError.isTerminal
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
    // Back to the first column, then erase to the end of the line.
    StandardError.write("\r\u{1b}[K\(text)")
  }
}

/// How long the rest of a run takes, from how long its trials took so far.
struct TimeLeft {
  private let total: Int
  private let start = ContinuousClock.now

  init(trials total: Int) {
    self.total = total
  }

  /// What the line says when `done` trials have ended; empty while nothing is known.
  func text(done: Int) -> String {
    guard done > 0 else { return "" }
    let seconds = (ContinuousClock.now - start).components.seconds * Int64(total - done) / Int64(done)
    return seconds < 90 ? ", about \(seconds + 1) s left" : ", about \((seconds + 59) / 60) min left"
  }
}
