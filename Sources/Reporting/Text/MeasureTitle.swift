import Metrics

/// The titles of measures, which are the same in the tables, the charts and the glossary of a report.
package enum MeasureTitle {
  private static let titles: [String: String] = [
    "hitch_us_per_s": "hitch", "frames_dropped_count": "dropped", "at_risk_ns_max": "at risk",
    "sql_statements_count": "SQL",
  ].merging(PrimaryMeasure.all.map { ($0.measure.name, $0.title) }) { first, _ in first }

  /// Returns the title of a column of `trials.csv`, without its unit: `stall p99` for `stall_ns_p99`.
  package static func of(_ column: String) -> String {
    if let title = titles[column] { return title }
    guard column != "rows_per_second" else { return "rows per second" }
    var name = column
    for (start, short) in [("time_to_", ""), ("edit_response_", "edit_")] where name.hasPrefix(start) {
      name = short + name.dropFirst(start.count)
    }
    return name.split(separator: "_").filter { !["ns", "bytes", "count"].contains($0) }.joined(separator: " ")
  }

  /// Returns the title that a page uses for a column of the terminal's tables. A page has more room.
  static func onPage(_ title: String) -> String {
    switch title {
    case "hitch ms": "total hitch ms"
    case "ms/s": "hitch ms/s"
    case "heap MB": "heap peak MB"
    default: title
    }
  }
}
