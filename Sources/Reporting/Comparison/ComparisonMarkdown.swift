import Foundation
import Metrics

/// A comparison as a comment on a pull request: the verdict, the measures that decided it, and all measures folded away.
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
    let reasons = ComparisonReasons(comparison)
    let (before, after) = (MarkdownText.escaped(first.title), MarkdownText.escaped(second.title))
    var blocks = [
      "**\(comparison.verdict.rawValue)**: \(before) → \(after)",
      ([reasons.count] + [reasons.tooFewTrials].compactMap(\.self)).joined(separator: " "),
    ]
    blocks += reasons.groups.map { group in
      let lines = group.lines.map { "- \(MarkdownText.escaped($0.topology)): \($0.changes)" }
      return "\(group.verdict.rawValue.sentenceCased):\n\n\(lines.joined(separator: "\n"))"
    }
    let notes = ComparedResult.notes(first, second)
    if !notes.isEmpty { blocks.append(notes.map { "- \(MarkdownText.escaped($0))" }.joined(separator: "\n")) }
    blocks.append(
      "<details><summary>All \(comparison.judged.count) judged measures "
        + "(\(ComparisonReport.method(of: comparison.design)))</summary>\n\n\(table)\n\n</details>")
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var table: String {
    let head =
      "| topology | measure | before | after | change | 95 % interval | verdict |\n|---|---|--:|--:|--:|--:|---|"
    let scales = MeasureScale.scales(of: comparison)
    return ([head] + comparison.judged.map { row($0, scales[$0.primary]) }).joined(separator: "\n")
  }

  private func row(_ judged: Comparison.Judged, _ scale: MeasureScale?) -> String {
    let change = ChangeText(judged)
    let cells = [
      MarkdownText.escaped(judged.topology), judged.primary.title(in: scale), scale?.text(judged.firstMedian) ?? "",
      scale?.text(judged.secondMedian) ?? "", change.cell,
      comparison.design == .exact ? "" : change.interval ?? "",
      FloorText.verdict(of: judged).joined(separator: " "),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}

/// Text of others in a Markdown document.
enum MarkdownText {
  /// Returns the text with a backslash before each character that Markdown takes for its own.
  static func escaped(_ text: String) -> String {
    text.map { "\\`*_[]<>|#".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
