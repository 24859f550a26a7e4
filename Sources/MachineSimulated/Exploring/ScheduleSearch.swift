/// The rule by which an explored run chooses the thread that runs next.
///
/// A run has a decision wherever more than one thread can run, or a timer can fire before they do. The choices of a
/// decision are numbered: 0 is the thread that ran last, if it can run, and the other threads follow in the order in
/// which they became able to run. The last choice is the earliest timer.
package enum ScheduleSearch: Codable, Hashable, Sendable {
  /// Each thread has the same chance at each decision. A timer that is not due yet has a sixteenth of the chance.
  case random(seed: UInt64)
  /// The thread with the highest priority runs next. Priorities are drawn, and at `depth` drawn decisions below `length` the
  /// running thread gets the lowest one.
  ///
  /// A bug that needs an order of `depth + 1` events is found with a known probability: Burckhardt et al., "A Randomized
  /// Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
  case priorities(seed: UInt64, depth: Int, length: Int)
  /// Choice 0 at each decision but the given ones.
  case deviations([Deviation])

  /// A decision at which a run does not make choice 0.
  package struct Deviation: Codable, Hashable, Sendable {
    /// The number of the decision, from 0.
    package var decision: Int
    /// The number of the choice, at least 1.
    package var choice: Int

    package init(decision: Int, choice: Int) {
      self.decision = decision
      self.choice = choice
    }
  }
}
