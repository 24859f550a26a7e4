import Metrics
import Testing

@testable import Experiments

@Suite struct TurnSpeedsTests {
  private func trial(_ number: Int, importTime: Int64, yardstick: Int64? = 1) -> TrialRecord {
    var measures = TrialMeasures()
    measures.importNanoseconds = importTime
    measures.stallNanosecondsP99 = 1_000
    measures.yardstickNanoseconds = yardstick
    return TrialRecord(
      identity: TrialIdentity(
        topology: "all-main", workload: "catalog", rows: 1, seed: 1, trial: number, startedNanoseconds: 0),
      measures: measures)
  }

  @Test func `a trial has the mean of the readings right before and after it`() throws {
    var speeds = TurnSpeeds()
    speeds.add(100, after: nil)
    for (reading, side) in [(110, 0), (130, 1), (110, 1), (90, 0)] as [(Int64, Int)] {
      speeds.add(reading, after: side)
    }
    let first = try #require(speeds.measured([trial(1, importTime: 1), trial(2, importTime: 1)], of: 0))
    let second = try #require(speeds.measured([trial(1, importTime: 1), trial(2, importTime: 1)], of: 1))
    #expect(first.map(\.measures.yardstickNanoseconds) == [105, 100])
    #expect(second.map(\.measures.yardstickNanoseconds) == [120, 120])
    #expect(speeds.drift?.trialCount == 4)
  }

  @Test func `measured(_:of:) is nil without yardsticks or with a different number of trials`() {
    var speeds = TurnSpeeds()
    speeds.add(100, after: nil)
    speeds.add(100, after: 0)
    #expect(speeds.measured([trial(1, importTime: 1, yardstick: nil)], of: 0) == nil)
    #expect(speeds.measured([trial(1, importTime: 1), trial(2, importTime: 1)], of: 0) == nil)
  }

  @Test func `a side slowed by 10 % measures 10 % slower at a changing speed`() {
    // The yardstick of the first side is a quarter longer in the second pair. It also changes within both pairs.
    let first = [trial(1, importTime: 1_000, yardstick: 100), trial(2, importTime: 1_250, yardstick: 125)]
    let second = [trial(1, importTime: 1_210, yardstick: 110), trial(2, importTime: 1_210, yardstick: 110)]
    let common = TurnSpeeds.atCommonSpeed(first, second, pair: { $0.identity.trial })
    for (before, after) in zip(common.first, common.second) {
      let (before, after) = (before.measures.importNanoseconds ?? 0, after.measures.importNanoseconds ?? 0)
      #expect(abs(Double(after) / Double(before) - 1.1) < 0.002, "\(before) and \(after)")
    }
    #expect(common.first.map(\.measures.importNanoseconds) == [1_050, 1_175])
    #expect(common.second.allSatisfy { $0.measures.stallNanosecondsP99 == 1_000 })
  }

  @Test func `a trial without a pair is unchanged`() {
    let trials = [trial(1, importTime: 1_000, yardstick: 100)]
    let common = TurnSpeeds.atCommonSpeed(trials, [trial(1, importTime: 1, yardstick: 300)], pair: { _ in nil })
    #expect(common.first == trials)
  }
}
