import MachineCore
import Metrics

// MARK: - Published figures

extension PublishedTable.Figure {
  /// The published series as its median, least and greatest value. The median of an even number of values is the mean
  /// of the two in the middle.
  package var published: PublishedResult.Published {
    let sorted = milliseconds.sorted()
    let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return PublishedResult.Published(
      median: Self.span(middle), least: Self.span(sorted[0]), greatest: Self.span(sorted[sorted.count - 1]))
  }

  /// The overhead as a length of time, or zero without an overhead.
  package var overheadSpan: TimeSpan { Self.span(overhead?.milliseconds ?? 0) }

  private static func span(_ milliseconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((milliseconds * 1_000_000).rounded()))
  }
}

// MARK: - Comparing with a simulation

extension PublishedTable {
  /// Compares simulated rows with the published ones.
  ///
  /// - Parameters:
  ///   - measurements: The measurements of each row's figures, in their order.
  ///   - profile: The name of the profile that was simulated.
  /// - Returns: The comparison of all figures and orders.
  package func comparison(with measurements: [[PublishedMeasurement]], profile: String) -> PublishedComparison {
    let results = zip(rows, measurements).map { row, measured in
      zip(row.figures, measured).map { result(of: $0, in: row, measured: $1) }
    }
    return PublishedComparison(
      table: name, title: title, profile: profile, figures: results.flatMap(\.self),
      orders: orders { results[$0][$1].simulatedNanoseconds })
  }

  /// Returns the table's orders for the nanoseconds that `time` returns for the figure at a place of the row at a place.
  package func orders(_ time: (_ row: Int, _ figure: Int) -> Int64) -> [PublishedOrder] {
    /// The time of a figure in nanoseconds, or its share of another figure in parts per billion.
    func amount(_ reference: FigureReference) -> Int64 {
      let part = time(reference.row, reference.figure)
      guard let whole = reference.whole else { return part }
      let total = time(reference.row, whole)
      return total == 0 ? 0 : Int64((Double(part) / Double(total) * 1e9).rounded())
    }
    return orders.map { order in
      PublishedOrder(
        order.name, order.relation, of: amount(order.first), to: amount(order.second), in: order.range,
        isRequired: order.isRequired)
    }
  }

  private func result(
    of figure: Figure, in row: Row, measured: PublishedMeasurement
  ) -> PublishedResult {
    PublishedResult(
      PublishedResult.Name(table: name, row: row.title, figure: figure.name, topology: row.topology.title),
      clock: figure.clock, role: figure.role, published: figure.published, overhead: figure.overheadSpan,
      simulated: measured.time(by: figure.clock), bandPartsPerMillion: Int64((figure.band * 1_000_000).rounded()))
  }
}
