/// How long the rest of a run takes, from how long its trials took so far.
package struct TimeLeft {
  private let total: Int
  private let start = ContinuousClock.now

  package init(trials total: Int) {
    self.total = total
  }

  /// What the line says when `done` trials have ended; empty while nothing is known.
  package func text(done: Int) -> String {
    guard done > 0 else { return "" }
    return Self.text(seconds: (ContinuousClock.now - start).components.seconds * Int64(total - done) / Int64(done))
  }

  /// How long is left, behind what else the line says.
  package static func text(seconds: Int64) -> String {
    seconds < 90 ? ", about \(seconds + 1) s left" : ", about \((seconds + 59) / 60) min left"
  }
}
