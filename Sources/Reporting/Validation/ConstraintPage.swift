import Metrics

/// The sections of a page on constraints that profiles have to meet.
enum ConstraintPage {
  /// Returns a table of all constraints, the number of constraints that hold, and the sources of the others.
  static func sections(of results: [ConstraintResult], listsSources: Bool) -> [Page.Section] {
    let columns: [PageColumn<ConstraintResult>] = [
      .code("constraint") { $0.name }, .code("profile") { $0.profile },
      PageColumn("at least", .right) { number($0.low, in: $0.unit) },
      PageColumn("at most", .right) { number($0.high, in: $0.unit) },
      PageColumn("here", .right) { number($0.value, in: $0.unit) },
      PageColumn(cells: "holds") { PageTable.Cell(passed: $0.holds) }, PageColumn("what") { $0.subject },
    ]
    let failed = results.filter { !$0.holds }.map { PageText("\($0.name) does not hold: \($0.source).") }
    return [
      Page.Section([
        .table(PageTable(of: results, columns + (listsSources ? [PageColumn("source") { $0.source }] : [])))
      ]),
      Page.Section([
        .line("\(results.count(where: \.holds)) of \(results.count) constraints hold."), .paragraphs(failed, .hanging),
      ]),
    ]
  }

  private static func number(_ value: Int64?, in unit: ConstraintResult.Unit) -> String {
    guard let value else { return "-" }
    return switch unit {
    case .nanoseconds: PublishedNumber.time(value)
    case .partsPerMillion: PublishedNumber.ratio(value)
    }
  }
}
