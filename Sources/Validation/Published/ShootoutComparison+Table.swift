import Harness
import Metrics

extension ShootoutComparison {
  /// Creates a comparison with one row for each row of the table that has the total CPU time and the main thread's CPU
  /// time of a two-phase import.
  init(_ table: PublishedTable, comparison: PublishedComparison) {
    let rows = table.rows.compactMap { row -> Row? in
      let figures = comparison.figures.filter { $0.row == row.title }
      guard case .importInTwoPhases(let step)? = row.steps.first?.action,
        let total = figures.first(where: { $0.clock == .cpu }),
        let mainCPU = figures.first(where: { $0.clock == .mainCPU })
      else { return nil }
      return Row(batching: step.objectsPerSave.map { "\($0)" } ?? "entity", total: total, mainCPU: mainCPU)
    }
    self.init(rows: rows, orders: comparison.orders)
  }
}
