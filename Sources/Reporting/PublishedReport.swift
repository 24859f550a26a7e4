import Foundation
import Metrics

/// What `validate --published` prints: published beside run, row by row, and whether each order comes out.
///
/// A pure function of its values.
package struct PublishedReport: Sendable {
  private let comparison: PublishedComparison
  private let profile: String
  private let usesColour: Bool

  /// - Parameter profile: what the rows ran on.
  package init(_ comparison: PublishedComparison, profile: String, usesColour: Bool) {
    self.comparison = comparison
    self.profile = profile
    self.usesColour = usesColour
  }

  /// Lines of at most 80 columns.
  package var text: String {
    let rows = TerminalTable<PublishedComparison.Row> { row in
      [
        TerminalCell(title: "topology", value: row.topology, align: .left),
        TerminalCell(title: "one save per", value: Self.title(of: row.batching), align: .left),
        TerminalCell(
          title: "published s", value: Self.seconds(row.publishedTotalMilliseconds * 1_000_000), align: .right),
        TerminalCell(
          title: "main CPU s", value: Self.seconds(row.publishedMainCPUMilliseconds * 1_000_000), align: .right),
        TerminalCell(title: "here s", value: Self.seconds(row.totalNanoseconds), align: .right),
        TerminalCell(title: "main CPU s", value: Self.seconds(row.mainCPUNanoseconds), align: .right),
        TerminalCell(title: "role", value: row.role.rawValue, align: .left),
      ]
    }
    let orders = TerminalTable<PublishedComparison.Order> { order in
      [
        TerminalCell(title: "order", value: order.name, align: .left),
        TerminalCell(title: "here", value: order.valuePartsPerMillion.map(Self.ratio) ?? "-", align: .right),
        TerminalCell(title: "at least", value: Self.ratio(order.lowPartsPerMillion), align: .right),
        TerminalCell(title: "at most", value: order.highPartsPerMillion.map(Self.ratio) ?? "-", align: .right),
        TerminalCell(title: "comes out", value: order.passed ? "yes" : "NO", align: .left),
      ]
    }
    return [
      "Kugler's shootout of 2013, published and on profile \(profile)\n",
      rows.text(for: comparison.rows, usesColour: usesColour),
      orders.text(for: comparison.orders, usesColour: usesColour),
      note,
    ].joined(separator: "\n")
  }

  private var note: String {
    let missed = comparison.orders.filter { !$0.passed }
    let roles = "fitted = the profile was made to agree with the row.\n"
    return missed.isEmpty
      ? roles + "All \(comparison.orders.count) orders come out.\n"
      : roles + "\(missed.count) of \(comparison.orders.count) orders do not come out: "
        + missed.map(\.name).joined(separator: ", ") + ".\n"
  }

  private static func title(of batching: PublishedFigures.SaveBatching) -> String {
    switch batching {
    case .entity: "entity"
    case .every500: "500 objects"
    }
  }

  /// Three figures or so: what the published table has.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let seconds = Double(nanoseconds) / 1_000_000_000
    return String(format: seconds < 1 ? "%.3f" : seconds < 10 ? "%.2f" : "%.1f", seconds)
  }

  private static func ratio(_ partsPerMillion: Int64) -> String {
    String(format: "%.3f", Double(partsPerMillion) / 1_000_000)
  }
}
