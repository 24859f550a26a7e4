import MachineCore
import Testing

@testable import CalibrationScenarios

@Suite struct DisturbanceTests {
  private static let quiet = Disturbance(
    roundCount: 9, cpu: .milliseconds(900), waited: .milliseconds(100), yardsticks: milliseconds(10, 11, 12, 14),
    wakings: milliseconds(1, 2, 3))

  private static func milliseconds(_ times: Int64...) -> [TimeSpan] { times.map(TimeSpan.milliseconds) }

  @Test func `a quiet computer has no findings, nor one that reports nothing`() {
    #expect(Self.quiet.findings == [])
    #expect(Disturbance(roundCount: 1, cpu: .zero, waited: nil, yardsticks: []).findings == [])
    var instant = Self.quiet
    instant.wakings = Self.milliseconds(0, 1, 2)
    #expect(instant.findings == [])
  }

  @Test func `a computer is busy if scenarios wait for a core, the yardstick grows or wakings take long`() {
    var waiting = Self.quiet
    waiting.waited = .milliseconds(1_500)
    #expect(waiting.findings == ["the scenarios waited for a core in 63 % of their time (at most 20 %)"])
    var slowing = Self.quiet
    slowing.yardsticks.append(.milliseconds(16))
    #expect(slowing.findings == ["the yardstick took 10000 to 16000 µs (at most half more)"])
    var waking = Self.quiet
    waking.wakings = Self.milliseconds(1, 7, 7, 9)
    #expect(waking.findings == ["waking a thread took 7000 µs and at best 1000"])
  }

  @Test func `the same computer at half the speed has the same findings`() {
    for count in [1, 2, 20] as [Int64] {
      let slower = Disturbance(
        roundCount: 9, cpu: .milliseconds(900 * count), waited: .milliseconds(100 * count),
        yardsticks: Self.quiet.yardsticks.map { TimeSpan(nanoseconds: $0.nanoseconds * count) },
        wakings: Self.quiet.wakings.map { TimeSpan(nanoseconds: $0.nanoseconds * count) })
      #expect(slower.findings == [])
    }
  }

  @Test func `one round in ten may have a slow yardstick`() {
    var disturbance = Self.quiet
    disturbance.yardsticks = Array(repeating: .milliseconds(10), count: 10) + [.milliseconds(40)]
    #expect(disturbance.findings == [])
  }
}
