/// The trials of one stack in both results, and the comparison of its measures.
struct StackSeries {
  let first: [TrialRecord]
  let second: [TrialRecord]
  private let design: Comparison.Design

  /// Creates the series of a stack.
  ///
  /// A paired design keeps only the trials whose number both results have, ordered by number.
  init(_ first: [TrialRecord], _ second: [TrialRecord], design: Comparison.Design) {
    self.design = design
    guard design == .paired else {
      self.first = first
      self.second = second
      return
    }
    let numbers = Set(first.map(\.identity.trial)).intersection(second.map(\.identity.trial))
    func pairs(_ trials: [TrialRecord]) -> [TrialRecord] {
      trials.filter { numbers.contains($0.identity.trial) }.sorted { $0.identity.trial < $1.identity.trial }
    }
    self.first = pairs(first)
    self.second = pairs(second)
  }

  /// Returns the comparison of a primary measure, or nil if a trial lacks the measure or a result has no trials. The
  /// verdict is preliminary: it is set after the correction for the number of tests.
  func judged(_ primary: PrimaryMeasure, of topology: String) -> Comparison.Judged? {
    let before = first.compactMap { $0.measures[keyPath: primary.measure.keyPath] }
    let after = second.compactMap { $0.measures[keyPath: primary.measure.keyPath] }
    guard before.count == first.count, after.count == second.count, let median = Self.lowerMedian(before),
      let laterMedian = Self.lowerMedian(after),
      let found = found(from: before.map(Double.init), to: after.map(Double.init))
    else { return nil }
    let least = design == .unpaired ? Comparison.unpairedRelativeFloorPartsPerMillion : 0
    return Comparison.Judged(
      topology: topology, primary: primary, firstMedian: median, secondMedian: laterMedian, shift: found.shift,
      floor: primary.floor(around: median, leastRelativePartsPerMillion: least), probability: found.probability,
      verdict: .inconclusive)
  }

  func shown(_ measure: Measure, of topology: String) -> Comparison.Shown {
    Comparison.Shown(
      topology: topology, measure: measure,
      firstMedian: Self.lowerMedian(first.compactMap { $0.measures[keyPath: measure.keyPath] }),
      secondMedian: Self.lowerMedian(second.compactMap { $0.measures[keyPath: measure.keyPath] }))
  }

  private func found(from before: [Double], to after: [Double]) -> (shift: Shift, probability: Double?)? {
    switch design {
    case .unpaired:
      guard let test = MannWhitney(before, after), let shift = MannWhitney.shift(from: before, to: after) else {
        return nil
      }
      return (shift, test.probability)
    case .paired:
      let differences = zip(before, after).map { $1 - $0 }
      guard let test = SignedRank(differences), let shift = SignedRank.shift(of: differences) else { return nil }
      return (shift, test.probability)
    case .exact:
      guard let shift = MannWhitney.shift(from: before, to: after) else { return nil }
      return (Shift(exactly: shift.estimate), nil)
    }
  }

  private static func lowerMedian(_ values: [Int64]) -> Int64? {
    values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
  }
}
