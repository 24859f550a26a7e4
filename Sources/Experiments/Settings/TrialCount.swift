import Reporting
import TrialProcesses

/// Chooses the number of trials of a live run that does not ask for one, by the speed of the computer.
///
/// Six stacks with the default sizes and this number of trials take less than two minutes, even on a computer that is
/// half as fast as the one on which the sizes were chosen. The choice depends only on the speed, so that a run with
/// other sizes has the same number of trials on the same computer.
enum TrialCount {
  /// The number of trials on a slow computer. Fewer would show no spread.
  static let least = 3
  /// The number of trials on a fast computer.
  static let most = 5

  /// The time for all trials and their repeats, in seconds.
  private static let budget = 110.0
  /// The most trials that are run for each that counts, since half as many may be repeated where the speed changes.
  private static let repeatFactor = 1.5
  /// The number of stacks that a run has by default.
  private static let stackCount = 6.0
  /// The time of a trial with the default sizes, including its preparations, as a multiple of the yardstick's time. It
  /// was 3.0 s on a computer whose yardstick takes 6.85 ms.
  private static let trialYardsticks = 438.0

  /// The number of measurements of the speed. The fastest one counts, since other programs may run during some of them.
  private static let lookCount = 5

  /// Returns the choice for this computer.
  ///
  /// `measure` measures the duration of the yardstick's work, in nanoseconds. It is called several times, and the
  /// shortest duration counts.
  static func choice(measuring measure: () -> Int64) -> Manifest.TrialChoice {
    choice(yardstick: (0..<lookCount).reduce(Int64.max) { least, _ in min(least, measure()) })
  }

  /// Returns the choice for a computer on which the yardstick's work takes this number of nanoseconds.
  static func choice(yardstick nanoseconds: Int64) -> Manifest.TrialChoice {
    let trialSeconds = Double(nanoseconds) / 1_000_000_000 * trialYardsticks
    let affordable = budget / (stackCount * repeatFactor * max(trialSeconds, .leastNormalMagnitude))
    return Manifest.TrialChoice(
      trials: Int(min(max(affordable, Double(least)), Double(most))), most: most, yardstickNanoseconds: nanoseconds)
  }
}
