import Metrics

/// The table of an answer as cells: how each stack stands to what was asked for.
struct AdviceTable {
  let titles: [String]
  /// What each column allows at most; nil where no limit was asked for.
  let limits: [String]?
  /// A row a stack, the advised one first.
  let rows: [[String]]

  /// What marks a value that misses its limit.
  static let missMark = "!"

  init(_ advice: Advice) {
    let shown =
      advice.limits
      + AdviceLimit.correctness.filter { limit in
        // Of those that hold unasked, what somebody misses.
        advice.candidates.contains { !limit.check($0.measures).isMet }
      }
    let criteria = advice.rankedBy.criteria.filter { criterion in
      !shown.contains { $0.measure == criterion.measure }
        && advice.candidates.contains { $0.measures[keyPath: criterion.measure.keyPath] != nil }
    }
    let hasDraws = !advice.drawNumbers.isEmpty
    let firsts = Dictionary(uniqueKeysWithValues: zip(advice.candidates.map(\.name), advice.firstCounts))
    func column(_ measure: Measure, _ others: [Int64] = []) -> MeasureColumn {
      MeasureColumn(advice.candidates.compactMap { $0.measures[keyPath: measure.keyPath] } + others, measure.unit)
    }
    let shownColumns = shown.map { column($0.measure, [$0.most]) }
    let rankedColumns = criteria.map { column($0.measure) }
    let verdicts = ["qualifies"] + (hasDraws ? ["draws", "first"] : [])
    titles =
      ["topology"] + zip(shownColumns, shown).map { $0.title($1.title) }
      + zip(rankedColumns, criteria).map { $0.title($1.title) } + verdicts
    limits =
      shown.isEmpty
      ? nil
      : ["at most"] + zip(shownColumns, shown).map { $0.text($1.most) }
        + [String](repeating: "", count: criteria.count + verdicts.count)
    rows = advice.ordered.map { candidate in
      let checks = candidate.checks(shown)
      let values =
        zip(shownColumns, checks).map { $0.text($1.value) + ($1.isMet ? "" : Self.missMark) }
        + zip(rankedColumns, criteria).map { $0.text(candidate.measures[keyPath: $1.measure.keyPath]) }
      return [candidate.name] + values + [candidate.qualifies(advice.allLimits) ? "yes" : "no"]
        + (hasDraws ? ["\(advice.qualifyingDrawCount(of: candidate))", "\(firsts[candidate.name] ?? 0)"] : [])
    }
  }
}
