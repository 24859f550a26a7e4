import MachineCore
import Metrics
import Testing

/// The trend of a series of samples.
@Suite struct TrendTests {
  /// Returns samples whose deviations from a line resemble those before them.
  private func noisySamples(_ count: Int, slope: Double, memory: Double, seed: UInt64) -> [Int64] {
    var random = SeededRandom(seed: seed, stream: "noise")
    var deviation = 0.0
    return (0..<count).map { place in
      deviation = memory * deviation + Double(random.below(2_001) - 1_000)
      return Int64(100_000 + slope * Double(place) + deviation)
    }
  }

  @Test func `a series on a line has its slope without error`() throws {
    let trend = try #require(Trend((0..<50).map { 7 * $0 + 3 }))
    #expect(abs(trend.slope.estimate - 7) < 1e-9 && trend.probability < 1e-6)
    let interval = try #require(trend.slope.interval)
    #expect(abs(interval.lowerBound - 7) < 1e-9 && abs(interval.upperBound - 7) < 1e-9)
  }

  @Test func `eight rising samples are enough, seven are not`() throws {
    #expect(Trend(Array(1...7)) == nil)
    #expect(try #require(Trend(Array(1...8))).probability < SoakTrend.significance)
  }

  @Test func `equal samples have no slope, and falling ones a negative one`() throws {
    let equal = try #require(Trend(Array(repeating: 5, count: 30)))
    #expect(equal.slope.estimate == 0 && equal.probability == 0.5 && equal.level == 5)
    let falling = try #require(Trend((0..<30).map { -$0 }))
    #expect(falling.slope.estimate == -1 && falling.probability > 0.999)
  }

  @Test func `a single outlier or step does not make a slope`() throws {
    var samples = [Int64](repeating: 100, count: 40)
    samples[30] = 1_000_000
    #expect(try #require(Trend(samples)).slope.estimate == 0)
    let step = (0..<40).map { Int64($0 < 10 ? 100 : 200) }
    #expect(try #require(Trend(step)).slope.estimate == 0)
  }

  @Test func `the interval contains the slope of most noisy series`() throws {
    let hits = try (1...200 as ClosedRange<UInt64>).count { seed in
      let trend = try #require(Trend(noisySamples(400, slope: 10, memory: 0.5, seed: seed)))
      return try #require(trend.slope.interval).contains(10)
    }
    #expect(hits >= 180)
  }

  @Test func `noise that resembles the noise before it is rarely taken for growth`() throws {
    func growing(slope: Double) throws -> Int {
      try (1...200 as ClosedRange<UInt64>).count { seed in
        let trend = try #require(Trend(noisySamples(800, slope: slope, memory: 0.9, seed: seed)))
        return trend.probability < SoakTrend.significance
      }
    }
    #expect(try growing(slope: 0) <= 3)
    #expect(try growing(slope: 20) == 200)
  }

  private func trend(of resource: SoakedResource, _ amounts: [Int64]) -> SoakTrend? {
    SoakTrend(
      of: resource,
      in: amounts.map {
        SoakSample(
          elapsed: .zero, logBytes: 0,
          resources: ProcessResources(
            heapBytes: $0, descriptorsCount: 9, threadsCount: 5, registeredObjectsCount: $0))
      })
  }

  @Test func `a resource grows if it does so by over a hundredth after the first quarter`() throws {
    func isGrowing(_ objects: [Int64]) throws -> Bool {
      try #require(trend(of: .registeredObjects, objects)).isGrowing
    }
    #expect(try isGrowing((0..<40).map { 1_000 + $0 }))
    #expect(try !isGrowing((0..<40).map { 1_000 + $0 / 5 }))
    #expect(try !isGrowing((0..<40).map { 1_000 + 100 * min($0, 10) }))
    #expect(trend(of: .heap, Array(repeating: 1, count: 11)) == nil)
  }

  @Test func `caches of a megabyte are no growth of the heap`() throws {
    #expect(try !#require(trend(of: .heap, (0..<40).map { 4_000_000 + 20_000 * $0 })).isGrowing)
    #expect(try #require(trend(of: .heap, (0..<40).map { 4_000_000 + 50_000 * $0 })).isGrowing)
  }
}
