/// Kendall's τ_b of two series of figures for the same things: the degree to which they rank the things alike.
///
/// Of all pairs of things, both series rank C in the same order and D in opposite orders. A pair with equal figures in
/// a series is tied in that series. τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)), where n₀ is the number of pairs, n₁ the
/// number tied in the first series and n₂ the number tied in the second. 1 means the same ranking, −1 the reverse
/// ranking, and 0 no relation.
package struct KendallTau: Hashable, Sendable {
  /// The number of pairs ranked in the same order minus the number ranked in opposite orders.
  package let surplus: Int
  /// The numbers of pairs that each series does not tie.
  package let untied: Untied

  /// - Parameters:
  ///   - first: The first series.
  ///   - second: The second series.
  ///   - tiePartsPerMillion: The greatest difference, as a share of the larger figure, at which two figures count as
  ///     tied.
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
        let left = Self.order(first[index], first[other], tiePartsPerMillion: tiePartsPerMillion)
        let right = Self.order(second[index], second[other], tiePartsPerMillion: tiePartsPerMillion)
        surplus += left * right
        untied.first += abs(left)
        untied.second += abs(right)
      }
    }
    self.surplus = surplus
    self.untied = untied
  }

  /// Creates the τ_b of the pairs of several series together.
  package init(pooling parts: [KendallTau]) {
    surplus = parts.reduce(0) { $0 + $1.surplus }
    untied = parts.reduce(into: Untied()) { sum, part in
      sum.first += part.untied.first
      sum.second += part.untied.second
    }
  }

  /// 10⁶·τ_b, rounded, or nil if a series ties all pairs and therefore has no ranking.
  package var partsPerMillion: Int64? {
    guard untied.first > 0, untied.second > 0 else { return nil }
    return Int64((1e6 * Double(surplus) / Double(untied.first * untied.second).squareRoot()).rounded())
  }

  /// Returns −1 if the left figure is smaller, 0 if the figures are tied, and 1 if the left figure is larger.
  private static func order(_ left: Int64, _ right: Int64, tiePartsPerMillion: Int64) -> Int {
    let distance = Double(abs(left - right))
    if distance * 1e6 <= Double(tiePartsPerMillion) * Double(max(abs(left), abs(right))) { return 0 }
    return left < right ? -1 : 1
  }

  /// The number of pairs that each series does not tie.
  package struct Untied: Hashable, Sendable {
    package var first = 0
    package var second = 0
  }
}
