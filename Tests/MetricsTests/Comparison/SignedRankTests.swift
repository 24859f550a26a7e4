import Metrics
import Testing

/// Expected values: published tables, and SciPy 1.17.1 (`wilcoxon`, `method="exact"`; with ties or zeros
/// `zero_method="pratt"` and a `PermutationMethod` over all signs; for many pairs `"approx"` with `correction`).
@Suite struct SignedRankTests {
  private static func isClose(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) <= 1e-12 } ?? false
  }

  /// Darwin's plants, crossed less self-fertilised: in many textbooks.
  private static let plants: [Double] = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]

  /// Hollander and Wolfe, *Nonparametric Statistical Methods*, chapter 3: depression after less before therapy.
  private static let depression: [Double] = zip(
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
  ).map { $0 - $1 }

  private static let withoutTies: [([Double], Double, Double)] = [
    (plants, 96, 0.041259765625),
    (depression, 5, 0.0390625),
    ([1, 2, 3, 4, 5, 6], 21, 0.03125),
    ([3, -1, 2, 5, -4, 7, 8, 6], 31, 0.078125),
  ]

  @Test(arguments: withoutTies)
  func `the probability without ties is exact`(differences: [Double], rankSum: Double, probability: Double) {
    let test = SignedRank(differences)
    #expect(test?.positiveRankSum == rankSum)
    #expect(Self.isClose(test?.probability, probability), "\(test?.probability ?? -1)")
  }

  private static let withTies: [([Double], Double, Double)] = [
    ([0.5, 0, 0, 1.5, -0.5, 2, 2, -1, 3, 0], 38.5, 0.171875),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 16], 23, 0.5),
    ([1, 1, 1, -1, 2, 2, -2, 3], 27.5, 0.2421875),
    ([0, 0, 0, 0], 0, 1),
  ]

  @Test(arguments: withTies)
  func `the probability with ties and zeros follows Pratt's method`(
    differences: [Double], rankSum: Double, probability: Double
  ) {
    let test = SignedRank(differences)
    #expect(test?.positiveRankSum == rankSum)
    #expect(Self.isClose(test?.probability, probability), "\(test?.probability ?? -1)")
  }

  @Test func `many pairs use the normal approximation, also with ties and zeros`() {
    let test = SignedRank((0..<60).map { Double($0 * 37 % 101) - 39.5 })
    #expect(test?.positiveRankSum == 1239)
    #expect(Self.isClose(test?.probability, 0.01723498680225933), "\(test?.probability ?? -1)")
    let tied = SignedRank((0..<60).map { Double($0 * 7 % 23 - 8) })
    #expect(Self.isClose(tied?.probability, 0.0027801943100245656), "\(tied?.probability ?? -1)")
    #expect(SignedRank([Double](repeating: 0, count: 60))?.probability == 1)
  }

  /// Another example of the book has the estimate −0.46 and the interval from −0.786 to −0.010.
  @Test func `the pseudomedian of the published example has its published interval`() throws {
    let shift = try #require(SignedRank.shift(of: Self.depression))
    #expect(abs(shift.estimate + 0.46) < 1e-9)
    let interval = try #require(shift.interval)
    #expect(abs(interval.lowerBound + 0.786) < 1e-9 && abs(interval.upperBound + 0.010) < 1e-9)
  }

  @Test func `the pseudomedian is the median of all pairwise means`() {
    let shift = SignedRank.shift(of: Self.plants)
    #expect(shift?.estimate == 25)
    #expect(shift?.interval == 4...41.5)
    let one = SignedRank.shift(of: [7])
    #expect(one?.estimate == 7)
    #expect(one?.interval == nil)
  }

  /// The published critical values for 5 % on both sides, or nil if the table has a dash.
  @Test(
    arguments: [
      (5, nil), (6, 0), (7, 2), (8, 3), (9, 5), (10, 8), (11, 10), (12, 13), (13, 17), (14, 21), (15, 25), (20, 52),
      (25, 89), (30, 137), (50, 434),
    ] as [(Int, Int?)])
  func `the rank of the interval follows the published critical values`(pairs: Int, critical: Int?) {
    #expect(SignedRank.exactIntervalRank(pairs) == (critical ?? -1) + 1)
  }

  @Test func `many pairs have an interval`() throws {
    let shift = try #require(SignedRank.shift(of: (0..<61).map { Double($0) }))
    #expect(shift.estimate == 30)
    let interval = try #require(shift.interval)
    #expect(interval.lowerBound + interval.upperBound == 60)
    // About 1.96 times the standard deviation of the mean, 17.6 / √61.
    #expect((4.0...5.0).contains(30 - interval.lowerBound))
  }

  @Test(arguments: [(1, 1), (2, 0.5), (6, 0.03125), (12, 2.0 / 4096)])
  func `leastProbability is the probability of differences of one sign`(pairs: Int, least: Double) {
    #expect(SignedRank.leastProbability(pairs) == least)
    #expect(SignedRank((1...pairs).map(Double.init))?.probability == least)
  }

  @Test func `the test is nil without pairs`() {
    #expect(SignedRank([]) == nil)
    #expect(SignedRank.shift(of: []) == nil)
  }
}
