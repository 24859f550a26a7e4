import Metrics

/// The table of an answer: a row with the limits, if any was asked for, and a row for each stack, the advised one
/// first.
struct AdviceTable {
  let table: PageTable

  /// The mark behind a value that misses its limit.
  static let missMark = "!"

  init(_ advice: Advice) {
    let shown =
      advice.limits
      + AdviceLimit.correctness.filter { limit in
        // A limit that always holds is shown if a stack misses it.
        advice.candidates.contains { !limit.check($0.measures).isMet }
      }
    let criteria = advice.rankedBy.criteria.filter { criterion in
      !shown.contains { $0.measure == criterion.measure }
        && advice.candidates.contains { $0.measures[keyPath: criterion.measure.keyPath] != nil }
    }
    let hasDraws = !advice.drawNumbers.isEmpty
    let firsts = Dictionary(uniqueKeysWithValues: zip(advice.candidates.map(\.name), advice.firstCounts))
    func column(_ measure: Measure, others: [Int64] = []) -> MeasureColumn {
      MeasureColumn(advice.candidates.compactMap { $0.measures[keyPath: measure.keyPath] } + others, in: measure.unit)
    }
    let shownColumns = shown.map { column($0.measure, others: [$0.most]) }
    let rankedColumns = criteria.map { column($0.measure) }
    let verdicts = ["qualifies"] + (hasDraws ? ["draws", "first"] : [])
    let titles =
      zip(shownColumns, shown).map { $0.title($1.title) } + zip(rankedColumns, criteria).map { $0.title($1.title) }
      + verdicts
    let limits =
      ["at most"] + zip(shownColumns, shown).map { $0.text($1.most) }
      + [String](repeating: "", count: criteria.count + verdicts.count)
    let rows = advice.ordered.map { candidate in
      let checks = candidate.checks(shown)
      let values =
        zip(shownColumns, checks).map { column, check in
          check.isMet
            ? PageTable.Cell(column.text(check.value))
            : PageTable.Cell(column.text(check.value) + Self.missMark, tone: .bad)
        }
        + zip(rankedColumns, criteria).map { PageTable.Cell($0.text(candidate.measures[keyPath: $1.measure.keyPath])) }
      let draws =
        hasDraws ? ["\(advice.qualifyingDrawCount(of: candidate))", "\(firsts[candidate.name] ?? 0)"] : []
      return PageTable.Row.cells(
        [PageTable.Cell(candidate.name, isCode: true)] + values
          + ([candidate.qualifies(advice.allLimits) ? "yes" : "no"] + draws).map { PageTable.Cell($0) })
    }
    table = PageTable(
      columns: [PageTable.Column(title: "topology", alignment: .left)]
        + titles.map { PageTable.Column(title: $0, alignment: .right) },
      rows: (shown.isEmpty ? [] : [.cells(limits.map { PageTable.Cell($0) })]) + rows)
  }
}
