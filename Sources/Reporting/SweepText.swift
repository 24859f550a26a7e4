import Metrics
import TextTable

/// What a sweep prints: a table with a row for each point of its grid and each stack there.
package struct SweepText: Sendable {
  /// A point and one of its stacks.
  package struct Row: Sendable {
    /// The values of the varied flags but for the topology, in their order.
    package var values: [String]
    package var summary: Summary
  }

  /// The varied flags but for the topology.
  package let flags: [String]
  package let rows: [Row]

  private static let topologyFlag = "topology"
  /// More would not be read.
  private static let shownCount = 200

  /// - Parameters:
  ///   - flags: The varied flags.
  ///   - rows: A row for each trial, with the values of `flags`.
  package init(flags: [String], rows: [SweepTable.Row]) {
    let shown = flags.indices.filter { flags[$0] != Self.topologyFlag }
    self.flags = shown.map { flags[$0] }
    var points: [[String]] = []
    var trials: [[String]: [TrialRecord]] = [:]
    for row in rows {
      let values = shown.map { row.values[$0] }
      if trials[values] == nil { points.append(values) }
      trials[values, default: []].append(row.record)
    }
    self.rows = points.flatMap { values in
      Summary.summaries(of: trials[values] ?? []).map { Row(values: values, summary: $0) }
    }
  }

  /// Returns lines that are no wider than the terminal, as far as the values allow.
  ///
  /// - Parameter width: The number of columns that the terminal has.
  package func text(usesColour: Bool, width: Int) -> String {
    let table = TerminalTable<Row>(width: width, keyCount: flags.count + 1) { row in
      zip(columns, cells(of: row)).map { column, text in
        TerminalCell(title: column.title, value: text, align: column.isNumber ? .right : .left)
      }
    }
    let shown = Array(rows.prefix(Self.shownCount))
    return WrappedText.text([heading], width: width) + "\n" + table.text(for: shown, usesColour: usesColour)
      + (notes.isEmpty ? "" : "\n" + WrappedText.text(notes, width: width, hanging: 2))
  }
}

// MARK: - Columns

extension SweepText {
  package struct Column: Hashable, Sendable {
    package let title: String
    package let isNumber: Bool
  }

  /// The columns of the table: the flags, the stack, and what is told of each.
  package var columns: [Column] {
    (flags + [Self.topologyFlag]).map { Column(title: $0, isNumber: false) }
      + ["hitch ms/s", "dropped", "import s", "stall p99 ms"].map { Column(title: $0, isNumber: true) }
  }

  /// Returns the texts of a row, one a column; a hyphen stands for what was not measured.
  package func cells(of row: Row) -> [String] {
    let measures = row.summary.measures
    func number(_ value: Int64?, per unit: Int64 = 1, digits: Int = 1) -> String {
      value.map { TerminalReport.text($0, per: unit, digits: digits) } ?? "-"
    }
    return row.values + [
      row.summary.identity.name, number(measures.hitchMicrosecondsPerSecond, per: 1_000),
      number(measures.framesDroppedCount), number(measures.importNanoseconds, per: 1_000_000_000, digits: 2),
      number(measures.stallNanosecondsP99, per: 1_000_000),
    ]
  }

  /// What all trials have in common, as far as it is not varied.
  package var heading: String {
    let identities = rows.map(\.summary.identity)
    func common(_ text: (TrialIdentity) -> String?) -> String? {
      let texts = Set(identities.map(text))
      return texts.count == 1 ? texts.first.flatMap(\.self) : nil
    }
    let machine = common { identity in identity.profile.map { "\(identity.machine) \($0)" } ?? identity.machine }
    let parts = [
      common(\.workload), common { "\($0.rows) rows" }, common { "seed \($0.seed)" },
      (machine ?? common(\.machine)).map { "\($0) machine" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// What a reader has to know besides.
  package var notes: [String] {
    var notes = ["ms/s = hitch time per second."]
    if rows.contains(where: { ($0.summary.range?.count ?? 1) > 1 }) {
      notes.append("Each figure is the median of its column over the trials of its row.")
    }
    notes += rows.filter { $0.summary.measures.verified == 0 }.map { row in
      "\((row.values + [row.summary.identity.name]).joined(separator: ", ")): the data is not right."
    }
    if rows.count > Self.shownCount {
      notes.append("\(rows.count - Self.shownCount) more rows stand in \(SweepTable.fileName).")
    }
    return notes
  }
}
