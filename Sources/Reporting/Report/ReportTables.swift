import Metrics

/// The tables of a report as its template takes them: titles, and cells with their marks.
struct ReportTables {
  let result: ReportedResult

  /// One of a page's tables.
  struct Table {
    let caption: String
    /// The name of its style: `short` for a table that fits a page, `measures` for the long one.
    let kind: String
    let columns: [Column]
    let rows: [Row]
  }

  struct Column {
    let title: String
    let isNumber: Bool
  }

  struct Row {
    let name: String
    /// The column of the results that it shows; nil where the name says it all.
    var column: String?
    /// The judgement of the stack, in a few words, or nil if it has no fault.
    let mark: Badge?
    let cells: [Cell]
  }

  struct Cell {
    /// The title of its column, which a narrow page repeats.
    let label: String
    let text: String
    let isNumber: Bool
    /// True if no value that is compared with it is better.
    var isBest = false
    var badge: Badge?
  }

  /// A sign with a word: it says without colour what its colour says.
  struct Badge {
    let text: String
    let sign: String
    /// The name of its style.
    let tone: String

    init(_ text: String, _ tone: ReportVerdict.Tone) {
      self.text = text
      sign = tone.sign
      self.tone = tone.name
    }
  }
}

extension ReportVerdict.Tone {
  var sign: String {
    switch self {
    case .good: "✓"
    case .warning: "!"
    case .bad: "✕"
    case .plain: "·"
    }
  }

  /// The name of the tone in style sheets.
  var name: String {
    switch self {
    case .good: "good"
    case .warning: "warning"
    case .bad: "bad"
    case .plain: "plain"
    }
  }
}

// MARK: - What is felt, what is paid

extension ReportTables {
  /// The columns of the tables that a run prints, and the hangs. The stacks are in the run's order, the smoothest
  /// first.
  ///
  /// A page is wider than a terminal: one table shows what the user feels, the other what the app's owner pays.
  var printed: [Table] {
    let topology = report.felt.prefix(1)
    var felt = report.felt.dropFirst() + report.waited.dropFirst()
    if let index = felt.firstIndex(where: { $0.title == "dropped" }) { felt.insert(hangs, at: index + 1) }
    let paidStart = felt.firstIndex { $0.title == "main busy ms" } ?? felt.endIndex
    return [
      table("What the user feels", topology + felt[..<paidStart]),
      table("What its owner pays", topology + felt[paidStart...] + report.paid.dropFirst()),
    ]
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

  private func table(_ caption: String, _ fields: ArraySlice<RunPage.Field>) -> Table {
    let report = report
    let bests = fields.map(report.best)
    return Table(
      caption: caption, kind: "short",
      columns: fields.map { Column(title: MeasureTitle.onPage($0.title), isNumber: $0.alignment == .right) },
      rows: report.summaries.map { summary in
        let judgement = StackJudgement(summary, of: result)
        let cells = zip(fields, bests).dropFirst().map { field, best in
          let text = field.text(summary)
          return Cell(
            label: MeasureTitle.onPage(field.title), text: text, isNumber: field.alignment == .right,
            isBest: text == best && text != "-",
            badge: badge(of: field.title, text, judgement))
        }
        return Row(
          name: summary.identity.name,
          mark: judgement.isAcceptable
            ? judgement.warnings.isEmpty ? nil : Badge("to be watched", .warning) : Badge("unacceptable", .bad),
          cells: cells)
      })
  }

  /// Returns the mark of a single cell, or nil if it has no mark.
  private func badge(of title: String, _ text: String, _ judgement: StackJudgement) -> Badge? {
    switch title {
    case "band":
      guard let band = judgement.band else { return nil }
      return Badge(text, band.isUnacceptable ? .bad : band == .good ? .good : .warning)
    case "verified":
      return Badge(text, judgement.isVerified ? .good : .bad)
    case "hangs", "hangs (> 500 ms)":
      guard let count = judgement.hangCount, count > 0 else { return nil }
      return Badge(text, (judgement.longHangCount ?? 0) > 0 ? .bad : .warning)
    default: return nil
    }
  }
}

// MARK: - All measures

extension ReportTables {
  /// The table of all measures that were taken: one row for each measure, one column for each stack.
  var measures: Table {
    let summaries = report.summaries
    let measured = Measure.all.filter { measure in
      summaries.contains { $0.measures[keyPath: measure.keyPath] != nil }
    }
    return Table(
      caption: "All measures", kind: "measures",
      columns: [Column(title: "measure", isNumber: false)]
        + summaries.map { Column(title: $0.identity.name, isNumber: true) },
      rows: measured.map { measure in
        let values = summaries.map { $0.measures[keyPath: measure.keyPath] }
        let best = Self.best(of: values.compactMap(\.self), measure.better)
        return Row(
          name: MeasureTitle.of(measure.name), column: measure.name, mark: nil,
          cells: zip(summaries, values).map { summary, value in
            Cell(
              label: summary.identity.name,
              text: value.map { MeasureText.of(Double($0), measure.unit) } ?? "-", isNumber: true,
              isBest: best != nil && value == best)
          })
      })
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
