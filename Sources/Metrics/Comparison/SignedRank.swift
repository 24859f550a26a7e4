/// Wilcoxon's signed-rank test: whether the differences of pairs tend to one side of zero.
///
/// Zeros are treated as Pratt has it: they take part in the ranking and then drop out, so that a difference between
/// trials that mostly agree weighs less, and not more, for their agreement. Up to `exactLimit` pairs the probability is
/// that of the exact distribution over all signs, given the ties; above, that of the normal distribution with its
/// variance taken from the ranks as they are.
package struct SignedRank: Hashable, Sendable {
  /// More pairs than this take the normal distribution.
  package static let exactLimit = 50

  /// The sum of the ranks of the positive differences.
  package let positiveRankSum: Double
  /// Of a sum at least as far from its mean, where positive and negative are equally likely.
  package let probability: Double

  /// nil without a pair.
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

  /// The smallest probability that so many pairs can have: all differences lie on one side.
  package static func leastProbability(_ pairs: Int) -> Double {
    (0..<max(1, pairs)).reduce(2.0) { least, _ in least / 2 }
  }
}

// MARK: - Distributions

extension SignedRank {
  /// O(n·r) in the number of ranks n and their sum r.
  private static func exactProbability(of rankSum: Int, from ranks: [Int]) -> Double {
    let ways = sums(of: ranks)
    let total = ranks.reduce(0, +)
    let all = ways.reduce(0, +)
    let extreme = ways.indices.reduce(0.0) {
      abs(2 * $1 - total) >= abs(2 * rankSum - total) ? $0 + ways[$1] : $0
    }
    return min(1, extreme / all)
  }

  /// In how many ways a choice among the ranks sums up to each value.
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
    // Of the doubled ranks, as their sum is.
    let mean = Double(ranks.reduce(0, +)) / 2
    let variance = ranks.reduce(0.0) { $0 + Double($1 * $1) } / 4
    guard variance > 0 else { return 1 }
    // Sums of doubled ranks without ties lie 2 apart: half of that for continuity.
    let distance = max(0, abs(Double(rankSum) - mean) - 1)
    return min(1, NormalDistribution.twoSidedProbability(beyond: distance / variance.squareRoot()))
  }
}

// MARK: - The shift

extension SignedRank {
  /// The pseudomedian of the differences, which is the median of all means of two of them or one with itself (Walsh
  /// averages), with its distribution-free 95 % interval.
  ///
  /// The interval takes the distribution of differences without ties or zeros, which makes it wider than need be where
  /// there are any. O(n²·log n) in the number of pairs; nil without one.
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

  /// The largest c with P(W < c) ≤ 2.5 %.
  static func exactIntervalRank(_ pairs: Int) -> Int {
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
