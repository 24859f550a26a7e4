import Metrics

/// The page of published tables: for each, the published figures next to the simulated ones, and the orders.
package struct PublishedPage: Sendable {
  private let comparisons: [PublishedComparison]
  private let hasSummary: Bool
  private let constraints: [ConstraintResult]
  private let listsSources: Bool

  /// Creates the page of published tables.
  ///
  /// - Parameters:
  ///   - comparisons: The published tables with the simulated figures.
  ///   - hasSummary: True if the page ends with the mean errors over all tables.
  ///   - constraints: The constraints on profiles that were checked.
  ///   - listsSources: True if the table of constraints has a column of sources.
  package init(
    _ comparisons: [PublishedComparison], hasSummary: Bool, constraints: [ConstraintResult] = [],
    listsSources: Bool = false
  ) {
    self.comparisons = comparisons
    self.hasSummary = hasSummary
    self.constraints = constraints
    self.listsSources = listsSources
  }

  package var page: Page {
    Page(
      title: "Published and simulated figures",
      sections: comparisons.map(Self.section)
        + (hasSummary ? Self.summary(PublishedSummary(comparisons)) : [])
        + (constraints.isEmpty ? [] : ConstraintPage.sections(of: constraints, listsSources: listsSources)))
  }

  private static func section(of comparison: PublishedComparison) -> Page.Section {
    Page.Section(
      "\(comparison.table), published and on profile \(comparison.profile): \(comparison.title)",
      [
        .sections(
          [Page.Section([.table(figures(of: comparison))])]
            + (comparison.orders.isEmpty ? [] : [Page.Section([.table(orders(of: comparison))])])
            + [Page.Section(notes(on: comparison))])
      ])
  }

  private static func figures(of comparison: PublishedComparison) -> PageTable {
    PageTable(
      of: comparison.figures,
      [
        PageColumn("row") { $0.row }, PageColumn("figure") { $0.figure },
        PageColumn("published", .right) { PublishedNumber.amount($0.published, by: $0.clock) },
        PageColumn("here", .right) { PublishedNumber.amount($0.simulated, by: $0.clock) },
        PageColumn("error", .right) { PublishedNumber.error($0.errorPartsPerMillion) },
        PageColumn("role") { $0.role.rawValue },
        PageColumn(cells: "in band") { PageTable.Cell(passed: $0.isWithinBand) },
      ])
  }

  private static func orders(of comparison: PublishedComparison) -> PageTable {
    PageTable(
      of: comparison.orders,
      [
        .code("order") { $0.name },
        PageColumn("here", .right) { $0.valuePartsPerMillion.map(PublishedNumber.ratio) ?? "-" },
        PageColumn("at least", .right) { PublishedNumber.ratio($0.lowPartsPerMillion) },
        PageColumn("at most", .right) { $0.highPartsPerMillion.map(PublishedNumber.ratio) ?? "-" },
        PageColumn(cells: "comes out") { order in
          order.isRequired ? PageTable.Cell(passed: order.passed) : PageTable.Cell(order.passed ? "yes" : "no")
        },
      ])
  }

  private static func notes(on comparison: PublishedComparison) -> [Page.Block] {
    let roles = Page.Block.line("fitted = the profile was fitted to the figure.")
    let missed = comparison.orders.filter { !$0.passed }
    if comparison.orders.isEmpty { return [roles] }
    return [
      roles,
      .line(
        PageText(
          "\(comparison.orders.count - missed.count) of \(comparison.orders.count) orders come out"
            + (missed.isEmpty ? "." : "; these do not: \(missed.map(\.name).joined(separator: ", "))."))),
    ]
  }

  /// Returns the mean errors by role and clock, and the number of orders that come out.
  private static func summary(_ summary: PublishedSummary) -> [Page.Section] {
    func error(_ partsPerMillion: Int64?) -> String {
      partsPerMillion.map { "\(($0 + 5_000) / 10_000) %" } ?? "-"
    }
    let hasMemory = [summary.fitted, summary.predicted].contains { $0.meanMemoryErrorPartsPerMillion != nil }
    typealias Column = PageColumn<(role: String, errors: PublishedSummary.Errors)>
    var columns = [
      Column("all tables") { $0.role }, Column("figures", .right) { "\($0.errors.count)" },
      Column("mean error, CPU", .right) { error($0.errors.meanCPUErrorPartsPerMillion) },
      Column("mean error, wall", .right) { error($0.errors.meanWallErrorPartsPerMillion) },
    ]
    if hasMemory {
      columns.append(Column("mean error, memory", .right) { error($0.errors.meanMemoryErrorPartsPerMillion) })
    }
    columns.append(Column("in band", .right) { "\($0.errors.withinBandCount)" })
    let table = PageTable(of: [("fitted", summary.fitted), ("predicted", summary.predicted)], columns)
    return [
      Page.Section([.table(table)]),
      Page.Section([.line("\(summary.passedOrderCount) of \(summary.orderCount) orders come out.")]),
    ]
  }
}

extension PageTable.Cell {
  /// Creates a cell that shows whether a check was passed.
  init(passed: Bool) {
    self.init(passed ? "yes" : "NO", tone: passed ? nil : .bad)
  }
}
