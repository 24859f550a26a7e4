import Foundation

/// The standard normal distribution, which rank sums of large samples follow.
enum NormalDistribution {
  /// The number of standard deviations from zero beyond which 5 % of the distribution lie, on both sides together.
  static let twoSidedFivePercent = 1.959963984540054

  /// Returns the probability of a value at least `deviation` away from zero, on either side.
  static func twoSidedProbability(beyond deviation: Double) -> Double {
    erfc(abs(deviation) / 2.0.squareRoot())
  }
}
