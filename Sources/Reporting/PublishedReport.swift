import Metrics

/// The text that `validate --published` prints for one table: published beside simulated, figure by figure, and the orders.
///
/// A pure function of its values.
package struct PublishedReport: Sendable {
  private let comparison: PublishedComparison
  private let usesColour: Bool

  package init(_ comparison: PublishedComparison, usesColour: Bool) {
    self.comparison = comparison
    self.usesColour = usesColour
  }

  /// Lines of at most 80 columns where the rows' titles leave room for that.
  package var text: String {
    let rows = TerminalTable<PublishedResult> { result in
      [
        TerminalCell(title: "row", value: result.row),
        TerminalCell(title: "figure", value: result.figure),
        TerminalCell(
          title: "published", value: PublishedNumber.time(result.publishedNanoseconds), align: .right),
        TerminalCell(title: "here", value: PublishedNumber.time(result.simulatedNanoseconds), align: .right),
        TerminalCell(title: "error", value: PublishedNumber.error(result.errorPartsPerMillion), align: .right),
        TerminalCell(title: "role", value: result.role.rawValue),
        TerminalCell(title: "in band", value: result.isWithinBand ? "yes" : "NO"),
      ]
    }
    let orders = TerminalTable<PublishedOrder> { order in
      [
        TerminalCell(title: "order", value: order.name),
        TerminalCell(
          title: "here", value: order.valuePartsPerMillion.map(PublishedNumber.ratio) ?? "-", align: .right),
        TerminalCell(title: "at least", value: PublishedNumber.ratio(order.lowPartsPerMillion), align: .right),
        TerminalCell(
          title: "at most", value: order.highPartsPerMillion.map(PublishedNumber.ratio) ?? "-", align: .right),
        TerminalCell(title: "comes out", value: order.passed ? "yes" : order.isRequired ? "NO" : "no"),
      ]
    }
    var parts = [
      WrappedText.text(["\(comparison.table), published and on profile \(comparison.profile): \(comparison.title)"]),
      rows.text(for: comparison.figures, usesColour: usesColour),
    ]
    if !comparison.orders.isEmpty { parts.append(orders.text(for: comparison.orders, usesColour: usesColour)) }
    return (parts + [note]).joined(separator: "\n")
  }

  private var note: String {
    let roles = "fitted = the profile was made to agree with the figure.\n"
    let missed = comparison.orders.filter { !$0.passed }
    if comparison.orders.isEmpty { return roles }
    return missed.isEmpty
      ? roles + "All \(comparison.orders.count) orders come out.\n"
      : roles + "\(missed.count) of \(comparison.orders.count) orders do not come out: "
        + missed.map(\.name).joined(separator: ", ") + ".\n"
  }
}
