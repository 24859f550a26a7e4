/// Shortens a schedule that breaks a law: removes deviations as long as the schedule still breaks one.
package struct ScheduleShortening: Sendable {
  private let runLimit: Int

  /// Creates a shortening with at most some runs.
  package init(runLimit: Int) { self.runLimit = runLimit }

  /// Returns the deviations that are needed to break the law, or more of them if the limit of runs was reached.
  ///
  /// The method is that of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002, with the
  /// complements only.
  ///
  /// - Parameters:
  ///   - deviations: The deviations of a schedule that breaks a law.
  ///   - breaks: Returns the deviations that a run made if it broke a law, or nil if it broke none.
  /// - Returns: The deviations that are left.
  package func shortest(
    _ deviations: [ScheduleSearch.Deviation],
    breaks: ([ScheduleSearch.Deviation]) async throws -> [ScheduleSearch.Deviation]?
  ) async rethrows -> [ScheduleSearch.Deviation] {
    var kept = deviations
    var runCount = 0
    var size = max(1, kept.count / 2)
    while !kept.isEmpty {
      var hasRemoved = false
      var start = 0
      while start < kept.count, runCount < runLimit {
        let candidate = Array(kept[..<start] + kept.dropFirst(min(start + size, kept.count)))
        runCount += 1
        if let made = try await breaks(candidate), made.count <= candidate.count {
          // The run may have broken the law before it came to the last deviations.
          kept = made
          hasRemoved = true
        } else {
          start += size
        }
      }
      guard runCount < runLimit, size > 1 || hasRemoved else { break }
      size = max(1, size / 2)
    }
    return kept
  }
}
