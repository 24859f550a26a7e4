/// A relation between two simulated figures that a published table shows, with the range that its value must lie in.
package struct PublishedOrder: Hashable, Sendable {
  package let name: String
  /// The value in parts per million, or nil if the second figure is zero.
  package let valuePartsPerMillion: Int64?
  package let lowPartsPerMillion: Int64
  /// The upper end of the range, or nil if the range has no upper end.
  package let highPartsPerMillion: Int64?
  package let passed: Bool
  /// Indicates whether the command fails if the order does not hold.
  package let isRequired: Bool

  /// The way in which the value of an order is computed from two figures.
  package enum Relation: String, CaseIterable, Codable, Hashable, Sendable {
    /// The first figure divided by the second.
    case ratio
    /// The amount by which the first figure is smaller than the second, as a share of the second.
    case saving
    /// The amount by which the first figure is greater than the second, as a share of the second.
    case change
  }

  /// The range that a value is held against.
  package struct Range: Hashable, Sendable, Codable {
    package var lowPartsPerMillion: Int64
    package var highPartsPerMillion: Int64?

    package init(lowPartsPerMillion: Int64, highPartsPerMillion: Int64?) {
      self.lowPartsPerMillion = lowPartsPerMillion
      self.highPartsPerMillion = highPartsPerMillion
    }
  }

  package init(
    _ name: String, relation: Relation, of first: Int64, to second: Int64, in range: Range, isRequired: Bool
  ) {
    self.name = name
    self.isRequired = isRequired
    lowPartsPerMillion = range.lowPartsPerMillion
    highPartsPerMillion = range.highPartsPerMillion
    let value = PartsPerMillion.ratio(of: first, to: second).map { ratio in
      switch relation {
      case .ratio: ratio
      case .saving: 1_000_000 - ratio
      case .change: ratio - 1_000_000
      }
    }
    valuePartsPerMillion = value
    passed = value.map { range.lowPartsPerMillion <= $0 && $0 <= range.highPartsPerMillion ?? .max } ?? false
  }
}
