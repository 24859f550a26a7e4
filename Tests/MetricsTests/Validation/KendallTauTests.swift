import Metrics
import Testing

@Suite struct KendallTauTests {
  @Test(
    arguments: [
      // The rankings are equal, reversed, or have one neighbouring pair swapped, of 6 values (13 of 15 pairs) or of 3
      // (1 of 3).
      ([1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60], 1_000_000),
      ([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], -1_000_000),
      ([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 5, 6], 866_667),
      ([1, 2, 3], [1, 3, 2], 333_333),
      // The second series has a tie: 5 pairs of 6 are alike, over √(6·5).
      ([1, 2, 3, 4], [1, 2, 2, 3], 912_871),
      // One pair is tied in both series, and 2 are alike: 2 / √(2·2).
      ([1, 1, 2], [3, 3, 5], 1_000_000),
      // The series have ties in different pairs: 1 pair is alike, over √(2·2).
      ([1, 1, 2], [3, 5, 5], 500_000),
    ] as [([Int64], [Int64], Int64)])
  func `tau of given rankings has the defined value in both directions`(
    _ first: [Int64], _ second: [Int64], _ expected: Int64
  ) {
    #expect(KendallTau(first, second).partsPerMillion == expected)
    #expect(KendallTau(second, first).partsPerMillion == expected)
  }

  @Test(arguments: [[], [7], [5, 5, 5]] as [[Int64]])
  func `tau is nil for a series without two different values`(_ series: [Int64]) {
    #expect(KendallTau(series, series.indices.map(Int64.init)).partsPerMillion == nil)
  }

  @Test func `tau counts only the pairs that the filter accepts`() {
    // The filter leaves out the pair of the first two values, which has the opposite order.
    let tau = KendallTau([1, 2, 3], [2, 1, 3]) { first, second in (first, second) != (0, 1) }
    #expect(tau.surplus == 2)
    #expect(tau.partsPerMillion == 1_000_000)
    #expect(KendallTau([1, 2], [1, 2]) { _, _ in false }.partsPerMillion == nil)
  }

  @Test func `pooled tau sums the pairs of all series`() {
    let pooled = KendallTau(pooling: [KendallTau([1, 2, 3], [1, 2, 3]), KendallTau([1, 2], [2, 1])])
    #expect(pooled.surplus == 2 && pooled.untied.first == 4 && pooled.untied.second == 4)
    #expect(pooled.partsPerMillion == 500_000)
    #expect(KendallTau(pooling: []).partsPerMillion == nil)
  }

  @Test func `figures within the tolerance are tied`() {
    // 100 and 105 differ by 4.8 % of the larger, 105 and 111 by 5.4 %.
    let strict = KendallTau([100, 105, 111], [105, 100, 111])
    #expect(strict.partsPerMillion == 333_333)
    let tolerant = KendallTau([100, 105, 111], [105, 100, 111], tiePartsPerMillion: 50_000)
    #expect(tolerant.untied.first == 2)
    #expect(tolerant.partsPerMillion == 1_000_000)
  }
}
