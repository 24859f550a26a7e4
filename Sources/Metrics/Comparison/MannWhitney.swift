/// The test of Mann and Whitney: whether one of two unpaired samples tends to larger values.
///
/// Up to `exactLimit` values together the probability is that of the exact distribution over all ways of dealing out the
/// ranks, given the ties that the samples have (Streitberg and Röhmel's shift algorithm); above, that of the normal
/// distribution, with corrections for ties and for continuity.
package struct MannWhitney: Hashable, Sendable {
  /// More values than this take the normal distribution.
  package static let exactLimit = 40

  /// How often a value of the second sample is the larger one, over all pairs; half a time for equal values.
  package let u: Double
  /// Of a difference at least as large, in either direction, where there is none.
  package let probability: Double

  /// nil if one of the samples is empty.
  package init?(_ first: [Double], _ second: [Double]) {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let ranks = Midranks(first + second)
    let rankSum = ranks.doubled.suffix(second.count).reduce(0, +)
    u = (Double(rankSum) - Double(second.count * (second.count + 1))) / 2
    probability =
      first.count + second.count <= Self.exactLimit
      ? Self.exactProbability(of: rankSum, choosing: second.count, from: ranks.doubled)
      : Self.normalProbability(of: u, first.count, second.count, ranks)
  }

  /// The smallest probability that samples of these sizes can have: all of one lie above all of the other.
  package static func leastProbability(_ first: Int, _ second: Int) -> Double {
    // 2 / C(first + second, second), factor by factor.
    guard first > 0, second > 0 else { return 1 }
    let least = (1...second).reduce(2.0) { $0 * Double($1) / Double(first + $1) }
    return min(1, least)
  }
}

// MARK: - Distributions

extension MannWhitney {
  /// O(n²·r) in the number of ranks n and their sum r.
  private static func exactProbability(of rankSum: Int, choosing count: Int, from ranks: [Int]) -> Double {
    let total = ranks.reduce(0, +)
    // ways[k][s]: in how many ways k of the ranks seen so far sum up to s.
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
    // Distances from the mean, all times the number of ranks so that they are whole.
    func distance(_ sum: Int) -> Int { abs(sum * ranks.count - total * count) }
    let all = ways[count].reduce(0, +)
    let extreme = ways[count].indices.reduce(0.0) {
      distance($1) >= distance(rankSum) ? $0 + ways[count][$1] : $0
    }
    return min(1, extreme / all)
  }

  private static func normalProbability(of u: Double, _ first: Int, _ second: Int, _ ranks: Midranks) -> Double {
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
  /// By how much the second sample lies above the first: the median of all differences (Hodges and Lehmann), with its
  /// distribution-free 95 % interval.
  ///
  /// The interval takes the distribution of samples without ties, which makes it wider than need be where there are any.
  /// O(m·n·log(m·n)) in the sizes of the samples; nil if one is empty.
  package static func shift(from first: [Double], to second: [Double]) -> Shift? {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let differences = second.flatMap { later in first.map { later - $0 } }.sorted()
    let rank =
      first.count + second.count <= exactLimit
      ? exactIntervalRank(first.count, second.count) : normalIntervalRank(first.count, second.count)
    return Shift(ordered: differences, intervalRank: rank)
  }

  /// The largest c with P(U < c) ≤ 2.5 %; the interval goes from the c-th smallest difference to the c-th largest.
  static func exactIntervalRank(_ first: Int, _ second: Int) -> Int {
    let ways = withoutTies(first, second)
    let all = ways.reduce(0, +)
    var below = 0.0
    for (u, count) in ways.enumerated() {
      below += count
      if below / all > 0.025 { return u }
    }
    return ways.count
  }

  /// In how many ways each U comes about in samples without ties: the coefficients of the Gaussian binomial.
  private static func withoutTies(_ first: Int, _ second: Int) -> [Double] {
    var ways = [Double](repeating: 0, count: first * second + 1)
    ways[0] = 1
    for factor in 1...second {
      // Times 1 − q^(first + factor), then divided by 1 − q^factor.
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
