import MachineCore
import Testing

@Suite struct SeededRandomTests {
  /// The published test vectors of SplitMix64: the reference implementation seeded with 0 and with 1234567.
  @Test(arguments: [
    (
      UInt64(0),
      [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f, 0xf88b_b8a8_724c_81ec] as [UInt64]
    ),
    (
      UInt64(1_234_567),
      [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ] as [UInt64]
    ),
  ])
  func `the numbers are those of SplitMix64`(seed: UInt64, numbers: [UInt64]) {
    var random = SeededRandom(seed: seed)
    #expect(numbers.map { _ in random.next() } == numbers)
  }

  @Test func `the same seed and stream give the same numbers`() {
    var first = SeededRandom(seed: 9, stream: "edits")
    var second = SeededRandom(seed: 9, stream: "edits")
    #expect((0..<100).map { _ in first.next() } == (0..<100).map { _ in second.next() })
  }

  @Test func `different seeds or streams give different numbers`() {
    var generators = [
      SeededRandom(seed: 9), SeededRandom(seed: 9, stream: "edits"), SeededRandom(seed: 9, stream: "payloads"),
      SeededRandom(seed: 10, stream: "edits"),
    ]
    let firsts = generators.indices.map { generators[$0].next() }
    #expect(Set(firsts).count == firsts.count)
  }

  @Test(arguments: [1, 2, 7, 1_000, Int.max])
  func `a number below a bound lies in its range`(bound: Int) {
    var random = SeededRandom(seed: 3)
    for _ in 0..<1_000 {
      #expect((0..<bound).contains(random.below(bound)))
    }
  }

  @Test func `numbers below a bound reach each value about equally often`() {
    var random = SeededRandom(seed: 5)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 {
      counts[random.below(10)] += 1
    }
    // The seed is fixed, so the counts are exact. The range is 4.5 standard deviations wide, so that any sound
    // generator passes.
    #expect(counts.allSatisfy { (865...1_135).contains($0) })
  }
}
