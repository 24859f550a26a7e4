import Foundation
import Metrics

// Both modules have a `Style`, and one a type of its own name.
import enum Rainbow.NamedColor
import enum Rainbow.Style

/// What the gate says on a terminal: tables of what is worse and of what is better, and a line that sums up; what cannot
/// be compared are errors, which have a place of their own.
///
/// A pure function of its values.
package struct GateText: Sendable {
  private let report: GateReport
  private let usesColour: Bool

  package init(_ report: GateReport, usesColour: Bool) {
    self.report = report
    self.usesColour = usesColour
  }

  /// Lines of at most 80 columns, as far as names allow; what it comes to is one line.
  package var text: String {
    let remarks =
      Self.section("Apple's bands that have changed:", report.bandLines)
      + Self.section("Moved by more than a user notices, but no more than chance explains:", report.uncertainLines)
    let ending = [Self.summary(of: report), Self.advice(for: report)].compactMap { $0.map { $0 + "\n" } }.joined()
    return (tables(.worse) + tables(.better) + remarks + [ending]).joined(separator: "\n")
  }

  /// Returns lines under a title, or nothing without lines.
  private static func section(_ title: String, _ lines: [String]) -> [String] {
    guard !lines.isEmpty else { return [] }
    let wrapped = lines.flatMap { WrappedText.lines($0, indent: 2, hanging: 4, at: ", ") }
    return [([title, ""] + wrapped).map { $0 + "\n" }.joined()]
  }

  /// How it went, in one line.
  static func summary(of report: GateReport) -> String {
    func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }
    let counts = GateChange.Verdict.allCases.map { verdict in
      "\(report.count(verdict)) \(verdict == .tolerated ? "moved within their floors" : verdict.rawValue)"
    }
    return "Gate: \(report.verdict.rawValue); \(counted(report.comparisons.count, "run")), "
      + "\(counted(report.stackCount, "stack")), \(counted(report.changeCount, "measure"))"
      + (report.drawCount > 0 ? ", means of \(counted(report.drawCount, "draw"))" : "")
      + ": \(counts.joined(separator: ", "))"
  }

  /// What to do about it; nil where nothing is to be done.
  static func advice(for report: GateReport) -> String? {
    switch report.verdict {
    case .equal: nil
    case .better: "Better than the baseline: run 'make baseline' and commit it, so that it stays so"
    case .worse: "If this is meant, run 'make baseline' and commit it with the reason"
    case .incomparable: "If this is meant, run 'make baseline' and commit it with the reason"
    }
  }
}

// MARK: - Tables

extension GateText {
  /// A row: the name of a stack, or one of its measures.
  private struct Row {
    let title: String
    var change: GateChange?
  }

  private func tables(_ verdict: GateChange.Verdict) -> [String] {
    report.comparisons.filter { $0.stacks.contains { !$0.changes(verdict).isEmpty } }.map { comparison in
      "\(title(verdict)), run \(comparison.run):\n\n" + table(comparison, verdict)
    }
  }

  private func title(_ verdict: GateChange.Verdict) -> String {
    let title = verdict.rawValue.sentenceCased
    guard usesColour else { return title }
    let codes = (verdict == .worse ? NamedColor.red : .green).value + Style.bold.value
    return "\u{1B}[\(codes.map { "\($0)" }.joined(separator: ";"))m\(title)\u{1B}[0m"
  }

  /// The rows of each stack, below them what it did otherwise.
  private func table(_ comparison: GateComparison, _ verdict: GateChange.Verdict) -> String {
    let stacks = comparison.stacks.filter { !$0.changes(verdict).isEmpty }
    let excerpts = stacks.map { GateExcerpt($0, verdict) }
    let rows = zip(stacks, excerpts).flatMap { stack, excerpt in
      [Row(title: stack.name)] + excerpt.shown.map { Row(title: "  " + $0.measure.name, change: $0) }
    }
    let table = TerminalTable<Row>(width: .max) { row in
      let change = row.change
      return [
        TerminalCell(title: "stack and measure", value: row.title, align: .left),
        TerminalCell(title: "before", value: change?.beforeText ?? "", align: .right),
        TerminalCell(title: "now", value: change?.nowText ?? "", align: .right),
        TerminalCell(title: "change", value: change?.shareText ?? "", align: .right),
        TerminalCell(title: "noticed", value: change?.noticedText ?? "", align: .right),
        TerminalCell(title: "chance", value: change?.chanceText ?? "", align: .right),
      ]
    }
    let lines = table.lines(for: rows)
    var text = lines.prefix(2)
    var next = 2
    for excerpt in excerpts {
      let end = next + 1 + excerpt.shown.count
      text += lines[next..<end] + notes(on: excerpt)
      next = end
    }
    return text.map { $0 + "\n" }.joined()
  }

  private func notes(on excerpt: GateExcerpt) -> [String] {
    let sentences =
      [excerpt.more].compactMap(\.self) + ["work: \(excerpt.counters)"]
      + [excerpt.charges].compactMap { $0.map { "charged: \($0)" } }
    return sentences.flatMap { WrappedText.lines($0, indent: 2, hanging: 4, at: ", ") }
  }
}
