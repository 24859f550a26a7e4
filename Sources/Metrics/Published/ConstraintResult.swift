/// A profile's own value, held against a range that somebody else's figure allows.
///
/// Both ends belong to the range.
package struct ConstraintResult: Hashable, Sendable {
  /// The unit of a constraint's numbers.
  package enum Unit: String, Codable, Sendable {
    case nanoseconds = "ns"
    /// Millionths of a ratio.
    case partsPerMillion = "ppm"
  }

  package let name: String
  package let profile: String
  /// The text that says which value of the profile is meant.
  package let subject: String
  package let unit: Unit
  /// The lower end of the range, or nil if the range has no lower end.
  package let low: Int64?
  /// The upper end of the range, or nil if the range has no upper end.
  package let high: Int64?
  /// The profile's value, or nil if the profile has none.
  package let value: Int64?
  package let holds: Bool
  package let source: String

  /// The constraint that a profile's value is held against.
  package struct Allowed: Hashable, Sendable {
    package var low: Int64?
    package var high: Int64?
    package var unit: Unit
    package var source: String

    package init(low: Int64?, high: Int64?, unit: Unit, source: String) {
      self.low = low
      self.high = high
      self.unit = unit
      self.source = source
    }
  }

  package init(_ name: String, profile: String, subject: String, value: Int64?, allowed: Allowed) {
    self.name = name
    self.profile = profile
    self.subject = subject
    self.value = value
    unit = allowed.unit
    low = allowed.low
    high = allowed.high
    source = allowed.source
    holds = value.map { allowed.low ?? .min <= $0 && $0 <= allowed.high ?? .max } ?? false
  }
}
