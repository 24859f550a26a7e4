/// The numbers of schedule seeds on which each side of a scenario showed the trouble.
package struct SeededOutcome: Sendable {
  /// The runs of one side.
  package struct Counts: Hashable, Sendable {
    /// The number of seeds on which the side ended by itself.
    package internal(set) var completed = 0
    /// The number of seeds on which threads waited for each other in a circle.
    package internal(set) var deadlocked = 0
    /// The number of seeds on which misuse stopped the process.
    package internal(set) var trapped = 0
    /// The number of seeds on which the side ended in another way.
    package internal(set) var stopped = 0
    /// The seeds on which the side showed the trouble, in ascending order.
    package internal(set) var shownSeeds: [UInt64] = []

    /// The number of seeds with which the side ran.
    package var seedCount: Int { completed + deadlocked + trapped + stopped }
    /// The number of seeds on which the side showed the trouble.
    package var shownCount: Int { shownSeeds.count }

    fileprivate mutating func add(_ run: RecordedRun, showsTrouble: Bool, seed: UInt64) {
      switch run.ending {
      case .completed?: completed += 1
      case .deadlock?: deadlocked += 1
      case .trapped?: trapped += 1
      case .stopped?, nil: stopped += 1
      }
      if showsTrouble { shownSeeds.append(seed) }
    }
  }

  /// The scenario.
  package let scenario: Scenario
  /// The side that should show the trouble. It does on a seed if it shows every symptom.
  package private(set) var trouble = Counts()
  /// The side that should not. It does on a seed if it shows any symptom.
  package private(set) var cure = Counts()

  /// Creates an outcome without runs.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
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
