import MachineCore

/// A number of a profile: what it is taken to be, between which bounds it lies, and where that is known from.
package struct ProfileConstant: Hashable, Sendable, Codable {
  package var value: Double
  package var low: Double
  package var high: Double
  /// Where the figure comes from, or text that begins with the word `assumption`.
  package var source: String

  package init(value: Double, low: Double, high: Double, source: String) {
    self.value = value
    self.low = low
    self.high = high
    self.source = source
  }

  /// The same times a factor, bounds included.
  package func scaled(by factor: Double) -> ProfileConstant {
    ProfileConstant(value: value * factor, low: low * factor, high: high * factor, source: source)
  }

  /// Returns the same value with bounds that lie the share apart from it.
  package func narrowed(to share: Double) -> ProfileConstant {
    ProfileConstant(value: value, low: value / (1 + share), high: value * (1 + share), source: source)
  }

  /// A number between the bounds, by one draw whatever they are.
  ///
  /// Log-uniform: a cost is as likely to be twice the middle as half of it. Uniform where the lower bound is 0.
  /// Square roots and products only, which round alike on every processor; the logarithms of two C libraries do not.
  package func sampled(_ random: inout SeededRandom) -> Double {
    let bits = random.next()
    guard low < high else { return value }
    guard low > 0 else { return low + (high - low) * Double(bits >> 11) / 0x1p53 }
    var factor = high / low
    var sample = low
    // Bit after bit, the ratio to the power of a half, a quarter, …; 32 of them leave nothing that a cost could show.
    for place in 0..<32 {
      factor.formSquareRoot()
      if bits >> (63 - UInt64(place)) & 1 == 1 { sample *= factor }
    }
    return min(max(sample, low), high)
  }
}
