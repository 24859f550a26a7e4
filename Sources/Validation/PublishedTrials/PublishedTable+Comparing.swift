import Metrics

// MARK: - Published figures

extension PublishedTable.Figure {
  /// The published series as its median, least and greatest value. The median of an even number of values is the mean
  /// of the two in the middle.
  package var published: PublishedResult.Published {
    let sorted = series.sorted()
    let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return PublishedResult.Published(
      median: Self.amount(middle), least: Self.amount(sorted[0]), greatest: Self.amount(sorted[sorted.count - 1]))
  }

  /// The overhead in nanoseconds or bytes, or zero without an overhead.
  package var overheadAmount: Int64 { Self.amount(overhead?.amount ?? 0) }

  /// Returns nanoseconds for milliseconds, or bytes for megabytes.
  private static func amount(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }
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
      orders: orders { results[$0][$1].simulated })
  }

  /// Returns the table's orders for the nanoseconds or bytes that `amount` returns for the figure at a place of the row at
  /// a place.
  package func orders(_ amount: (_ row: Int, _ figure: Int) -> Int64) -> [PublishedOrder] {
    /// The amount of a figure, or its share of another figure in parts per billion.
    func value(_ reference: FigureReference) -> Int64 {
      let part = amount(reference.row, reference.figure)
      guard let whole = reference.whole else { return part }
      let total = amount(reference.row, whole)
      return total == 0 ? 0 : Int64((Double(part) / Double(total) * 1e9).rounded())
    }
    return orders.map { order in
      PublishedOrder(
        order.name, relation: order.relation, of: value(order.first), to: value(order.second), in: order.range,
        isRequired: order.isRequired)
    }
  }

  private func result(
    of figure: Figure, in row: Row, measured: PublishedMeasurement
  ) -> PublishedResult {
    PublishedResult(
      PublishedResult.Name(table: name, row: row.title, figure: figure.name, topology: row.topology.title),
      clock: figure.clock, role: figure.role, published: figure.published,
      overhead: figure.overheadAmount, simulated: measured.amount(by: figure.clock),
      bandPartsPerMillion: Int64((figure.band * 1_000_000).rounded()))
  }
}
