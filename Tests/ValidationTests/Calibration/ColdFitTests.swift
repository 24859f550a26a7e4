import MachineCore
import Metrics
import Testing

@testable import Experiments
@testable import Validation

struct ColdFitTests {
  /// Returns measurements of five blocks each, which take 20 or 90 µs, and a part of the sleep in addition, up to a
  /// limit.
  private func blocks(rate: Double, limit: Double) -> [[WorkMeasurement]] {
    [20_000, 90_000].map { blocks(of: $0, rate: rate, limit: limit) }
  }

  private func blocks(of length: Double, rate: Double, limit: Double) -> [WorkMeasurement] {
    [10, 30, 100, 300, 1_000, 3_000, 10_000].map { slept in
      let nanoseconds = 5 * (length + rate * min(Double(slept), limit))
      return WorkMeasurement(
        scenario: "slept", size: slept, cpu: TimeSpan(nanoseconds: Int64(nanoseconds)), storage: .zero)
    }
  }

  @Test func `the fit finds the rate and the limit of sleeping costs`() throws {
    let fit = try #require(ColdFit(blocks(rate: 40, limit: 1_000), blockCount: 5))
    #expect(abs(fit.rate / 40 - 1) < 0.1)
    #expect(abs(Double(fit.limit.nanoseconds) / 1_000_000 - 1) < 0.15)
  }

  @Test func `the fit is nil if sleeping is free or has only two lengths`() {
    #expect(ColdFit(blocks(rate: 0, limit: 1_000), blockCount: 5) == nil)
    #expect(ColdFit(blocks(rate: -5, limit: 1_000), blockCount: 5) == nil)
    #expect(ColdFit(blocks(rate: 40, limit: 1_000).map { Array($0.prefix(2)) }, blockCount: 5) == nil)
  }
}
