import Metrics

/// The tables of a report.
struct ReportTables {
  let result: ReportedResult
}

// MARK: - The printed tables

extension ReportTables {
  /// The columns of the tables that a run prints, and the hangs. The stacks are in the run's order, the smoothest
  /// first.
  ///
  /// A page is wider than a terminal: one table shows what the user notices, the other what the import costs.
  var printed: [PageTable] {
    let topology = report.felt.prefix(1)
    var felt = report.felt.dropFirst() + report.waited.dropFirst()
    if let index = felt.firstIndex(where: { $0.title == "dropped" }) { felt.insert(hangs, at: index + 1) }
    let paidStart = felt.firstIndex { $0.title == "main busy ms" } ?? felt.endIndex
    return [
      table("What the user notices", fields: topology + felt[..<paidStart]),
      table("What the import costs", fields: topology + felt[paidStart...] + report.paid.dropFirst()),
    ]
  }

  /// The sentence that says what stands below the figures, or nil if each stack was run once.
  var figures: String? { report.figures }

  /// Returns the range below a figure, or nil if there is none.
  private static func remark(_ range: String?) -> PageText? {
    range.flatMap { $0.isEmpty ? nil : PageText($0) }
  }

  private var report: RunPage {
    RunPage(
      summaries: result.summaries, manifest: result.manifest, hitchScale: result.hitchScale, words: result.roles.words)
  }

  private var hangs: RunPage.Field {
    let result = result
    return RunPage.Field(
      title: result.stalls == nil ? "hangs" : "hangs (> 500 ms)", alignment: .right,
      text: { summary in
        let judgement = StackJudgement(summary, of: result)
        guard let count = judgement.hangCount else { return "-" }
        return judgement.longHangCount.map { "\(count) (\($0))" } ?? "\(count)"
      },
      rank: { $0.hangsCount })
  }

  private func table(_ caption: String, fields: ArraySlice<RunPage.Field>) -> PageTable {
    let report = report
    let bests = fields.map(report.best)
    return PageTable(
      caption: caption, style: "short",
      columns: fields.map { PageTable.Column(title: MeasureTitle.onPage($0.title), alignment: $0.alignment) },
      rows: report.summaries.map { summary in
        let judgement = StackJudgement(summary, of: result)
        var name = PageTable.Cell(summary.identity.name)
        if !judgement.isAcceptable {
          name.remark = "\("unacceptable", .bad)"
        } else if !judgement.warnings.isEmpty {
          name.remark = "\("needs attention", .warning)"
        }
        let figures = zip(fields, bests).dropFirst().map { field, best in
          let text = field.text(summary)
          var cell = PageTable.Cell(text, tone: tone(of: field.title, judgement))
          cell.isBest = text == best && text != "-"
          cell.remark = Self.remark(summary.range.flatMap { $0.count > 1 ? field.range?(summary, $0) : nil })
          return cell
        }
        return PageTable.Row.cells([name] + figures)
      })
  }

  /// Returns the mark of a single cell, or nil if it has no mark.
  private func tone(of title: String, _ judgement: StackJudgement) -> Page.Tone? {
    switch title {
    case "band":
      guard let band = judgement.band else { return nil }
      return band.isUnacceptable ? .bad : band == .good ? .good : .warning
    case "verified":
      return judgement.isVerified ? .good : .bad
    case "hangs", "hangs (> 500 ms)":
      guard let count = judgement.hangCount, count > 0 else { return nil }
      return (judgement.longHangCount ?? 0) > 0 ? .bad : .warning
    default: return nil
    }
  }
}

// MARK: - All measures

extension ReportTables {
  /// The table of all measures that were taken: one row for each measure, one column for each stack.
  var measures: PageTable {
    let summaries = report.summaries
    let measured = Measure.all.filter { measure in
      summaries.contains { $0.measures[keyPath: measure.keyPath] != nil }
    }
    return PageTable(
      caption: "All measures", style: "measures",
      columns: [PageTable.Column(title: "measure", alignment: .left)]
        + summaries.map { PageTable.Column(title: $0.identity.name, alignment: .right) },
      rows: measured.map { measure in
        let values = summaries.map { $0.measures[keyPath: measure.keyPath] }
        let best = Self.best(of: values.compactMap(\.self), measure.better)
        var name = PageTable.Cell(MeasureTitle.of(measure.name))
        name.remark = .code(measure.name)
        let figures = zip(values, summaries).map { value, summary in
          var cell = PageTable.Cell(value.map { MeasureText.of(Double($0), in: measure.unit) } ?? "-")
          cell.isBest = best != nil && value == best
          cell.remark = Self.remark(Self.range(of: measure, summary))
          return cell
        }
        return PageTable.Row.cells([name] + figures)
      })
  }

  /// Returns the range of a measure over the trials of a stack, or nil if they do not differ.
  private static func range(of measure: Measure, _ summary: Summary) -> String? {
    guard let range = summary.range, range.count > 1, let low = range.low[keyPath: measure.keyPath],
      let high = range.high[keyPath: measure.keyPath], low < high
    else { return nil }
    return [low, high].map { MeasureText.of(Double($0), in: measure.unit) }.joined(separator: " to ")
  }

  /// Returns the best of the values, or nil if all are equal or no direction is better.
  private static func best(of values: [Int64], _ better: Measure.Direction) -> Int64? {
    guard Set(values).count > 1 else { return nil }
    return switch better {
    case .lower: values.min()
    case .higher: values.max()
    case .neither: nil
    }
  }
}
