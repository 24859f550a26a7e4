import Metrics

/// What `advise` prints on a terminal.
///
/// A pure function of its values: whether to colour is for the caller to say.
package struct AdviceText: Sendable {
  private let report: AdviceReport
  private let usesColour: Bool
  private let width: Int

  /// - Parameter width: The number of columns that the terminal has.
  package init(_ report: AdviceReport, usesColour: Bool, width: Int = WrappedText.terminalWidth) {
    self.report = report
    self.usesColour = usesColour
    self.width = width
  }

  /// The text in lines of at most `width` columns, but for names and commands that are longer.
  package var text: String {
    let sentences = AdviceSentences(report: report)
    var parts = [paragraph(report.question.text), sentences.answer.map { paragraph($0) }.joined()]
    if report.advice.advised == nil { parts.append(sentences.misses.map { paragraph($0 + ".", indent: 2) }.joined()) }
    parts.append(stacks)
    parts.append(legend(sentences))
    if let costs { parts.append(costs) }
    if !report.uses.isEmpty { parts.append(uses) }
    parts.append(turns(sentences))
    parts.append(commands)
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func paragraph(_ text: String, indent: Int = 0) -> String {
    WrappedText.lines(text, width: width, indent: indent, hanging: indent + (indent > 0 ? 2 : 0))
      .map { $0 + "\n" }.joined()
  }
}

// MARK: - Tables

extension AdviceText {
  private var stacks: String {
    let table = AdviceTable(report.advice)
    return lines(titles: table.titles, rows: (table.limits.map { [$0] } ?? []) + table.rows)
  }

  private func legend(_ sentences: AdviceSentences) -> String {
    let count = report.advice.drawNumbers.count
    let misses = "\(AdviceTable.missMark) = misses its limit."
    let draws =
      "draws, first: in how many of \(count) draws of the profile's ranges it qualifies, and comes first among those that do."
    let isMissed = report.advice.candidates.contains { !$0.qualifies(report.advice.allLimits) }
    let notes = (isMissed ? [misses] : []) + (count > 0 ? [draws] : []) + sentences.notes
    return notes.map { paragraph($0) }.joined()
  }

  private var costs: String? {
    guard let advised = report.advice.advised, report.advice.candidates.count > 1 else { return nil }
    let costs = report.advice.costs
    guard !costs.isEmpty else {
      return paragraph(
        "What it costs: in none of the \(PrimaryMeasure.all.count) primary measures is another stack better by more than "
          + "the floors of 'stackbench compare'.")
    }
    let rows = costs.map { cost in
      let unit = cost.primary.measure.unit
      return [
        cost.primary.title, AdviceSentences.value(cost.value, unit), cost.best.name,
        AdviceSentences.value(cost.bestValue, unit),
        MeasureText.change(Double(cost.bestValue - cost.value), from: cost.value, unit),
        cost.othersCount > 0 ? "\(cost.othersCount)" : "",
      ]
    }
    let titles = ["measure", "here", "best", "there", "change", "others too"]
    return paragraph("What \(advised.name) costs: where others are better") + "\n"
      + lines(titles: titles, rows: rows, left: [0, 2])
  }

  /// - Parameter left: The columns that begin at the left; all others end at the right.
  private func lines(titles: [String], rows: [[String]], left: Set<Int> = [0]) -> String {
    let table = TerminalTable<[String]>(width: width) { row in
      zip(titles, row).enumerated().map { index, cell in
        TerminalCell(title: cell.0, value: cell.1, align: left.contains(index) ? .left : .right)
      }
    }
    return table.text(for: rows, usesColour: usesColour)
  }
}

// MARK: - Contexts, turns, commands

extension AdviceText {
  private var uses: String {
    let purposes = (report.uses.map(\.purpose.count).max() ?? 0) + 4
    let lines = report.uses.flatMap { use in
      WrappedText.lines(
        "\(use.context). \(use.reason.sentenceCased) (\(use.source)).", width: width,
        prefix: "  \(use.purpose)" + String(repeating: " ", count: purposes - use.purpose.count - 2))
    }
    return "Which context for what\n\n" + lines.map { $0 + "\n" }.joined()
  }

  private func turns(_ sentences: AdviceSentences) -> String {
    let flips = report.advice.turns.compactMap { turn in sentences.turn(turn).map { (turn.point, $0) } }
    var text = ""
    if !flips.isEmpty {
      text += sentences.turnsTitle + "\n\n"
      for (point, sentence) in flips {
        text += paragraph("--\(point.flag) \(point.value): \(sentence).", indent: 2) + "    \(point.command)\n"
      }
    }
    let unchanged = sentences.unchanged.map { paragraph($0) }.joined()
    return text + (text.isEmpty || unchanged.isEmpty ? "" : "\n") + unchanged
  }

  private var commands: String {
    "To see it:  \(report.showCommand)\n" + (report.codeCommand.map { "As code:    \($0)\n" } ?? "")
  }
}
