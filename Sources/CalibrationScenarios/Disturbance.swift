import MachineCore

/// The signs that other programs used the computer during a calibration.
///
/// They are times of this computer beside each other, so that they mean the same on a fast computer and on a slow one.
package struct Disturbance: Hashable, Sendable {
  /// The largest part of a thread's time that it may wait for a core.
  private static let largestWait = 0.2
  /// The largest growth of the yardstick from its first to its last decile.
  private static let largestGrowth = 1.5
  /// The largest median of the time of a waking, as a multiple of the least.
  private static let largestWaking = 5.0

  package var roundCount: Int
  /// The CPU time of the thread that ran the scenarios, and the time that it was runnable without a core. The second is
  /// nil if the system does not report it.
  package var cpu: TimeSpan
  package var waited: TimeSpan?
  /// The yardstick of each round.
  package var yardsticks: [TimeSpan]
  /// The mean time of a waking in each measurement of wakings.
  package var wakings: [TimeSpan] = []

  /// Clauses that say what was measured and is too far from a quiet computer. The list is empty if nothing is.
  package var findings: [String] {
    [waitFinding, yardstickFinding, wakingFinding].compactMap(\.self)
  }

  private var waitFinding: String? {
    guard let waited, (cpu + waited) > .zero else { return nil }
    let share = Double(waited.nanoseconds) / Double((cpu + waited).nanoseconds)
    guard share > Self.largestWait else { return nil }
    let limit = Self.percent(Self.largestWait)
    return "the scenarios waited for a core in \(Self.percent(share)) of their time (at most \(limit))"
  }

  private var yardstickFinding: String? {
    let sorted = yardsticks.sorted()
    guard let last = sorted.indices.last else { return nil }
    let (low, high) = (sorted[last / 10], sorted[last - last / 10])
    guard Double(high.nanoseconds) > Self.largestGrowth * Double(low.nanoseconds) else { return nil }
    return "the yardstick took \(Self.microseconds(low)) to \(Self.microseconds(high)) µs (at most half more)"
  }

  private var wakingFinding: String? {
    // The time of an empty block is taken off a waking, which can leave a negative time.
    let sorted = wakings.filter { $0 > .zero }.sorted()
    guard let least = sorted.first else { return nil }
    let median = sorted[sorted.count / 2]
    guard Double(median.nanoseconds) > Self.largestWaking * Double(least.nanoseconds) else { return nil }
    return "waking a thread took \(Self.microseconds(median)) µs and at best \(Self.microseconds(least))"
  }

  private static func percent(_ part: Double) -> String { "\(Int((100 * part).rounded())) %" }

  private static func microseconds(_ span: TimeSpan) -> String { "\(span.nanoseconds / 1_000)" }
}
