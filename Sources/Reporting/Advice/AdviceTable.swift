import Metrics

/// The table of an answer as cells: how each stack stands to what was asked for.
struct AdviceTable {
  let titles: [String]
  /// What each column allows at most; nil where no limit was asked for.
  let limits: [String]?
  /// A row a stack, the advised one first.
  let rows: [[String]]
  /// How many of the columns, from the right, say how the stack stands on the whole.
  let verdictCount: Int

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
    titles =
      ["topology"] + shown.map(\.title) + criteria.map(\.title) + ["qualifies"] + (hasDraws ? ["draws", "first"] : [])
    verdictCount = hasDraws ? 3 : 1
    let verdictCount = verdictCount
    limits =
      shown.isEmpty
      ? nil
      : ["at most"] + shown.map { AdviceSentences.limit($0) }
        + [String](repeating: "", count: criteria.count + verdictCount)
    rows = advice.ordered.map { candidate in
      let checks = candidate.checks(shown)
      let values =
        checks.map { check in
          AdviceSentences.value(check.value, check.limit.measure.unit) + (check.isMet ? "" : Self.missMark)
        }
        + criteria.map { criterion in
          AdviceSentences.value(candidate.measures[keyPath: criterion.measure.keyPath], criterion.measure.unit)
        }
      return [candidate.name] + values + [candidate.qualifies(advice.allLimits) ? "yes" : "no"]
        + (hasDraws ? ["\(advice.qualifyingDrawCount(of: candidate))", "\(firsts[candidate.name] ?? 0)"] : [])
    }
  }

  /// The columns' numbers in groups that fit a terminal each, every group with the stacks' names; the verdict's columns
  /// stay together, in the last.
  func groups(of size: Int) -> [[Int]] {
    let verdict = Array((titles.count - verdictCount)..<titles.count)
    let values = Array(1..<(titles.count - verdictCount))
    var groups = stride(from: 0, to: max(values.count, 1), by: size).map { start in
      [0] + values[min(start, values.count)..<min(start + size, values.count)]
    }
    groups[groups.count - 1] += verdict
    return groups
  }
}
