/// The report of a sweep: one HTML file with its table and charts, which asks the network for nothing.
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

  /// The text of the file.
  package var html: String {
    HTMLPage(page, kind: "Stackbench report of a sweep", subject: "\(points.heading), from \(title)").text
  }

  var page: Page {
    var table = points.table(of: points.rows)
    table.caption = "All points"
    let flags = points.flags.isEmpty ? ["topology"] : points.flags
    let command = Page.Command("This command runs the sweep again", command: self.command)
    return Page(
      title: "The stacks by \(flags.joined(separator: " and "))",
      sections: [
        Page.Section(
          "The points", name: "points",
          warnings.map { Page.Block.missing(PageText($0)) } + [
            .table(table)
          ] + (points.comparison?.blocks ?? []) + [
            .list(Page.List(nil, points.notes.map { Page.Item(PageText($0)) }))
          ]),
        Page.Section("Charts", name: "charts", isFolded: true, charts.map(Page.Block.chart)),
        Page.Section("What was run", name: "run", isFolded: true, [.commands([command])]),
      ])
  }
}
