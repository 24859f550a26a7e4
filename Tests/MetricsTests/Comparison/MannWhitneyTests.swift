import Metrics
import Testing

/// Expected values: published tables, and SciPy 1.17.1 (`mannwhitneyu`, `method="exact"`; with ties a
/// `PermutationMethod` over all permutations; for large samples `"asymptotic"` with `use_continuity`).
@Suite struct MannWhitneyTests {
  private static func isClose(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) <= 1e-12 } ?? false
  }

  private static let withoutTies: [([Double], [Double], Double, Double)] = [
    ([1.1, 2.2, 3.3, 4.4, 5.5], [6.6, 7.7, 8.8, 9.9, 10.1], 25, 0.007936507936507936),
    ([19, 22, 16, 29, 24], [20, 11, 17, 12], 3, 0.1111111111111111),
    ([1, 2, 3, 4, 5, 6, 7], [4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5], 43, 0.01748251748251748),
    (permeabilityAtTerm, permeabilityEarly, 15, 0.2544122544122544),
  ]

  @Test(arguments: withoutTies)
  func `the probability without ties is exact`(first: [Double], second: [Double], u: Double, probability: Double) {
    let test = MannWhitney(first, second)
    #expect(test?.u == u)
    #expect(Self.isClose(test?.probability, probability), "\(test?.probability ?? -1)")
  }

  private static let withTies: [([Double], [Double], Double, Double)] = [
    ([0, 0, 16, 16, 33], [16, 33, 33, 50, 50], 22, 0.07936507936507936),
    ([0, 0, 0, 0, 0, 0], [0, 0, 0, 16, 16, 33], 27, 0.18181818181818182),
    ([1, 1, 2, 2], [1, 2, 2, 2], 10, 1),
    ([5, 5, 5], [5, 5, 5], 4.5, 1),
  ]

  @Test(arguments: withTies)
  func `the probability with ties equals that over all permutations`(
    first: [Double], second: [Double], u: Double, probability: Double
  ) {
    let test = MannWhitney(first, second)
    #expect(test?.u == u)
    #expect(Self.isClose(test?.probability, probability), "\(test?.probability ?? -1)")
  }

  @Test func `large samples use the normal approximation with both corrections`() {
    let few = MannWhitney((0..<25).map { Double($0 * 37 % 101) }, (0..<25).map { Double($0 * 53 % 103 + 10) })
    #expect(few?.u == 339.5)
    #expect(Self.isClose(few?.probability, 0.607068851508458), "\(few?.probability ?? -1)")
    let many = MannWhitney((0..<30).map { Double($0 * 37 % 11) }, (0..<20).map { Double($0 * 53 % 13 + 1) })
    #expect(many?.u == 348)
    #expect(Self.isClose(many?.probability, 0.3451693525099273), "\(many?.probability ?? -1)")
    #expect(MannWhitney([Double](repeating: 3, count: 30), [Double](repeating: 3, count: 30))?.probability == 1)
  }

  @Test func `swapping the samples keeps the probability and negates the shift`() throws {
    let there = MannWhitney.shift(from: Self.permeabilityAtTerm, to: Self.permeabilityEarly)
    let back = MannWhitney.shift(from: Self.permeabilityEarly, to: Self.permeabilityAtTerm)
    #expect(there.map { -$0.estimate } == back?.estimate)
    #expect(there?.interval.map { -$0.upperBound } == back?.interval?.lowerBound)
    #expect(
      MannWhitney(Self.permeabilityAtTerm, Self.permeabilityEarly)?.probability
        == MannWhitney(Self.permeabilityEarly, Self.permeabilityAtTerm)?.probability)
  }

  /// Hollander and Wolfe, *Nonparametric Statistical Methods*, chapter 4: estimate 0.305, interval from −0.15 to 0.76
  /// for "at term" less "early".
  @Test func `the shift of the published example has its published interval`() throws {
    let shift = try #require(MannWhitney.shift(from: Self.permeabilityEarly, to: Self.permeabilityAtTerm))
    #expect(Self.isClose(shift.estimate, 0.305))
    let interval = try #require(shift.interval)
    #expect(abs(interval.lowerBound + 0.15) < 1e-9 && abs(interval.upperBound - 0.76) < 1e-9)
  }

  private static let permeabilityAtTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
  private static let permeabilityEarly = [1.15, 0.88, 0.90, 0.74, 1.21]

  /// The published critical values of U for 5 % on both sides, or nil if the table has a dash.
  @Test(
    arguments: [
      (3, 3, nil), (4, 4, 0), (5, 5, 2), (6, 6, 5), (7, 7, 8), (8, 8, 13), (10, 10, 23), (12, 12, 37), (15, 15, 64),
      (20, 20, 127), (5, 8, 6), (10, 5, 8), (2, 8, 0), (3, 10, 3), (2, 7, nil),
    ] as [(Int, Int, Int?)])
  func `the rank of the interval follows the published critical values`(first: Int, second: Int, critical: Int?) {
    #expect(MannWhitney.exactIntervalRank(first, second) == (critical ?? -1) + 1)
  }

  @Test func `the interval is nil for small samples`() {
    let shift = MannWhitney.shift(from: [1, 2, 3], to: [4, 5, 6])
    #expect(shift?.estimate == 3)
    #expect(shift?.interval == nil)
    #expect(MannWhitney.shift(from: [1, 2, 3, 4], to: [5, 6, 7, 8])?.interval == 1...7)
  }

  @Test func `large samples have an interval`() {
    // 21 and 21 evenly spaced values: the 143rd of 441 differences, where the table for 20 and 20 has the 128th of 400.
    let samples = (0..<21).map { Double($0) }
    let shift = MannWhitney.shift(from: samples, to: samples.map { $0 + 100 })
    #expect(shift?.estimate == 100)
    #expect(shift?.interval == 96...104)
  }

  @Test(arguments: [(1, 1, 2), (4, 4, 70), (5, 5, 252), (7, 7, 3432), (5, 8, 1287)])
  func `leastProbability is the probability of samples without overlap`(first: Int, second: Int, ways: Int) {
    let least = 2 / Double(ways)
    #expect(Self.isClose(MannWhitney.leastProbability(first, second), least))
    let test = MannWhitney((0..<first).map(Double.init), (0..<second).map { Double($0 + 100) })
    #expect(Self.isClose(test?.probability, least))
  }

  @Test func `the test is nil for an empty sample`() {
    #expect(MannWhitney([], [1]) == nil)
    #expect(MannWhitney([1], []) == nil)
    #expect(MannWhitney.shift(from: [], to: [1]) == nil)
    #expect(MannWhitney.leastProbability(0, 5) == 1)
  }
}
