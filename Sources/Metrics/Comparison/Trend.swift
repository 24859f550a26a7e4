/// The change of a quantity from one sample to the next, in a series of samples at equal distances.
///
/// The series is divided into at most 20 blocks of samples that follow each other, and each block counts with its
/// median. Neighbouring samples resemble each other, which would make the error too small without blocks. The slope is the
/// median of the slopes between all pairs of blocks (Theil and Sen), which a few steps or outliers do not move. The
/// probability and the interval come from Kendall's number of rising pairs less falling ones, with the variance for
/// ties.
package struct Trend: Hashable, Sendable {
  /// The change from one sample to the next, with its 95 % interval.
  package let slope: Shift
  /// The probability of at least as many rising pairs if the order of the blocks is random.
  package let probability: Double
  /// The median of the samples.
  package let level: Double
  /// The number of samples that the blocks contain.
  package let count: Int

  /// The largest number of blocks.
  private static let blockLimit = 20
  /// The smallest number of samples. If all of them rise, the probability is below 0.1 %.
  package static let leastCount = 8

  /// Creates the trend of a series, or returns nil if it has fewer than eight samples. Samples at the beginning that do
  /// not fill a block are left out.
  package init?(_ samples: [Int64]) {
    guard samples.count >= Self.leastCount else { return nil }
    let size = (samples.count + Self.blockLimit - 1) / Self.blockLimit
    let used = samples.suffix(samples.count / size * size)
    let blocks = stride(from: used.startIndex, to: used.endIndex, by: size).map { Self.median(used[$0..<$0 + size]) }
    count = used.count
    level = Self.median(used)
    let surplus = KendallTau(blocks.indices.map(Int64.init), blocks.map { Int64(2 * $0) }).surplus
    let n = Double(blocks.count)
    let ties = Midranks(blocks).tieCounts.reduce(0.0) { $0 + Double($1 * ($1 - 1) * (2 * $1 + 5)) }
    let deviation = ((n * (n - 1) * (2 * n + 5) - ties) / 18).squareRoot()
    // Surpluses without ties are 2 apart. The correction for continuity is half of this distance.
    let distance = max(0, Double(abs(surplus)) - 1)
    let oneSided = deviation > 0 ? NormalDistribution.twoSidedProbability(beyond: distance / deviation) / 2 : 0.5
    probability = surplus > 0 ? oneSided : 1 - oneSided
    let slopes = blocks.indices.flatMap { first in
      blocks.indices.dropFirst(first + 1).map { (blocks[$0] - blocks[first]) / Double(($0 - first) * size) }
    }.sorted()
    let rank = (n * (n - 1) / 2 - NormalDistribution.twoSidedFivePercent * deviation) / 2
    slope = Shift(ordered: slopes, intervalRank: max(1, Int(rank)))
  }

  private static func median(_ samples: some Collection<Int64>) -> Double {
    Shift(ordered: samples.map(Double.init).sorted(), intervalRank: 0).estimate
  }
}
