/// Kendall's τ_b of two series of figures of the same things: how far they rank them alike.
///
/// Of all pairs of things, C are ranked alike by both series and D the other way round; a pair with the same figure twice
/// in one series is tied in it. τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)) with n₀ the pairs, n₁ those tied in the first series
/// and n₂ those tied in the second: 1 = the same ranking, −1 = the reverse, 0 = nothing in common.
package struct KendallTau: Hashable, Sendable {
  /// Ranked alike less ranked the other way round.
  package let surplus: Int
  /// Pairs that the first series tells apart, and the second.
  package let untied: Untied

  /// - Parameters:
  ///   - tiePartsPerMillion: two figures that differ by at most this much of the larger count as tied.
  ///   - isCounted: Returns whether the pair with these two places in the series counts.
  package init(
    _ first: [Int64], _ second: [Int64], tiePartsPerMillion: Int64 = 0,
    counting isCounted: (Int, Int) -> Bool = { _, _ in true }
  ) {
    var surplus = 0
    var untied = Untied()
    let count = min(first.count, second.count)
    for index in 0..<count {
      for other in index + 1..<max(count, index + 1) where isCounted(index, other) {
        let left = Self.order(first[index], first[other], tiePartsPerMillion)
        let right = Self.order(second[index], second[other], tiePartsPerMillion)
        surplus += left * right
        untied.first += abs(left)
        untied.second += abs(right)
      }
    }
    self.surplus = surplus
    self.untied = untied
  }

  /// Makes the τ_b of the pairs of several series together.
  package init(pooling parts: [KendallTau]) {
    surplus = parts.reduce(0) { $0 + $1.surplus }
    untied = parts.reduce(into: Untied()) { sum, part in
      sum.first += part.untied.first
      sum.second += part.untied.second
    }
  }

  /// 10⁶·τ_b, rounded; nil where a series ties all pairs, which is no ranking.
  package var partsPerMillion: Int64? {
    guard untied.first > 0, untied.second > 0 else { return nil }
    return Int64((1e6 * Double(surplus) / Double(untied.first * untied.second).squareRoot()).rounded())
  }

  /// −1, 0 or 1.
  private static func order(_ left: Int64, _ right: Int64, _ tiePartsPerMillion: Int64) -> Int {
    let distance = Double(abs(left - right))
    if distance * 1e6 <= Double(tiePartsPerMillion) * Double(max(abs(left), abs(right))) { return 0 }
    return left < right ? -1 : 1
  }

  /// How many pairs each series tells apart.
  package struct Untied: Hashable, Sendable {
    package var first = 0
    package var second = 0
  }
}
