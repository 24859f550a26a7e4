/// Wilcoxon's signed-rank test of whether the differences of pairs tend to one side of zero.
///
/// Zeros are treated by Pratt's method: they take part in the ranking and are then dropped, so that a difference
/// between trials that mostly agree weighs less for their agreement and not more. Up to `exactLimit` pairs, the
/// probability is taken from the exact distribution over all signs, given the ties. Above the limit it is taken from
/// the normal distribution, whose variance is computed from the actual ranks.
package struct SignedRank: Hashable, Sendable {
  /// The greatest number of pairs for which the exact distribution is used.
  package static let exactLimit = 50

  /// The sum of the ranks of the positive differences.
  package let positiveRankSum: Double
  /// The probability of a sum at least as far from its mean if positive and negative differences are equally likely.
  package let probability: Double

  /// Tests the differences of pairs, or returns nil if there are no pairs.
  package init?(_ differences: [Double]) {
    guard !differences.isEmpty else { return nil }
    let ranks = zip(differences, Midranks(differences.map(abs)).doubled).filter { $0.0 != 0 }
    let signed = ranks.map(\.1)
    let rankSum = ranks.reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
    positiveRankSum = Double(rankSum) / 2
    probability =
      differences.count <= Self.exactLimit
      ? Self.exactProbability(of: rankSum, from: signed) : Self.normalProbability(of: rankSum, from: signed)
  }

  /// Returns the smallest probability that this number of pairs can have, which is reached if all differences lie on
  /// one side.
  package static func leastProbability(_ pairs: Int) -> Double {
    (0..<max(1, pairs)).reduce(2.0) { least, _ in least / 2 }
  }
}

// MARK: - Distributions

extension SignedRank {
  /// Returns the exact probability of a rank sum in O(n·r), where n is the number of ranks and r is their sum.
  private static func exactProbability(of rankSum: Int, from ranks: [Int]) -> Double {
    let ways = sums(of: ranks)
    let total = ranks.reduce(0, +)
    let all = ways.reduce(0, +)
    let extreme = ways.indices.reduce(0.0) {
      abs(2 * $1 - total) >= abs(2 * rankSum - total) ? $0 + ways[$1] : $0
    }
    return min(1, extreme / all)
  }

  /// Returns the number of ways in which a choice among the ranks sums up to each value.
  private static func sums(of ranks: [Int]) -> [Double] {
    var ways = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
    ways[0] = 1
    var reached = 0
    for rank in ranks {
      reached += rank
      for sum in stride(from: reached, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
    }
    return ways
  }

  private static func normalProbability(of rankSum: Int, from ranks: [Int]) -> Double {
    // The mean of the sum of doubled ranks.
    let mean = Double(ranks.reduce(0, +)) / 2
    let variance = ranks.reduce(0.0) { $0 + Double($1 * $1) } / 4
    guard variance > 0 else { return 1 }
    // Sums of doubled ranks without ties lie 2 apart. The correction for continuity is half of this distance.
    let distance = max(0, abs(Double(rankSum) - mean) - 1)
    return min(1, NormalDistribution.twoSidedProbability(beyond: distance / variance.squareRoot()))
  }
}

// MARK: - The shift

extension SignedRank {
  /// Returns the pseudomedian of the differences, which is the median of all means of two of them or of one with itself
  /// (Walsh averages), with its distribution-free 95 % interval.
  ///
  /// The interval uses the distribution of differences without ties or zeros, which makes it wider than necessary if
  /// there are any. Returns nil if there are no differences. O(n²·log n) in the number of pairs.
  package static func shift(of differences: [Double]) -> Shift? {
    guard !differences.isEmpty else { return nil }
    let averages = differences.indices.flatMap { first in
      differences[first...].map { (differences[first] + $0) / 2 }
    }.sorted()
    let rank =
      differences.count <= exactLimit
      ? exactIntervalRank(differences.count) : normalIntervalRank(differences.count)
    return Shift(ordered: averages, intervalRank: rank)
  }

  /// Returns the largest c with P(W < c) ≤ 2.5 %.
  package static func exactIntervalRank(_ pairs: Int) -> Int {
    let ways = sums(of: Array(1...pairs))
    let all = ways.reduce(0, +)
    var below = 0.0
    for (sum, count) in ways.enumerated() {
      below += count
      if below / all > 0.025 { return sum }
    }
    return ways.count
  }

  private static func normalIntervalRank(_ pairs: Int) -> Int {
    let n = Double(pairs)
    let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
    return max(0, Int((n * (n + 1) / 4 - NormalDistribution.twoSidedFivePercent * deviation).rounded(.down)))
  }
}
