/// Two results side by side: a verdict on the eight primary measures of each stack, and all other measures without one.
///
/// Stacks are compared by name; those that only one result has are named and left out. A pure function of the trials.
package struct Comparison: Hashable, Sendable {
  /// How the trials of the two results belong together, and so how a shift is told from chance.
  package enum Design: String, Hashable, Sendable, Codable {
    /// Two runs at different times: Mann and Whitney's test, with a wide floor, since machines drift between runs.
    case unpaired
    /// Trials in turns on one machine: Wilcoxon's test on pairs of the same number.
    case paired
    /// Simulated, where nothing is left to chance: a difference is what it is.
    case exact
  }

  /// One primary measure of one stack.
  package struct Judged: Hashable, Sendable {
    package var topology: String
    package var primary: PrimaryMeasure
    package var firstMedian: Int64
    package var secondMedian: Int64
    package var shift: Shift
    /// How far the shift must go to matter, in the unit of the measure.
    package var floor: Double
    /// Of such a shift by chance; nil where the results are exact.
    package var probability: Double?
    /// The same after Holm's correction.
    package var correctedProbability: Double?
    package var verdict: Verdict

    /// True if the measure counts as equal although it changed by more than its relative floor: the absolute floor, or the
    /// wider one between two runs, is what the change does not reach.
    package var isBelowFloor: Bool {
      let relativeFloor = Double(primary.relativeFloorPartsPerMillion) / 1_000_000 * abs(Double(firstMedian))
      return verdict == .equal && abs(shift.estimate) > relativeFloor
    }
  }

  /// Another measure of one stack.
  package struct Shown: Hashable, Sendable {
    package var topology: String
    package var measure: Measure
    /// nil where it was not measured.
    package var firstMedian: Int64?
    package var secondMedian: Int64?
  }

  /// How many trials each result has of a stack.
  package struct Stack: Hashable, Sendable {
    package var topology: String
    package var firstCount: Int
    package var secondCount: Int
  }

  package let design: Design
  /// The stacks of both results, in the order of the first.
  package let stacks: [Stack]
  /// The stacks that only the first or only the second result has.
  package let onlyFirst: [String]
  package let onlySecond: [String]
  /// By stack, then in the order of the primary measures; without those that a result did not measure.
  package let judged: [Judged]
  package let shown: [Shown]

  package var verdict: Verdict { Verdict(of: judged.map(\.verdict)) }

  /// What the relative floor is at least where two runs lie apart in time.
  package static let unpairedRelativeFloorPartsPerMillion: Int64 = 150_000

  package init(_ first: [TrialRecord], _ second: [TrialRecord], design: Design) {
    self.design = design
    let (before, after) = (TrialsByStack(first), TrialsByStack(second))
    let names = before.names.filter { after.trials[$0] != nil }
    onlyFirst = before.names.filter { after.trials[$0] == nil }
    onlySecond = after.names.filter { before.trials[$0] == nil }
    var stacks: [Stack] = []
    var judged: [Judged] = []
    var shown: [Shown] = []
    for name in names {
      let series = StackSeries(before.trials[name] ?? [], after.trials[name] ?? [], design: design)
      stacks.append(Stack(topology: name, firstCount: series.first.count, secondCount: series.second.count))
      judged += PrimaryMeasure.all.compactMap { series.judged($0, of: name) }
      let primary = Set(judged.filter { $0.topology == name }.map(\.primary.measure))
      shown += Measure.all.filter { !primary.contains($0) }.map { series.shown($0, of: name) }
    }
    self.stacks = stacks
    self.judged = Self.corrected(judged)
    self.shown = shown
  }

  /// With Holm's correction over all of them, and the verdicts that follow.
  private static func corrected(_ judged: [Judged]) -> [Judged] {
    let probabilities = HolmCorrection.corrected(judged.map { $0.probability ?? 0 })
    return zip(judged, probabilities).map { judged, probability in
      var judged = judged
      judged.correctedProbability = judged.probability.map { _ in probability }
      judged.verdict = Verdict(shift: judged.shift, probability: probability, floor: judged.floor)
      return judged
    }
  }
}

// MARK: - Too few trials

extension Comparison {
  /// How many trials of each stack, or pairs, the design needs before any measure of this many tests can be called worse
  /// or better; nil where there are enough.
  package var neededTrialCount: Int? {
    guard !judged.isEmpty, design != .exact else { return nil }
    func isEnough(_ first: Int, _ second: Int) -> Bool {
      let least =
        design == .paired ? SignedRank.leastProbability(first) : MannWhitney.leastProbability(first, second)
      return least * Double(judged.count) <= Verdict.significance
    }
    guard !stacks.contains(where: { isEnough($0.firstCount, $0.secondCount) }) else { return nil }
    // Ends: the least probability falls with every trial.
    return (1...).first { isEnough($0, $0) }
  }
}
