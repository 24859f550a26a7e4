import Metrics

/// The outcome of a gate over all its runs.
package struct GateOutcome: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, Codable {
    /// No measure is better or worse, and all limits are kept.
    case equal
    case better
    /// A measure is worse, or a limit is not kept; other measures may be better.
    case worse
    /// A mismatch exists, regardless of the measures that can be compared, and all limits that were judged are kept.
    case incomparable
  }

  /// The folder of the baseline, as the user named it.
  package let baseline: String
  package let comparisons: [GateComparison]
  /// The runs that were only held to their limits, since the baseline does not have them.
  package let unrecorded: [String]

  package init(baseline: String, comparisons: [GateComparison], unrecorded: [String] = []) {
    self.baseline = baseline
    self.comparisons = comparisons
    self.unrecorded = unrecorded
  }

  package var verdict: Status {
    if !brokenLimits.isEmpty { return .worse }
    if comparisons.contains(where: { !$0.mismatches.isEmpty }) { return .incomparable }
    if count(.worse) > 0 { return .worse }
    return count(.better) > 0 ? .better : .equal
  }

  package var stackCount: Int { comparisons.reduce(0) { $0 + $1.stacks.count } }

  /// The number of measures that were compared.
  package var changeCount: Int {
    comparisons.reduce(0) { $0 + $1.stacks.reduce(0) { $0 + $1.changes.count } }
  }

  package func count(_ verdict: GateChange.Kind) -> Int {
    comparisons.reduce(0) { $0 + $1.stacks.reduce(0) { $0 + $1.changes(verdict).count } }
  }

  /// Returns the number of stacks that have a measure with the verdict.
  package func stackCount(with verdict: GateChange.Kind) -> Int {
    comparisons.reduce(0) { $0 + $1.stacks.count { !$0.changes(verdict).isEmpty } }
  }

  /// The number of limits of all stacks.
  package var limitCount: Int { comparisons.reduce(0) { $0 + $1.limits.count } }

  /// The limits that are not kept, each with its run.
  package var brokenLimits: [(run: String, result: GateLimitResult)] {
    comparisons.flatMap { comparison in comparison.limits.filter { !$0.isKept }.map { (comparison.run, $0) } }
  }

  /// The stacks and settings that have changed since the baseline and whose effect is judged, one line each.
  package var changedLines: [String] {
    comparisons.flatMap { comparison in comparison.changed.map { "\(comparison.run): \($0)" } }
  }

  /// The smallest number of draws that the means of a run are taken over, or 0 if a run has no draws.
  package var drawCount: Int { comparisons.map(\.drawCount).min() ?? 0 }

  /// The stacks whose hitch time has moved to another of Apple's bands, a line each.
  package var bandLines: [String] {
    comparisons.flatMap { comparison in
      comparison.stacks.compactMap { stack in
        stack.band.map { "\(comparison.run), \(stack.name): Apple's band for hitches: \($0.text)" }
      }
    }
  }

  /// Returns the changes that a user would notice if chance did not explain them: a line for each stack that has such
  /// changes in the measures of `run`'s table, and a line with the number of changes of other measures.
  func uncertainLines(json option: String) -> [String] {
    var others = 0
    var lines: [String] = []
    for comparison in comparisons {
      for stack in comparison.stacks {
        let changes = stack.changes.filter(\.isUncertain)
        let shown = changes.filter { change in
          RunPage.printedMeasures.contains { $0 == change.measure.keyPath }
        }
        others += changes.count - shown.count
        guard !shown.isEmpty else { continue }
        lines.append("\(comparison.run), \(stack.name): \(shown.map(\.sentence).joined(separator: ", "))")
      }
    }
    guard others > 0 else { return lines }
    return lines + [
      "\(others)\(lines.isEmpty ? "" : " other") measure\(others == 1 ? "" : "s"); \(option) lists all"
    ]
  }

  /// The mismatches, one line for each. A mismatch that several runs share is listed once.
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
