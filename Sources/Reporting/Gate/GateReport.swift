import Metrics

/// What the gate says of all its runs.
package struct GateReport: Hashable, Sendable {
  package enum Verdict: String, Hashable, Sendable, Codable {
    /// Nothing moved beyond its tolerance.
    case equal
    case better
    /// Something is worse; other things may be better.
    case worse
    /// Something cannot be compared, whatever the rest says.
    case incomparable
  }

  /// The folder of the baseline, as the user named it.
  package let baseline: String
  package let comparisons: [GateComparison]

  package init(baseline: String, comparisons: [GateComparison]) {
    self.baseline = baseline
    self.comparisons = comparisons
  }

  package var verdict: Verdict {
    if comparisons.contains(where: { !$0.mismatches.isEmpty }) { return .incomparable }
    if count(.worse) > 0 { return .worse }
    return count(.better) > 0 ? .better : .equal
  }

  package var stackCount: Int { comparisons.reduce(0) { $0 + $1.stacks.count } }

  /// How many measures were compared.
  package var changeCount: Int {
    comparisons.reduce(0) { $0 + $1.stacks.reduce(0) { $0 + $1.changes.count } }
  }

  package func count(_ verdict: GateChange.Verdict) -> Int {
    comparisons.reduce(0) { $0 + $1.stacks.reduce(0) { $0 + $1.changes(verdict).count } }
  }

  /// The stacks with a measure of that verdict.
  package func stackCount(with verdict: GateChange.Verdict) -> Int {
    comparisons.reduce(0) { $0 + $1.stacks.count { !$0.changes(verdict).isEmpty } }
  }

  /// What cannot be compared, a line each; what holds for several runs is said once.
  package var mismatchLines: [String] {
    var lines: [(mismatch: GateMismatch, runs: [String])] = []
    for comparison in comparisons {
      for mismatch in comparison.mismatches {
        if let place = lines.firstIndex(where: { $0.mismatch == mismatch }) {
          lines[place].runs.append(comparison.run)
        } else {
          lines.append((mismatch, [comparison.run]))
        }
      }
    }
    return lines.map { line in
      let isOfAll = comparisons.count > 1 && line.runs.count == comparisons.count
      return "\(isOfAll ? "all runs" : line.runs.joined(separator: ", ")): \(line.mismatch.message)"
    }
  }
}
