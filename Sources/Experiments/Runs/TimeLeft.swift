/// An estimate of the remaining time of a run, based on the duration of the trials that have ended.
package struct TimeLeft {
  private let total: Int
  private let start = ContinuousClock.now

  package init(trials total: Int) {
    self.total = total
  }

  /// Returns the words about the remaining time when `done` trials have ended, or an empty text if no trial has ended.
  package func text(done: Int) -> String {
    guard done > 0 else { return "" }
    return Self.text(seconds: (ContinuousClock.now - start).components.seconds * Int64(total - done) / Int64(done))
  }

  /// Returns the words about the remaining time, which begin with a comma to follow other words.
  package static func text(seconds: Int64) -> String {
    seconds < 90 ? ", about \(seconds + 1) s left" : ", about \((seconds + 59) / 60) min left"
  }
}
