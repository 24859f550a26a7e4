import Metrics

/// An answer of `advise` for a wiki, a ticket or the comment on a pull request.
///
/// A pure function of its values.
package struct AdviceMarkdown: Sendable {
  private let report: AdviceReport

  package init(_ report: AdviceReport) {
    self.report = report
  }

  package var text: String {
    let sentences = AdviceSentences(report: report)
    let advice = report.advice
    let title = advice.advised.map { "take `\($0.name)`" } ?? "none qualifies"
    var parts = ["### Stackbench advice: \(title)", escaped(report.question.text)]
    parts += sentences.answer.map(escaped)
    if advice.advised == nil { parts.append(list(sentences.misses.map(escaped))) }
    parts.append(stacks)
    if !sentences.notes.isEmpty { parts.append(list(sentences.notes.map(escaped))) }
    if !advice.costs.isEmpty { parts.append("What it costs: where others are better\n\n" + costs) }
    if !report.uses.isEmpty {
      parts.append(
        "Which context for what\n\n"
          + list(
            report.uses.map {
              "**\($0.purpose)**: `\($0.context)`. \(escaped($0.reason.sentenceCased)) (\(escaped($0.source)))"
            }))
    }
    let flips = advice.turns.compactMap { turn in sentences.turn(turn).map { (turn.point, $0) } }
    if !flips.isEmpty {
      parts.append(
        sentences.turnsTitle + "\n\n"
          + list(flips.map { "`--\($0.0.flag) \($0.0.value)`: \(escaped($0.1)). `\($0.0.command)`" }))
    }
    if !sentences.unchanged.isEmpty { parts.append(list(sentences.unchanged.map(escaped))) }
    let commands = [report.showCommand] + [report.codeCommand].compactMap(\.self)
    parts.append((["```sh"] + commands + ["```"]).joined(separator: "\n"))
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var stacks: String {
    let table = AdviceTable(report.advice)
    var titles = table.titles
    if let limits = table.limits {
      for (index, limit) in limits.enumerated().dropFirst() where !limit.isEmpty { titles[index] += " (≤ \(limit))" }
    }
    let count = report.advice.drawNumbers.count
    if count > 0 {
      titles[titles.count - 2] = "qualifies in draws, of \(count)"
      titles[titles.count - 1] = "first in draws, of \(count)"
    }
    let rows = table.rows.map { row in
      row.enumerated().map { index, cell in
        cell.hasSuffix(AdviceTable.missMark) ? "**\(cell)**" : index == 0 ? "`\(cell)`" : cell
      }
    }
    return markdown(titles, rows)
  }

  private var costs: String {
    markdown(
      ["measure", "here", "best", "there", "change"],
      report.advice.costs.map { cost in
        let unit = cost.primary.measure.unit
        return [
          cost.primary.title, AdviceSentences.value(cost.value, unit),
          "`\(cost.best.name)`" + (cost.othersCount > 0 ? " and \(cost.othersCount) more" : ""),
          AdviceSentences.value(cost.bestValue, unit),
          MeasureText.change(Double(cost.bestValue - cost.value), from: cost.value, unit),
        ]
      })
  }

  private func markdown(_ titles: [String], _ rows: [[String]]) -> String {
    let rule = ["---"] + [String](repeating: "--:", count: titles.count - 1)
    return ([titles, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private func list(_ items: [String]) -> String {
    items.map { "- \($0)" }.joined(separator: "\n")
  }

  /// Names may hold what Markdown takes for its own.
  private func escaped(_ text: String) -> String {
    text.map { "\\`*_[]<>|#".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
