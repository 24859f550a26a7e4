import MachineCore

/// A number of a profile: its value, its bounds, and its source.
package struct ProfileConstant: Hashable, Sendable, Codable {
  package var value: Double
  package var low: Double
  package var high: Double
  /// The source of the figure, or text that begins with the word `assumption`.
  package var source: String

  package init(value: Double, low: Double, high: Double, source: String) {
    self.value = value
    self.low = low
    self.high = high
    self.source = source
  }

  /// Returns the constant times a factor, including its bounds.
  package func scaled(by factor: Double) -> ProfileConstant {
    ProfileConstant(value: value * factor, low: low * factor, high: high * factor, source: source)
  }

  /// Returns the same value with the bounds `value / (1 + share)` and `value * (1 + share)`.
  package func narrowed(to share: Double) -> ProfileConstant {
    ProfileConstant(value: value, low: value / (1 + share), high: value * (1 + share), source: source)
  }

  /// Returns a number between the bounds, or the value if the bounds are equal. Takes exactly one draw from `random` in
  /// either case.
  ///
  /// The distribution is log-uniform: a cost is as likely to be twice the middle as half of it. It is uniform if the
  /// lower bound is 0.
  package func sampled(_ random: inout SeededRandom) -> Double { sampled(random.next()) }

  /// Returns the number between the bounds that a draw stands for.
  func sampled(_ draw: UInt64) -> Double {
    guard low < high else { return value }
    guard low > 0 else { return low + (high - low) * Double(draw >> 11) / 0x1p53 }
    return min(max(low * Self.power(high / low, draw: draw), low), high)
  }

  /// Returns a ratio to the power of a draw, which is a number from 0 to 1.
  ///
  /// It uses only square roots and products, which round alike on every processor, unlike the logarithms of different C
  /// libraries.
  static func power(_ ratio: Double, draw: UInt64) -> Double {
    var factor = ratio
    var power = 1.0
    // Each bit represents the ratio to the power of a half, a quarter, …; 32 bits resolve more than a cost could show.
    for place in 0..<32 {
      factor.formSquareRoot()
      if draw >> (63 - UInt64(place)) & 1 == 1 { power *= factor }
    }
    return power
  }
}
