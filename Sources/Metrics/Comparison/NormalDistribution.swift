import Foundation

/// The standard normal distribution, which rank sums of large samples follow.
enum NormalDistribution {
  /// Beyond this many standard deviations of zero lie 5 % of it, on both sides together.
  static let twoSidedFivePercent = 1.959963984540054

  /// The probability of a value at least `deviation` away from zero, on either side.
  static func twoSidedProbability(beyond deviation: Double) -> Double {
    erfc(abs(deviation) / 2.0.squareRoot())
  }
}
