import Harness
import Metrics

extension AnchorComparison {
  /// Creates a comparison of the phases of the table's first row. A phase has the name of the step that its figures
  /// time.
  init(_ table: PublishedTable, comparison: PublishedComparison, measurements: [[PublishedMeasurement]]) {
    let row = table.rows[0]
    let results = comparison.figures.filter { $0.row == row.title }
    let rows = Self.phases.compactMap { phase -> Row? in
      func place(_ clock: PublishedClock) -> Int? {
        row.figures.firstIndex { $0.clock == clock && $0.steps.map { row.steps[$0].name } == [phase] }
      }
      guard let cpu = place(.cpu) else { return nil }
      let measured = measurements[0][cpu]
      return Row(
        phase: phase, cpu: results[cpu], mainCPU: place(.mainCPU).map { results[$0] },
        times: Row.Times(
          total: measured.wall.nanoseconds, cpu: measured.cpu.nanoseconds, mainCPU: measured.mainCPU.nanoseconds))
    }
    self.init(rows: rows, figures: comparison.figures, orders: comparison.orders)
  }
}
