import Foundation
import Metrics
import TextTable

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

  /// Lines of at most 100 columns.
  package var text: String {
    let rows = TextTable<PublishedComparison.Row> { row in
      [
        Column(title: "topology", value: row.topology, align: .left),
        Column(title: "one save per", value: Self.title(of: row.batching), align: .left),
        Column(title: "published s", value: Self.seconds(row.publishedTotalMilliseconds * 1_000_000), align: .right),
        Column(title: "here s", value: Self.seconds(row.totalNanoseconds), align: .right),
        Column(
          title: "published main CPU s", value: Self.seconds(row.publishedMainCPUMilliseconds * 1_000_000),
          align: .right),
        Column(title: "here main CPU s", value: Self.seconds(row.mainCPUNanoseconds), align: .right),
        Column(title: "role", value: row.role.rawValue, align: .left),
      ]
    }
    let orders = TextTable<PublishedComparison.Order> { order in
      [
        Column(title: "order", value: order.name, align: .left),
        Column(title: "here", value: order.valuePartsPerMillion.map(Self.ratio) ?? "-", align: .right),
        Column(title: "at least", value: Self.ratio(order.lowPartsPerMillion), align: .right),
        Column(title: "at most", value: order.highPartsPerMillion.map(Self.ratio) ?? "-", align: .right),
        Column(title: "comes out", value: order.passed ? "yes" : "NO", align: .left),
      ]
    }
    return [
      "Kugler's shootout of 2013, published and on profile \(profile)\n",
      lines(rows.string(for: comparison.rows, style: style)),
      lines(orders.string(for: comparison.orders, style: style)),
      note,
    ].joined(separator: "\n")
  }

  private var style: any TextTableStyle.Type { usesColour ? ColouredStyle.self : Simple.self }

  private var note: String {
    let missed = comparison.orders.filter { !$0.passed }
    let roles = "fitted = the profile was made to agree with the row.\n"
    return missed.isEmpty
      ? roles + "All \(comparison.orders.count) orders come out.\n"
      : roles + "\(missed.count) of \(comparison.orders.count) orders do not come out: "
        + missed.map(\.name).joined(separator: ", ") + ".\n"
  }

  private func lines(_ table: String?) -> String {
    (table ?? "").split(separator: "\n").map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
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
