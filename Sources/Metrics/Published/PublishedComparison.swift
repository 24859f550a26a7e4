/// The figures of a published table with the figures of simulated runs, and the table's orders.
package struct PublishedComparison: Hashable, Sendable {
  package let table: String
  package let title: String
  /// The name of the profile that the rows ran on.
  package let profile: String
  package let figures: [PublishedResult]
  package let orders: [PublishedOrder]

  package init(
    table: String, title: String, profile: String, figures: [PublishedResult], orders: [PublishedOrder]
  ) {
    self.table = table
    self.title = title
    self.profile = profile
    self.figures = figures
    self.orders = orders
  }

  /// True if every required order holds.
  package var passed: Bool { orders.allSatisfy { $0.passed || !$0.isRequired } }
}
