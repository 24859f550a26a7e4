import Mustache

/// The report of a sweep: one HTML file with its table and charts, which asks the network for nothing.
package struct SweepPage: Sendable {
  /// The folder of the sweep, as the page names it.
  package var title: String
  package var table: SweepText
  /// The command that runs the sweep again.
  package var command: String
  /// What stands above the table because trials are missing or their data is not right, a sentence each.
  package var warnings: [String]
  package var charts: [ReportChart]

  package init(
    title: String, table: SweepText, command: String, warnings: [String] = [], charts: [ReportChart]
  ) {
    self.title = title
    self.table = table
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
    let columns: [SweepText.Column]
    let rows: [Row]
    let notes: [String]
    let charts: [ReportPage.Chart]
    let command: String
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
    let columns = table.columns
    let rows = table.rows.map { row in
      Row(cells: zip(table.cells(of: row), columns).map { Cell(label: $1.title, text: $0, isNumber: $1.isNumber) })
    }
    let flags = table.flags.isEmpty ? ["topology"] : table.flags
    return View(
      style: String(decoding: PackageResources.page_css, as: UTF8.self),
      headline: "The stacks by \(flags.joined(separator: " and "))", subject: "\(table.heading), from \(title)",
      warnings: warnings, columns: columns, rows: rows, notes: table.notes, charts: charts.map(ReportPage.chart),
      command: LocalPath.removed(from: command))
  }
}
