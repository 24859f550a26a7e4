import Metrics
import Testing

@Suite struct StackRatiosTests {
  private func trials(_ topology: String, draws: Bool = true, _ values: [Int64?]) -> [TrialRecord] {
    values.enumerated().map { number, value in
      var measures = TrialMeasures()
      measures.mainBusyNanoseconds = value
      let identity = TrialIdentity(
        topology: topology, workload: "flat", rows: 1, seed: 1, trial: draws ? 1 : number + 1, startedNanoseconds: 0)
      var record = TrialRecord(identity: identity, measures: measures)
      if draws {
        record.simulation = SimulationFigures(
          fingerprint: "", draw: number + 1, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0,
          wallNanoseconds: 0)
      }
      return record
    }
  }

  private func ratios(_ trials: [TrialRecord]) -> StackRatios? {
    StackRatios(to: "mine", of: trials, by: [\.mainBusyNanoseconds, \.mainWaitNanoseconds])
  }

  @Test func `a ratio compares trials on the same device`() throws {
    // Each device is ten times slower than the one before it, and the stack takes 2, 3 and 4 times as much on them.
    let found = try #require(ratios(trials("mine", [10, 100, 1_000]) + trials("other", [20, 300, 4_000])))
    let ratio = try #require(found.stacks[0].ratios[0])
    #expect(found.isOfDraws)
    #expect((ratio.low, ratio.median, ratio.high) == (2_000_000, 3_000_000, 4_000_000))
    #expect(ratio.count == 3)
    #expect(found.stacks[0].ratios[1] == nil)
  }

  @Test func `trials without draws are paired by their numbers`() throws {
    let mine = trials("mine", draws: false, [10, 20, 40])
    let other = trials("other", draws: false, [40, 20, 10])
    let found = try #require(ratios(Array(mine.reversed()) + other))
    let ratio = try #require(found.stacks[0].ratios[0])
    #expect(!found.isOfDraws)
    #expect((ratio.low, ratio.median, ratio.high) == (250_000, 1_000_000, 4_000_000))
  }

  @Test func `two zeros are equal, and nothing is a multiple of zero`() throws {
    let found = try #require(ratios(trials("mine", [0, 0, 5, 7]) + trials("other", [0, 3, 0, nil])))
    let ratio = try #require(found.stacks[0].ratios[0])
    #expect((ratio.low, ratio.median, ratio.high) == (0, 1_000_000, StackRatios.Ratio.fromZero))
    #expect(ratio.count == 3)
  }

  @Test func `there are no ratios without the reference or without another stack`() {
    #expect(ratios(trials("other", [1])) == nil)
    #expect(ratios(trials("mine", [1])) == nil)
  }
}
