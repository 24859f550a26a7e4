/// A depth-first search through all schedules with at most some choices that are not 0.
package struct ExhaustiveSearch: Sendable {
  private let deviationLimit: Int

  /// Creates a search.
  ///
  /// - Parameter deviationLimit: The largest number of choices of a schedule that are not 0.
  package init(deviationLimit: Int) { self.deviationLimit = deviationLimit }

  /// Returns the choices with which the schedule begins that follows a run with some decisions, or nil after the last
  /// schedule.
  package func schedule(after decisions: [ScheduleExplorer.Decision]) -> [Int]? {
    var deviationCount = decisions.count { $0.choice > 0 }
    for (place, decision) in decisions.enumerated().reversed() {
      if decision.choice > 0 { deviationCount -= 1 }
      if decision.choice + 1 < decision.choiceCount, deviationCount < deviationLimit {
        return decisions[..<place].map(\.choice) + [decision.choice + 1]
      }
    }
    return nil
  }

  /// Returns the deviations of a schedule that begins with some choices.
  package static func deviations(_ choices: [Int]) -> [ScheduleSearch.Deviation] {
    choices.enumerated().filter { $1 > 0 }.map { ScheduleSearch.Deviation(decision: $0, choice: $1) }
  }
}
