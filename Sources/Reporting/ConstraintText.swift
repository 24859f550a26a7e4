import Metrics

/// The part of `validate --published all` that holds profiles against constraints.
package enum ConstraintText {
  /// Returns a table of all constraints, their number that holds, and the sources of those that do not.
  package static func text(of results: [ConstraintResult], usesColour: Bool = false) -> String {
    let rows = TerminalTable<ConstraintResult> { result in
      [
        TerminalCell(title: "constraint", value: result.name),
        TerminalCell(title: "profile", value: result.profile),
        TerminalCell(title: "at least", value: number(result.low, result.unit) ?? "-", align: .right),
        TerminalCell(title: "at most", value: number(result.high, result.unit) ?? "-", align: .right),
        TerminalCell(title: "here", value: number(result.value, result.unit) ?? "-", align: .right),
        TerminalCell(title: "holds", value: result.holds ? "yes" : "NO"),
        TerminalCell(title: "what", value: result.subject),
      ]
    }
    let failed = results.filter { !$0.holds }.flatMap { result in
      WrappedText.lines("\(result.name) does not hold: \(result.source).", hanging: 2)
    }
    return rows.text(for: results, usesColour: usesColour) + "\n" + summary(of: results) + "\n"
      + failed.map { $0 + "\n" }.joined()
  }

  /// Returns a section of a page in Markdown.
  static func markdown(of results: [ConstraintResult]) -> String {
    var lines = [
      "## Constraints", "", "| constraint | profile | what | at least | at most | here | holds | source |",
      "|---|---|---|---|---|---|---|---|",
    ]
    lines += results.map { result in
      let numbers = [result.low, result.high, result.value].map { number($0, result.unit) ?? "–" }
      let cells =
        ["`\(result.name)`", "`\(result.profile)`", result.subject] + numbers
        + [result.holds ? "yes" : "no", result.source]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    return (lines + ["", summary(of: results)]).joined(separator: "\n") + "\n"
  }

  private static func summary(of results: [ConstraintResult]) -> String {
    "\(results.count(where: \.holds)) of \(results.count) constraints hold."
  }

  private static func number(_ value: Int64?, _ unit: ConstraintResult.Unit) -> String? {
    value.map { value in
      switch unit {
      case .nanoseconds: PublishedNumber.time(value)
      case .partsPerMillion: PublishedNumber.ratio(value)
      }
    }
  }
}
