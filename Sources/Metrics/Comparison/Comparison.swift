/// A comparison of two results: a verdict on the eight primary measures of each stack, and all other measures without
/// one.
///
/// Stacks are compared by name. The stacks that only one result has are listed and left out. The comparison depends
/// only on the trials and the design.
package struct Comparison: Hashable, Sendable {
  /// The relation between the trials of the two results, which determines how a shift is distinguished from chance.
  package enum Design: String, Hashable, Sendable, Codable {
    /// Two runs at different times. They are compared by Mann and Whitney's test with a wide floor, since machines
    /// drift between runs.
    case unpaired
    /// Trials that take turns on one machine. Pairs with the same number are compared by Wilcoxon's test.
    case paired
    /// Simulated trials, which involve no chance: a difference is exact.
    case exact
  }

  /// One primary measure of one stack.
  package struct Judged: Hashable, Sendable {
    package var topology: String
    package var primary: PrimaryMeasure
    package var firstMedian: Int64
    package var secondMedian: Int64
    package var shift: Shift
    /// The smallest shift that matters, in the unit of the measure.
    package var floor: Double
    /// The probability of such a shift by chance, or nil if the results are exact.
    package var probability: Double?
    /// The probability after Holm's correction.
    package var correctedProbability: Double?
    package var verdict: Verdict

    /// True if the measure counts as equal although it changed by more than its relative floor.
    ///
    /// The change then does not exceed the absolute floor or the wider floor between two runs.
    package var isBelowFloor: Bool {
      let relativeFloor = Double(primary.relativeFloorPartsPerMillion) / 1_000_000 * abs(Double(firstMedian))
      return verdict == .equal && abs(shift.estimate) > relativeFloor
    }
  }

  /// Another measure of one stack.
  package struct Shown: Hashable, Sendable {
    package var topology: String
    package var measure: Measure
    /// The lower median of the first result, or nil if it was not measured.
    package var firstMedian: Int64?
    package var secondMedian: Int64?
  }

  /// The number of trials that each result has of a stack.
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
  /// The judged measures by stack, then in the order of the primary measures. Measures that a result lacks are left
  /// out.
  package let judged: [Judged]
  package let shown: [Shown]

  package var verdict: Verdict { Verdict(of: judged.map(\.verdict)) }

  /// The minimum of the relative floor between two runs at different times.
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
        .filter { !$0.measure.isOfWorkInFlight || $0.firstMedian != nil || $0.secondMedian != nil }
    }
    self.stacks = stacks
    self.judged = Self.corrected(judged)
    self.shown = shown
  }

  /// Returns the measures with Holm's correction over all of them, and with the verdicts that follow.
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
  /// The number of trials of each stack, or of pairs, that the design needs before any of the judged measures can be
  /// called worse or better.
  ///
  /// It is nil if at least one stack has enough trials, if no measure is judged, and if the design is exact.
  package var neededTrialCount: Int? {
    guard !judged.isEmpty, design != .exact else { return nil }
    func isEnough(_ first: Int, _ second: Int) -> Bool {
      let least =
        design == .paired ? SignedRank.leastProbability(first) : MannWhitney.leastProbability(first, second)
      return least * Double(judged.count) <= Verdict.significance
    }
    guard !stacks.contains(where: { isEnough($0.firstCount, $0.secondCount) }) else { return nil }
    // The search ends because the least probability falls with every trial.
    return (1...).first { isEnough($0, $0) }
  }
}
