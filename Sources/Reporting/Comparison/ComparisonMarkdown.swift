import Foundation
import Metrics

/// A comparison as a comment on a pull request: the verdict, what is worse or better, all judged measures folded away.
package struct ComparisonMarkdown: Sendable {
  private let comparison: Comparison
  private let first: ComparedResult
  private let second: ComparedResult

  package init(_ comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult) {
    self.comparison = comparison
    self.first = first
    self.second = second
  }

  package var text: String {
    let changed = comparison.judged.filter { [.worse, .better].contains($0.verdict) }
    var blocks = ["**\(comparison.verdict.rawValue)**: \(escaped(first.title)) → \(escaped(second.title))"]
    if !changed.isEmpty { blocks.append(table(changed)) }
    blocks.append(
      "<details><summary>All \(comparison.judged.count) judged measures "
        + "(\(ComparisonReport.method(of: comparison.design)))</summary>\n\n\(table(comparison.judged))\n\n</details>")
    let notes = ComparedResult.notes(first, second)
    if !notes.isEmpty { blocks.append(notes.map { "- \(escaped($0))" }.joined(separator: "\n")) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func table(_ rows: [Comparison.Judged]) -> String {
    let head =
      "| topology | measure | before | after | shift | 95 % interval | verdict |\n|---|---|--:|--:|--:|--:|---|"
    return ([head] + rows.map(row)).joined(separator: "\n")
  }

  private func row(_ judged: Comparison.Judged) -> String {
    let unit = judged.primary.measure.unit
    func change(_ value: Double) -> String { MeasureText.change(value, from: judged.firstMedian, unit) }
    let interval = judged.shift.interval.map { "\(change($0.lowerBound)) to \(change($0.upperBound))" } ?? ""
    let cells = [
      escaped(judged.topology), judged.primary.title, MeasureText.of(Double(judged.firstMedian), unit),
      MeasureText.of(Double(judged.secondMedian), unit), change(judged.shift.estimate), interval,
      judged.verdict.rawValue,
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// Names may hold what Markdown takes for its own.
  private func escaped(_ text: String) -> String {
    text.map { "\\`*_[]<>|#".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
