/// A chart of a report: its drawing, or the reason why the drawing is missing.
package struct ReportChart: Hashable, Sendable {
  package enum Drawing: Hashable, Sendable {
    /// The drawing that gnuplot wrote.
    case svg(String)
    /// A sentence.
    case missing(String)
  }

  /// The name of its script, without the ending.
  package var name: String
  package var drawing: Drawing
  /// The drawing for a narrow screen, or nil if there is only one drawing.
  package var narrow: String?

  /// The name of the picture of a stack, which fits narrow and wide pages.
  package static let stackName = "stack"

  /// The text that is added to the name of a chart's file for a narrow screen.
  package static let narrowSuffix = "-phone"

  package init(name: String, drawing: Drawing, narrow: String? = nil) {
    self.name = name
    self.drawing = drawing
    self.narrow = narrow
  }

  /// The subject of the chart, as a heading.
  var title: String {
    switch name {
    case "percentiles": "Frame lateness by percentile"
    case "lateness": "Frame lateness over time"
    case "main-queue": "Main thread time by cause"
    case "import-vs-hitch": "Import time and total hitch"
    case Self.stackName: "The wiring of the stack"
    default: MeasureTitle.of(name).sentenceCased
    }
  }

  /// The sentence on a drawing that is missing; empty if there is one.
  var reason: PageText {
    guard case .missing(let reason) = drawing else { return "" }
    return PageText(reason)
  }

  /// The chart in words, for a page without drawings.
  var text: PageText {
    guard case .missing(let reason) = drawing else { return PageText(title) }
    return "\(title): \(reason)"
  }
}
