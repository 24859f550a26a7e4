import Metrics

/// The measures that decide the verdict of a comparison: a count of all verdicts, then the measures that are worse and
/// those that are better, stack by stack.
struct ComparisonReasons: Sendable {
  struct Group: Hashable, Sendable {
    let verdict: Verdict
    /// A line for each stack that has such measures: its name, and the measures with their changes.
    let lines: [Line]
  }

  struct Line: Hashable, Sendable {
    let topology: String
    let changes: String
  }

  /// The sentence with the number of measures that have each verdict.
  let count: String
  let groups: [Group]
  /// The sentence on the number of trials that a verdict requires, or nil if there are enough.
  let tooFewTrials: String?

  init(_ comparison: Comparison) {
    count = Self.count(comparison.judged)
    tooFewTrials = Self.tooFewTrials(comparison)
    var shown: [Verdict] = [.worse, .better]
    // All measures are inconclusive if there are too few trials, and then the number of trials is the reason.
    if comparison.verdict == .inconclusive, tooFewTrials == nil { shown.append(.inconclusive) }
    groups = shown.map { Group($0, in: comparison) }.filter { !$0.lines.isEmpty }
  }

  /// A list for each group. Its lines break between the changes only, so that a figure stays with its unit.
  var lists: [Page.Block] {
    groups.map { group in
      .list(
        Page.List(
          "\(group.verdict.rawValue.sentenceCased):", group.lines.map { Page.Item("\($0.topology): \($0.changes)") },
          breaksAtCommas: true))
    }
  }

  private static func count(_ judged: [Comparison.Judged]) -> String {
    let counts = Verdict.allCases.map { verdict in
      (verdict.rawValue, judged.count { $0.verdict == verdict && !$0.isBelowFloor })
    }
    let below = judged.count(where: \.isBelowFloor)
    let parts = (counts + [("below the floor", below)]).filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    guard !parts.isEmpty else { return "The results have no measure in common." }
    return "Of \(judged.count) measures: \(parts.joined(separator: ", "))."
  }

  private static func tooFewTrials(_ comparison: Comparison) -> String? {
    guard let needed = comparison.neededTrialCount else { return nil }
    let what = comparison.design == .paired ? "pairs" : "trials of each stack in both results"
    return
      "Too few trials: with \(comparison.judged.count) tests, at least \(needed) \(what) are needed for a verdict of "
      + "worse "
      + "or better."
  }
}

extension ComparisonReasons.Group {
  fileprivate init(_ verdict: Verdict, in comparison: Comparison) {
    self.verdict = verdict
    lines = comparison.stacks.compactMap { stack in
      let found = comparison.judged.filter { $0.topology == stack.topology && $0.verdict == verdict }
      let changes = found.map { judged in
        // An inconclusive change may be zero, so only the measure is named.
        verdict == .inconclusive ? judged.primary.title : "\(judged.primary.title) \(ChangeText(judged).phrase)"
      }
      guard !changes.isEmpty else { return nil }
      return ComparisonReasons.Line(topology: stack.topology, changes: changes.joined(separator: ", "))
    }
  }
}
