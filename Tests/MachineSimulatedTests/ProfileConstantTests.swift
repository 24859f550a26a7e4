import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileConstantTests {
  private func samples(_ constant: ProfileConstant, count: Int = 4_000, seed: UInt64 = 1) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in constant.sampled(&random) }
  }

  @Test(arguments: [(1.0, 2.0, 8.0), (0, 1, 4), (0.001, 0.5, 90)])
  func `a sample lies within the bounds`(low: Double, value: Double, high: Double) {
    let constant = ProfileConstant(value: value, low: low, high: high, source: "")
    #expect(samples(constant).allSatisfy { (low...high).contains($0) })
  }

  @Test func `the median of samples is the geometric mean of the bounds`() {
    let samples = samples(ProfileConstant(value: 10, low: 1, high: 100, source: ""))
    let share = Double(samples.count { $0 < 10 }) / Double(samples.count)
    #expect((0.47...0.53).contains(share))
    let tenth = Double(samples.count { $0 < 1.584_893 }) / Double(samples.count)
    #expect((0.085...0.115).contains(tenth))
  }

  @Test func `the median of samples is the arithmetic mean if the lower bound is zero`() {
    let samples = samples(ProfileConstant(value: 1, low: 0, high: 8, source: ""))
    let share = Double(samples.count { $0 < 4 }) / Double(samples.count)
    #expect((0.47...0.53).contains(share))
  }

  @Test func `the same seed gives the same samples, and another seed gives others`() {
    let constant = ProfileConstant(value: 10, low: 1, high: 100, source: "")
    #expect(samples(constant) == samples(constant))
    #expect(samples(constant) != samples(constant, seed: 2))
  }

  @Test func `an empty range returns its value and consumes one random number`() {
    var drawn = SeededRandom(seed: 1)
    #expect(ProfileConstant(value: 3, low: 3, high: 3, source: "").sampled(&drawn) == 3)
    var fresh = SeededRandom(seed: 1)
    _ = fresh.next()
    #expect(drawn.next() == fresh.next())
  }
}
