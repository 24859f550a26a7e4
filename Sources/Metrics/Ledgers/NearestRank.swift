/// Order statistics by nearest rank: the element ⌈p·n⌉ of the sorted series, without interpolation.
package struct NearestRank: Sendable {
  /// The series in ascending order.
  private let sorted: [Int64]

  package init(_ series: some Sequence<Int64>) {
    sorted = series.sorted()
  }

  /// The element ⌈percent·n/100⌉ of the sorted series, counted from 1, or nil if the series is empty.
  package subscript(percent percent: Int) -> Int64? {
    guard !sorted.isEmpty else { return nil }
    let rank = max(1, (sorted.count * percent + 99) / 100)
    return sorted[min(rank, sorted.count) - 1]
  }

  /// The least element, or nil if the series is empty.
  package var minimum: Int64? { sorted.first }
  /// The greatest element, or nil if the series is empty.
  package var maximum: Int64? { sorted.last }
}

/// Returns `numerator` / `denominator` rounded half up, for numbers that are not negative.
package func dividedHalfUp(_ numerator: Int128, by denominator: Int64) -> Int64 {
  Int64((2 * numerator + Int128(denominator)) / (2 * Int128(denominator)))
}
