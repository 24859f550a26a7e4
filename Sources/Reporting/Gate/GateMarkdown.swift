import Metrics

/// What the gate says as the comment on a pull request: what is worse in plain sight, what is better folded away.
///
/// A pure function of its values.
package struct GateMarkdown: Sendable {
  private let report: GateReport

  package init(_ report: GateReport) {
    self.report = report
  }

  package var text: String {
    var parts = ["### Stackbench gate: \(title)\n"]
    if !report.mismatchLines.isEmpty {
      parts.append(report.mismatchLines.map { "- \(Self.escaped($0))\n" }.joined())
    }
    if report.count(.worse) > 0 { parts.append(table(.worse)) }
    if report.count(.better) > 0 {
      parts.append(
        "<details><summary>Better: \(report.count(.better))</summary>\n\n" + table(.better) + "\n</details>\n")
    }
    parts += list("Apple's bands that have changed", report.bandLines)
    parts += list("Moved by more than a user notices, but no more than chance explains", report.uncertainLines)
    parts.append(GateText.summary(of: report) + ".\n")
    if let advice = GateText.advice(for: report) {
      parts.append(advice.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "`") + ".\n")
    }
    return parts.joined(separator: "\n")
  }

  private var title: String {
    switch report.verdict {
    case .equal: "equal to the baseline"
    case .better: "better than the baseline"
    case .worse: "worse than the baseline"
    case .incomparable: "cannot be compared with the baseline"
    }
  }

  private func list(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["\(title):\n\n" + lines.map { "- \(Self.escaped($0))\n" }.joined()]
  }

  /// A row a measure; the first of a stack says what the stack did otherwise.
  private func table(_ verdict: GateChange.Verdict) -> String {
    var lines = [
      "| run | topology | measure | before | now | change | noticed | chance | work that explains it |",
      "|---|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for comparison in report.comparisons {
      for stack in comparison.stacks where !stack.changes(verdict).isEmpty {
        let excerpt = GateExcerpt(stack, verdict)
        for (index, change) in excerpt.shown.enumerated() {
          lines.append(
            row([
              comparison.run, stack.name, "`\(change.measure.name)`", change.beforeText,
              change.nowText, change.shareText, change.noticedText, change.chanceText,
              index == 0 ? explanation(excerpt) : "",
            ]))
        }
        if let more = excerpt.more { lines.append(row([comparison.run, stack.name, more, "", "", "", "", "", ""])) }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func explanation(_ excerpt: GateExcerpt) -> String {
    ([excerpt.counters] + [excerpt.charges].compactMap { $0.map { "charged: \($0)" } }).joined(separator: "; ")
  }

  private func row(_ cells: [String]) -> String {
    "| " + cells.map(Self.escaped).joined(separator: " | ") + " |"
  }

  /// Text that neither ends a cell nor begins a tag.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "|": "\\|"
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      default: String(character)
      }
    }.joined()
  }
}
