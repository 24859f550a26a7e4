import Metrics
import Testing

@Suite struct ComparisonTests {
  /// Returns trials of a stack with the given busy times of the main queue, in milliseconds. Every other measure is 1 s
  /// or 1 GB.
  private func trials(_ topology: String, _ busy: [Int64]) -> [TrialRecord] {
    busy.enumerated().map { index, busy in
      var measures = TrialMeasures()
      for measure in Measure.all { measures[keyPath: measure.keyPath] = 1_000_000_000 }
      measures.mainBusyNanoseconds = busy * 1_000_000
      return TrialRecord(
        identity: TrialIdentity(
          topology: topology, workload: "catalog", rows: 1, seed: 1, trial: index + 1, startedNanoseconds: 0),
        measures: measures)
    }
  }

  private func busy(_ comparison: Comparison, of topology: String = "all-main") throws -> Comparison.Judged {
    try #require(
      comparison.judged.first { $0.topology == topology && $0.primary.measure.name == "main_busy_ns" })
  }

  @Test func `paired trials find a difference despite drift`() throws {
    // Both stacks drift by a third over the trials. The second is 5 % slower in each of them.
    let drift = (0..<12).map { Int64(1_000 + 30 * $0) }
    let comparison = Comparison(
      trials("all-main", drift), trials("all-main", drift.map { $0 * 105 / 100 }), design: .paired)
    let busy = try busy(comparison)
    #expect(busy.verdict == .worse)
    #expect(busy.probability == 2.0 / 4_096)
    #expect(busy.correctedProbability == 8 * 2.0 / 4_096)
    #expect(comparison.judged.count { $0.verdict == .equal } == 7)
    #expect(comparison.verdict == .worse)
    // The figures of two separate runs do not show the difference.
    let unpaired = Comparison(
      trials("all-main", drift), trials("all-main", drift.map { $0 * 105 / 100 }), design: .unpaired)
    #expect(try self.busy(unpaired).verdict != .worse)
  }

  @Test func `trials are paired by number`() throws {
    let first = trials("all-main", (1...8).map { $0 * 100 })
    let second = trials("all-main", (1...9).map { $0 * 100 + 40 })
    let comparison = Comparison(first, second.reversed(), design: .paired)
    let busy = try busy(comparison)
    #expect(busy.shift.estimate == 40_000_000)
    #expect(busy.shift.interval == 40_000_000...40_000_000)
    #expect(comparison.stacks.map(\.topology) == ["all-main"])
    #expect(comparison.stacks.map { [$0.firstCount, $0.secondCount] } == [[8, 8]])
  }

  @Test(arguments: [(1_140, .equal), (1_160, .worse), (860, .equal), (840, .better)] as [(Int64, Verdict)])
  func `two separate runs differ only beyond 15 per cent`(second: Int64, verdict: Verdict) throws {
    let spread: [Int64] = [-4, -3, -2, -1, 0, 1, 2, 3, 4]
    let comparison = Comparison(
      trials("all-main", spread.map { 1_000 + $0 }), trials("all-main", spread.map { second + $0 }), design: .unpaired)
    #expect(try busy(comparison).verdict == verdict)
  }

  @Test(arguments: [(1_031, .worse), (1_029, .equal), (969, .better), (1_000, .equal)] as [(Int64, Verdict)])
  func `one simulated trial per side is judged by the narrow floor`(second: Int64, verdict: Verdict) throws {
    let comparison = Comparison(trials("all-main", [1_000]), trials("all-main", [second]), design: .exact)
    let busy = try busy(comparison)
    #expect(busy.verdict == verdict)
    #expect(busy.probability == nil && busy.correctedProbability == nil)
    #expect(comparison.neededTrialCount == nil)
  }

  @Test func `Holm's correction counts all measures of all stacks`() throws {
    let names = ["all-main", "three-tier", "child-of-main"]
    let first = names.flatMap { trials($0, (0..<12).map { 1_000 + $0 }) }
    let second = names.flatMap { trials($0, (0..<12).map { ($0 + 1_000) * 110 / 100 }) }
    let comparison = Comparison(first, second, design: .paired)
    #expect(comparison.judged.count == 24)
    #expect(
      try names.map { try busy(comparison, of: $0).correctedProbability } == [24, 24, 24].map { $0 * 2.0 / 4_096 })
  }

  @Test(
    arguments: [
      // 2 / C(10, 5) times 8 is over 5 %, 2 / C(12, 6) times 8 is not; with six stacks it takes 7 trials.
      (1, 5, Comparison.Design.unpaired, 6), (1, 6, .unpaired, nil), (6, 6, .unpaired, 7), (6, 7, .unpaired, nil),
      // 2 / 2⁸ times 8 is over 5 %, 2 / 2⁹ times 8 is not.
      (1, 8, .paired, 9), (1, 9, .paired, nil), (6, 10, .paired, 11), (6, 11, .paired, nil), (6, 1, .exact, nil),
    ] as [(Int, Int, Comparison.Design, Int?)])
  func `too few trials for a verdict yield the number that suffices`(
    stacks: Int, trialCount: Int, design: Comparison.Design, needed: Int?
  ) {
    let names = (1...stacks).map { "stack-\($0)" }
    let first = names.flatMap { trials($0, (0..<Int64(trialCount)).map { 1_000 + $0 }) }
    let second = names.flatMap { trials($0, (0..<Int64(trialCount)).map { 2_000 + $0 }) }
    let comparison = Comparison(first, second, design: design)
    #expect(comparison.neededTrialCount == needed)
    // A stack that is twice as busy is worse exactly if there are enough trials.
    #expect((comparison.verdict == .worse) == (needed == nil))
  }

  @Test func `stacks in only one result are listed and not compared`() {
    let comparison = Comparison(
      trials("all-main", [1]) + trials("three-tier", [1]), trials("child-of-main", [1]) + trials("three-tier", [1]),
      design: .exact)
    #expect(comparison.stacks.map(\.topology) == ["three-tier"])
    #expect(comparison.onlyFirst == ["all-main"])
    #expect(comparison.onlySecond == ["child-of-main"])
  }

  @Test func `a measure that is nil on one side is shown without a verdict`() {
    var first = trials("all-main", [1_000])
    first[0].measures.timeToVisibleNanosecondsP99 = nil
    let comparison = Comparison(first, trials("all-main", [1_000]), design: .exact)
    #expect(comparison.judged.count == 7)
    #expect(comparison.judged.count + comparison.shown.count == Measure.all.count)
    let visible = comparison.shown.first { $0.measure.name == "time_to_visible_ns_p99" }
    #expect(visible?.firstMedian == nil)
    #expect(visible?.secondMedian == 1_000_000_000)
  }
}
