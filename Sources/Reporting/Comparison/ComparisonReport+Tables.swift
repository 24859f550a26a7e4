import Foundation
import Metrics

/// The tables of verdicts: one of all stacks where the terminal has the room, or else one for each stack.
///
/// A measure has one unit in all of them, which its title names.
extension ComparisonReport {
  var verdicts: [String] {
    if comparison.stacks.count > 1, let whole = fitting(table(of: comparison.judged, isNamed: true)) {
      return [counts + "\n" + whole]
    }
    return comparison.stacks.map { stack in
      let judged = comparison.judged.filter { $0.topology == stack.topology }
      let whole = table(of: judged, isNamed: false)
      let text = fitting(whole) ?? table(of: judged, isNamed: false, breaksVerdicts: true)
      return "\(stack.topology), \(count(stack))\n\n\(text)"
    }
  }

  /// Returns a table, or nil if it had to become several.
  private func fitting(_ table: String) -> String? { table.contains("\n\n") ? nil : table }

  /// A line of a table: a measure, or the second part of its verdict.
  private struct Line {
    let judged: Comparison.Judged
    let isFirstOfStack: Bool
    let verdict: String
    var isContinuation = false
  }

  private func table(of judged: [Comparison.Judged], isNamed: Bool, breaksVerdicts: Bool = false) -> String {
    let scales = MeasureScale.scales(of: comparison)
    let lines = judged.indices.flatMap { index in
      let parts = FloorText.verdict(of: judged[index])
      let isFirst = index == 0 || judged[index - 1].topology != judged[index].topology
      let first = Line(
        judged: judged[index], isFirstOfStack: isFirst,
        verdict: breaksVerdicts ? parts[0] : parts.joined(separator: " "))
      let rest = breaksVerdicts ? parts.dropFirst() : []
      return [first]
        + rest.map { Line(judged: judged[index], isFirstOfStack: false, verdict: $0, isContinuation: true) }
    }
    let table = TerminalTable<Line>(width: width, keyCount: isNamed ? 2 : 1) { line in
      let name = TerminalCell(title: "topology", value: line.isFirstOfStack ? line.judged.topology : "")
      return (isNamed ? [name] : []) + cells(of: line, scales[line.judged.primary])
    }
    return table.text(for: lines, usesColour: usesColour)
  }

  private func cells(of line: Line, _ scale: MeasureScale?) -> [TerminalCell] {
    let judged = line.judged
    let change = ChangeText(judged)
    func cell(_ title: String, _ value: String) -> TerminalCell {
      TerminalCell(title: title, value: line.isContinuation ? "" : value, align: .right)
    }
    let cells = [
      TerminalCell(title: "measure", value: line.isContinuation ? "" : judged.primary.title(in: scale)),
      cell("before", scale?.text(judged.firstMedian) ?? ""), cell("after", scale?.text(judged.secondMedian) ?? ""),
      cell("change", change.cell), TerminalCell(title: "verdict", value: line.verdict),
    ]
    // In exact results there is no chance.
    guard comparison.design != .exact else { return cells }
    return cells + [
      cell("95 % interval", change.interval ?? "too few trials"),
      cell("p", judged.correctedProbability.map { String(format: "%.3f", $0) } ?? "-"),
    ]
  }

  /// The sentence above the one table: how many trials or pairs there are of each stack.
  private var counts: String {
    let texts = comparison.stacks.map(count)
    guard Set(texts).count > 1 else {
      return comparison.design == .paired
        ? "\(texts[0]) of each stack\n"
        : wrapped([texts[0].replacing(" each", with: " of each stack in each result")])
    }
    return wrapped([zip(comparison.stacks, texts).map { "\($0.topology): \($1)" }.joined(separator: "; ")])
  }

  private func count(_ stack: Comparison.Stack) -> String {
    let (first, second) = (stack.firstCount, stack.secondCount)
    switch comparison.design {
    case .paired: return "\(first) pair\(first == 1 ? "" : "s")"
    case .unpaired, .exact:
      return first == second ? "\(first) trial\(first == 1 ? "" : "s") each" : "\(first) and \(second) trials"
    }
  }
}
