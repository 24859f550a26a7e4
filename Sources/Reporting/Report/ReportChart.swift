/// A chart of a report: its drawing, or why there is none.
package struct ReportChart: Hashable, Sendable {
  package enum Drawing: Hashable, Sendable {
    /// What gnuplot wrote.
    case svg(String)
    /// A sentence.
    case missing(String)
  }

  /// The name of its script, without the ending.
  package var name: String
  package var drawing: Drawing

  package init(name: String, drawing: Drawing) {
    self.name = name
    self.drawing = drawing
  }

  /// What it shows, as a heading.
  var title: String {
    switch name {
    case "percentiles": "How late frames start, by percentile"
    case "lateness": "How late frames start, over time"
    case "main-queue": "Where the main thread's time went"
    case "import-vs-hitch": "Import time against hitches"
    default: name.split(separator: "-").joined(separator: " ")
    }
  }
}
