import Metrics
import Testing

@Suite struct SeparationTests {
  private func trials(_ topology: String, _ values: [Int64]) -> [TrialRecord] {
    values.enumerated().map { number, value in
      var measures = TrialMeasures()
      measures.mainBusyNanoseconds = value
      let identity = TrialIdentity(
        topology: topology, workload: "flat", rows: 1, seed: 1, trial: number + 1, startedNanoseconds: 0)
      return TrialRecord(identity: identity, measures: measures)
    }
  }

  private func separation(_ trials: [TrialRecord]) -> Separation? {
    Separation(of: trials, by: [\.mainBusyNanoseconds, \.mainWaitNanoseconds])
  }

  @Test func `stacks differ if their medians are further apart than either spread`() {
    let found = separation(trials("a", [100, 101, 102]) + trials("b", [110, 111, 112]))
    #expect(found == separation(trials("b", [110, 111, 112]) + trials("a", [100, 101, 102])))
    #expect(found?.pairCount == 1)
    #expect(found?.alike == [])
  }

  @Test func `stacks are alike if they differ by less than one stack's spread`() {
    let found = separation(trials("a", [100, 101, 102]) + trials("b", [90, 115, 140]))
    #expect(found?.alike.map { [$0.first, $0.second] } == [["a", "b"]])
  }

  @Test func `stacks are alike if they differ by less than five per cent`() {
    #expect(separation(trials("a", [960, 960]) + trials("b", [1_000, 1_000]))?.alike.count == 1)
    #expect(separation(trials("a", [950, 950]) + trials("b", [1_000, 1_000]))?.alike.count == 0)
  }

  @Test func `the separation is nil with one trial of a stack or one stack`() {
    #expect(separation(trials("a", [100]) + trials("b", [200, 201])) == nil)
    #expect(separation(trials("a", [100, 101])) == nil)
  }
}
