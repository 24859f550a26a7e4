import Mustache

/// The report of a sweep: one HTML file with its table and charts, which makes no request to the network.
package struct SweepReport: Sendable {
  /// The folder of the sweep, as the page names it.
  package var title: String
  package var points: SweepPage
  /// The command that runs the sweep again.
  package var command: String
  /// The sentences above the table on trials that are missing or whose data is not right.
  package var warnings: [String]
  package var charts: [ReportChart]

  package init(
    title: String, points: SweepPage, command: String, warnings: [String] = [], charts: [ReportChart]
  ) {
    self.title = title
    self.points = points
    self.command = command
    self.warnings = warnings
    self.charts = charts
  }

  /// The whole file.
  package var html: String { VisibleText.lines(Self.template.render(view)) }

  /// Parsed once; a fault in it is a fault of the program.
  private static let template: MustacheTemplate = {
    do {
      return try MustacheTemplate(string: String(decoding: PackageResources.sweep_mustache, as: UTF8.self))
    } catch {
      fatalError("the template of a sweep's report cannot be read: \(error)")
    }
  }()

  private struct View {
    let style: String
    let headline: String
    let subject: String
    let warnings: [String]
    let columns: [Column]
    let rows: [Row]
    let notes: [String]
    let charts: [RunReport.Chart]
    let command: String
  }

  private struct Column {
    let title: String
    let isNumber: Bool
  }

  private struct Row {
    let cells: [Cell]
  }

  private struct Cell {
    let label: String
    let text: String
    let isNumber: Bool
  }

  private var view: View {
    let table = points.table(of: points.rows)
    let columns = table.columns.map { Column(title: $0.title, isNumber: $0.alignment == .right) }
    let rows = table.rows.compactMap { row -> Row? in
      guard case .cells(let cells) = row else { return nil }
      return Row(cells: zip(cells, columns).map { Cell(label: $1.title, text: $0.text, isNumber: $1.isNumber) })
    }
    let flags = points.flags.isEmpty ? ["topology"] : points.flags
    return View(
      style: String(decoding: PackageResources.page_css, as: UTF8.self),
      headline: "The stacks by \(flags.joined(separator: " and "))", subject: "\(points.heading), from \(title)",
      warnings: warnings, columns: columns, rows: rows, notes: points.notes, charts: charts.map(RunReport.chart),
      command: LocalPath.removed(from: command))
  }
}
