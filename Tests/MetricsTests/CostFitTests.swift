import MachineCore
import Metrics
import Testing

struct CostFitTests {
  private static let truth: [Double] = [400, 30, 12_000, 0.5, 90]

  /// Groups of sizes whose counts are drawn; each time is what the true costs add up to, times 1 ± noise.
  private func observations(noise: Double, seed: UInt64 = 7) -> [CostFit.Observation] {
    var random = SeededRandom(seed: seed)
    return (0..<12).flatMap { group -> [CostFit.Observation] in
      let ratios = Self.truth.indices.map { column in
        column == 3 ? 100 * Double(random.below(40)) : Double(random.below(column == 2 ? 3 : 20))
      }
      return [100.0, 200, 400, 800].enumerated().map { place, size in
        let counts = ratios.map { $0 * size + 1 }
        let exact = zip(counts, Self.truth).reduce(0) { $0 + $1.0 * $1.1 }
        let factor = 1 + noise * (Double(random.below(2_001)) / 1_000 - 1)
        return CostFit.Observation(
          group: "group \(group)", counts: counts, nanoseconds: exact * factor, isHeldOut: place == 2)
      }
    }
  }

  @Test func `costs are found exactly where nothing disturbs`() throws {
    let fit = CostFit(observations(noise: 0))
    for (constant, truth) in zip(fit.constants, Self.truth) {
      #expect(abs(constant.value / truth - 1) < 1e-6)
      #expect(try #require(constant.heldOutError) < 1e-6)
      #expect(constant.isDetermined)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `costs are found within the noise, and the held-out error says how large that is`(_ seed: UInt64) throws {
    let fit = CostFit(observations(noise: 0.02, seed: seed))
    for (constant, truth) in zip(fit.constants, Self.truth) {
      #expect(abs(constant.value / truth - 1) < 0.25)
      #expect((0.0001...0.04).contains(try #require(constant.heldOutError)))
      #expect(constant.low <= constant.value && constant.value <= constant.high)
      #expect(constant.low < constant.high)
    }
  }

  @Test func `what is held out has no part in the fit`() {
    var observations = observations(noise: 0)
    for index in observations.indices where observations[index].isHeldOut { observations[index].nanoseconds *= 2 }
    let fit = CostFit(observations)
    for (constant, truth) in zip(fit.constants, Self.truth) { #expect(abs(constant.value / truth - 1) < 1e-6) }
    for constant in fit.constants { #expect(abs((constant.heldOutError ?? 0) - 0.5) < 1e-6) }
  }

  @Test func `a column that nothing counts is not determined`() {
    let fit = CostFit([.init(group: "a", counts: [2, 0], nanoseconds: 10)])
    #expect(fit.constants.map(\.isDetermined) == [true, false])
    #expect(abs(fit.constants[0].value - 5) < 1e-9)
  }
}
