import Metrics

/// The JSON object that `compare --format json` prints. The names of its members are stable, and its figures are
/// integers in the units of the CSV's columns.
///
/// `shift` and its interval are rounded to whole units; only `p` and `p_holm` are not integers. Absent values are
/// `null`.
package struct ComparisonDocument: Hashable, Sendable, Encodable {
  package struct Side: Hashable, Sendable, Encodable {
    let title: String
    let tool: String
    let trials: Int
    /// The ratios of the other stacks to the reference. The list is empty if there is no reference.
    let ratios: [RatioTable.Member]

    init(_ result: ComparedResult, reference: String?) {
      title = result.title
      tool = result.manifest.versions.tool
      trials = result.trials.count
      ratios = reference.map { RatioTable(to: $0, [result]).members } ?? []
    }
  }

  package struct Judged: Hashable, Sendable, Encodable {
    let topology: String
    /// The name of the measure's column in `trials.csv`.
    let measure: String
    let before: Int64
    let after: Int64
    let shift: Int64
    @ExplicitNull var shiftLow: Int64?
    @ExplicitNull var shiftHigh: Int64?
    /// The shift as a share of the median before; `null` if that median is zero.
    @ExplicitNull var shiftPartsPerMillion: Int64?
    let floor: Int64
    /// True if the verdict is equal although the shift exceeds the measure's relative floor.
    let isBelowFloor: Bool
    /// The probability before Holm's correction; `null` if the results are exact. The next member is the probability
    /// after it.
    @ExplicitNull var probability: Double?
    @ExplicitNull var correctedProbability: Double?
    let verdict: Verdict

    private enum CodingKeys: String, CodingKey {
      case topology
      case measure
      case before
      case after
      case shift
      case shiftLow = "shift_low"
      case shiftHigh = "shift_high"
      case shiftPartsPerMillion = "shift_ppm"
      case floor
      case isBelowFloor = "below_floor"
      case probability = "p"
      case correctedProbability = "p_holm"
      case verdict
    }
  }

  package struct Shown: Hashable, Sendable, Encodable {
    let topology: String
    let measure: String
    @ExplicitNull var before: Int64?
    @ExplicitNull var after: Int64?
  }

  let verdict: Verdict
  /// `unpaired`, `paired` or `exact`.
  let design: Comparison.Design
  let before: Side
  let after: Side
  let measures: [Judged]
  let others: [Shown]
  /// The number of trials, or pairs, that a verdict of worse or better requires; `null` if there are enough.
  @ExplicitNull var neededTrials: Int?
  let notes: [String]

  package init(
    _ comparison: Comparison, first: ComparedResult, second: ComparedResult, reference: String? = nil
  ) {
    verdict = comparison.verdict
    design = comparison.design
    before = Side(first, reference: reference)
    after = Side(second, reference: reference)
    measures = comparison.judged.map(Judged.init)
    others = comparison.shown.map {
      Shown(topology: $0.topology, measure: $0.measure.name, before: $0.firstMedian, after: $0.secondMedian)
    }
    neededTrials = comparison.neededTrialCount
    notes = ComparedResult.notes(first, second)
  }
}

extension ComparisonDocument.Judged {
  fileprivate init(_ judged: Comparison.Judged) {
    func whole(_ value: Double) -> Int64 { Int64(clampingRounded: value) }
    topology = judged.topology
    measure = judged.primary.measure.name
    before = judged.firstMedian
    after = judged.secondMedian
    shift = whole(judged.shift.estimate)
    _shiftLow = ExplicitNull(wrappedValue: judged.shift.interval.map { whole($0.lowerBound) })
    _shiftHigh = ExplicitNull(wrappedValue: judged.shift.interval.map { whole($0.upperBound) })
    _shiftPartsPerMillion = ExplicitNull(
      wrappedValue: judged.firstMedian == 0
        ? nil : whole(judged.shift.estimate / abs(Double(judged.firstMedian)) * 1_000_000))
    floor = whole(judged.floor)
    isBelowFloor = judged.isBelowFloor
    _probability = ExplicitNull(wrappedValue: judged.probability)
    _correctedProbability = ExplicitNull(wrappedValue: judged.correctedProbability)
    verdict = judged.verdict
  }
}
