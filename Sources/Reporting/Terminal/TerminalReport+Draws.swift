import Metrics

// MARK: - Devices drawn from a profile's ranges

extension TerminalReport {
  /// A measure as the tables of draws show it: four of them fit a line.
  private struct DrawnColumn {
    let title: String
    /// What one of the printed unit is.
    let unit: Int64
    var digits = 1
  }

  /// In the order of `printedMeasures`.
  private static let drawnColumns = [
    DrawnColumn(title: "hitch ms", unit: 1_000_000), DrawnColumn(title: "ms/s", unit: 1_000),
    DrawnColumn(title: "dropped", unit: 1), DrawnColumn(title: "stall p99 ms", unit: 1_000_000),
    DrawnColumn(title: "visible p99 ms", unit: 1_000_000), DrawnColumn(title: "edit p99 ms", unit: 1_000_000),
    DrawnColumn(title: "main busy ms", unit: 1_000_000), DrawnColumn(title: "import s", unit: 1_000_000_000, digits: 2),
    DrawnColumn(title: "durable p99 ms", unit: 1_000_000), DrawnColumn(title: "at risk ms", unit: 1_000_000),
    DrawnColumn(title: "heap MB", unit: 1_000_000), DrawnColumn(title: "SQL", unit: 1),
  ]
  private static let columnsPerTable = 4

  /// The band of each measure for each stack, and below in how many draws the ranking holds; none without draws.
  var drawTables: [String] {
    guard let draws else { return [] }
    return stride(from: 0, to: Self.drawnColumns.count, by: Self.columnsPerTable).map { first in
      drawTable(draws, columns: first..<min(first + Self.columnsPerTable, Self.drawnColumns.count))
    }
  }

  private func drawTable(_ draws: DrawBands, columns: Range<Int>) -> String {
    // In the order of the other tables.
    let stacks = summaries.compactMap { summary in draws.names.firstIndex(of: summary.identity.name) }
    let bands = stacks.map { stack in
      [draws.names[stack]] + columns.map { text(draws.measures[$0].bands[stack], Self.drawnColumns[$0]) }
    }
    let holding = columns.map { draws.measures[$0].holdingCount.map { "\($0) of \(draws.drawCount)" } ?? "-" }
    let titles = ["5-95 % of draws"] + columns.map { Self.drawnColumns[$0].title }
    let table = TerminalTable<[String]> { row in
      zip(titles, row).enumerated().map { index, cell in
        TerminalCell(title: cell.0, value: cell.1, align: index == 0 ? .left : .right)
      }
    }
    return table.text(for: bands + [["same ranking"] + holding])
  }

  private func text(_ band: DrawBands.Band?, _ column: DrawnColumn) -> String {
    guard let band else { return "-" }
    let ends = [band.low, band.high].map { Self.text($0, per: column.unit, digits: column.digits) }
    return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "-")
  }

  /// What the tables of draws mean.
  var drawNotes: [String] {
    guard let draws else { return [] }
    var notes = [
      "Draws: \(draws.drawCount) device\(draws.drawCount == 1 ? "" : "s") within the profile's ranges; "
        + "5-95 % by nearest rank.",
      "Same ranking: in how many of them every two stacks compare as by the profile's values.",
    ]
    if let hitch = draws.measures.first?.holdingCount {
      notes.append("By total hitch time the ranking holds in \(hitch) of \(draws.drawCount).")
    }
    return notes
  }
}
