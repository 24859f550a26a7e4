/// Mann and Whitney's test of whether one of two unpaired samples tends to larger values.
///
/// Up to `exactLimit` values in total, the probability is taken from the exact distribution over all ways to deal out
/// the ranks, given the ties of the samples (Streitberg and Röhmel's shift algorithm). Above the limit it is taken from
/// the normal distribution, with corrections for ties and for continuity.
package struct MannWhitney: Hashable, Sendable {
  /// The greatest number of values for which the exact distribution is used.
  package static let exactLimit = 40

  /// The number of pairs in which the value of the second sample is the larger one. Pairs of equal values count as one
  /// half.
  package let u: Double
  /// The probability of a difference at least as large, in either direction, if the samples come from the same
  /// distribution.
  package let probability: Double

  /// Tests two samples, or returns nil if one of them is empty.
  package init?(_ first: [Double], _ second: [Double]) {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let ranks = Midranks(first + second)
    let rankSum = ranks.doubled.suffix(second.count).reduce(0, +)
    u = (Double(rankSum) - Double(second.count * (second.count + 1))) / 2
    probability =
      first.count + second.count <= Self.exactLimit
      ? Self.exactProbability(of: rankSum, choosing: second.count, from: ranks.doubled)
      : Self.normalProbability(of: u, first: first.count, second: second.count, ranks: ranks)
  }

  /// Returns the smallest probability that samples of these sizes can have, which is reached if all values of one lie
  /// above all values of the other.
  package static func leastProbability(_ first: Int, _ second: Int) -> Double {
    // 2 / C(first + second, second), factor by factor.
    guard first > 0, second > 0 else { return 1 }
    let least = (1...second).reduce(2.0) { $0 * Double($1) / Double(first + $1) }
    return min(1, least)
  }
}

// MARK: - Distributions

extension MannWhitney {
  /// Returns the exact probability of a rank sum in O(n²·r), where n is the number of ranks and r is their sum.
  private static func exactProbability(of rankSum: Int, choosing count: Int, from ranks: [Int]) -> Double {
    let total = ranks.reduce(0, +)
    // ways[k][s] is the number of ways in which k of the ranks seen so far sum up to s.
    var ways = [[Double]](repeating: [Double](repeating: 0, count: total + 1), count: count + 1)
    ways[0][0] = 1
    var reached = 0
    for (index, rank) in ranks.enumerated() {
      reached += rank
      for chosen in stride(from: min(index + 1, count), through: 1, by: -1) {
        for sum in stride(from: reached, through: rank, by: -1) {
          ways[chosen][sum] += ways[chosen - 1][sum - rank]
        }
      }
    }
    // Distances from the mean, multiplied by the number of ranks so that they are integers.
    func distance(_ sum: Int) -> Int { abs(sum * ranks.count - total * count) }
    let all = ways[count].reduce(0, +)
    let extreme = ways[count].indices.reduce(0.0) {
      distance($1) >= distance(rankSum) ? $0 + ways[count][$1] : $0
    }
    return min(1, extreme / all)
  }

  private static func normalProbability(of u: Double, first: Int, second: Int, ranks: Midranks) -> Double {
    let (m, n) = (Double(first), Double(second))
    let all = m + n
    let ties = ranks.tieCounts.reduce(0.0) { $0 + Double($1 * $1 * $1 - $1) }
    let variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)))
    guard variance > 0 else { return 1 }
    let distance = max(0, abs(u - m * n / 2) - 0.5)
    return min(1, NormalDistribution.twoSidedProbability(beyond: distance / variance.squareRoot()))
  }
}

// MARK: - The shift

extension MannWhitney {
  /// Returns the shift of the second sample from the first: the median of all differences (Hodges and Lehmann), with
  /// its distribution-free 95 % interval.
  ///
  /// The interval uses the distribution of samples without ties, which makes it wider than necessary if there are ties.
  /// Returns nil if a sample is empty. O(m·n·log(m·n)) in the sizes of the samples.
  package static func shift(from first: [Double], to second: [Double]) -> Shift? {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let differences = second.flatMap { later in first.map { later - $0 } }.sorted()
    let rank =
      first.count + second.count <= exactLimit
      ? exactIntervalRank(first.count, second.count) : normalIntervalRank(first.count, second.count)
    return Shift(ordered: differences, intervalRank: rank)
  }

  /// Returns the largest c with P(U < c) ≤ 2.5 %. The interval extends from the c-th smallest difference to the c-th
  /// largest.
  package static func exactIntervalRank(_ first: Int, _ second: Int) -> Int {
    let ways = withoutTies(first, second)
    let all = ways.reduce(0, +)
    var below = 0.0
    for (u, count) in ways.enumerated() {
      below += count
      if below / all > 0.025 { return u }
    }
    return ways.count
  }

  /// Returns the number of ways in which each U arises in samples without ties: the coefficients of the Gaussian
  /// binomial.
  private static func withoutTies(_ first: Int, _ second: Int) -> [Double] {
    var ways = [Double](repeating: 0, count: first * second + 1)
    ways[0] = 1
    for factor in 1...second {
      // Multiply by 1 − q^(first + factor), then divide by 1 − q^factor.
      for power in stride(from: ways.count - 1, through: first + factor, by: -1) {
        ways[power] -= ways[power - first - factor]
      }
      for power in stride(from: factor, to: ways.count, by: 1) {
        ways[power] += ways[power - factor]
      }
    }
    return ways
  }

  private static func normalIntervalRank(_ first: Int, _ second: Int) -> Int {
    let (m, n) = (Double(first), Double(second))
    let deviation = (m * n * (m + n + 1) / 12).squareRoot()
    return max(0, Int((m * n / 2 - NormalDistribution.twoSidedFivePercent * deviation).rounded(.down)))
  }
}
