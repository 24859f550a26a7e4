import Metrics
import Testing

@testable import Experiments

@Suite struct TrialRepeatsTests {
  /// Runs a trial whose runs have the given differences between their yardsticks, in per cent. Returns the last record
  /// and the number of runs.
  private func run(_ repeats: TrialRepeats, _ percents: [Int64?]) async -> (record: TrialRecord?, runCount: Int) {
    var runCount = 0
    let record = await repeats.run(record: \TrialRecord?.self) {
      let percent = percents[min(runCount, percents.count - 1)]
      runCount += 1
      return Self.record(percent: percent, number: runCount)
    }
    return (record, runCount)
  }

  private static func record(percent: Int64?, number: Int) -> TrialRecord {
    TrialRecord(
      identity: TrialIdentity(
        topology: "all-main", workload: "catalog", rows: 1, seed: 1, trial: number, startedNanoseconds: 0),
      measures: TrialMeasures(),
      noise: TrialNoise(
        yardstick: percent.map {
          YardstickPair(beforeNanoseconds: 1_000_000 - $0 * 5_000, afterNanoseconds: 1_000_000 + $0 * 5_000)
        }))
  }

  @Test func `a trial whose yardsticks differ is repeated until they agree`() async {
    let (record, runCount) = await run(TrialRepeats(limit: 2, trialCount: 10), [20, 3])
    #expect(runCount == 2)
    #expect(record?.identity.trial == 2)
    #expect(record?.noise.repeatCount == 1)
  }

  @Test func `a trial is repeated up to its limit, and the last run counts`() async {
    let (record, runCount) = await run(TrialRepeats(limit: 2, trialCount: 10), [20, 30, 40])
    #expect(runCount == 3)
    #expect(record?.identity.trial == 3)
    #expect(record?.noise.repeatCount == 2)
    #expect(record?.noise.yardstick?.isSteady == false)
  }

  @Test(arguments: [10, -10, 0, nil] as [Int64?])
  func `a steady trial, or one without yardsticks, runs once`(percent: Int64?) async {
    let (record, runCount) = await run(TrialRepeats(limit: 2, trialCount: 10), [percent])
    #expect(runCount == 1)
    #expect(record?.noise.repeatCount == nil)
  }

  @Test func `a limit of 0 disables repeats`() async {
    #expect(await run(TrialRepeats(limit: 0, trialCount: 10), [50]).runCount == 1)
  }

  @Test func `the total of repeats is at most half the number of trials`() async {
    let repeats = TrialRepeats(limit: 2, trialCount: 5)
    #expect(await run(repeats, [50]).runCount == 3)
    #expect(await run(repeats, [50]).runCount == 2)
    #expect(await run(repeats, [50]).runCount == 1)
  }
}
