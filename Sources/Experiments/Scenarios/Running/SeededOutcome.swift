/// The numbers of schedule seeds on which each side of a scenario showed the trouble.
package struct SeededOutcome: Sendable {
  /// The runs of one side.
  package struct Counts: Hashable, Sendable {
    /// The sentence that describes the side's program.
    let wiring: String
    /// The number of seeds with which the side ran.
    package private(set) var seedCount = 0
    /// The number of seeds on which the side ended by itself.
    package private(set) var completed = 0
    /// The number of seeds on which threads waited for each other in a circle.
    package private(set) var deadlocked = 0
    /// The number of seeds on which misuse stopped the process.
    package private(set) var trapped = 0
    /// The number of seeds on which the side ended in another way.
    package private(set) var stopped = 0
    /// The number of seeds on which the side showed the trouble.
    package private(set) var shownCount = 0
    /// The seeds on which the side showed the trouble, in ascending order.
    package private(set) var shownSeeds: [UInt64] = []

    fileprivate init(_ side: Scenario.Side) { wiring = side.wiring }

    fileprivate mutating func add(_ run: RecordedRun, showsTrouble: Bool, seed: UInt64) {
      seedCount += 1
      switch run.ending {
      case .completed?: completed += 1
      case .deadlock?: deadlocked += 1
      case .trapped?: trapped += 1
      case .stopped?, nil: stopped += 1
      }
      guard showsTrouble else { return }
      shownCount += 1
      shownSeeds.append(seed)
    }
  }

  /// The scenario.
  package let scenario: Scenario
  /// The side that should show the trouble. It does on a seed if it shows every symptom.
  package private(set) var trouble: Counts
  /// The side that should not. It does on a seed if it shows any symptom.
  package private(set) var cure: Counts

  /// Creates an outcome without runs.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
    trouble = Counts(scenario.trouble)
    cure = Counts(scenario.cure)
  }

  /// Adds the runs of both sides with one seed.
  package mutating func add(_ outcome: ScenarioOutcome, seed: UInt64) {
    trouble.add(outcome.trouble, showsTrouble: outcome.troubleOccurred, seed: seed)
    cure.add(outcome.cure, showsTrouble: outcome.cureFindings.contains(where: \.isShown), seed: seed)
  }

  /// True if the trouble showed up on at least one seed, and the cure ended by itself on all seeds without showing it.
  package var isAsDeclared: Bool {
    trouble.shownCount > 0 && cure.shownCount == 0 && cure.completed == cure.seedCount
  }
}
