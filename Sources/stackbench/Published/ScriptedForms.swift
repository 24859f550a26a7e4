import Harness
import Metrics

// The forms in which scripts read the two oldest tables.

extension ShootoutComparison {
  /// Returns one row for each row of the table that has a total and main CPU time of a two-phase import.
  init(_ table: PublishedTable, _ comparison: PublishedComparison) {
    let rows = table.rows.compactMap { row -> Row? in
      let figures = comparison.figures.filter { $0.row == row.title }
      guard case .importInTwoPhases(let step)? = row.steps.first?.action,
        let total = figures.first(where: { $0.clock == .wall }),
        let mainCPU = figures.first(where: { $0.clock == .mainCPU })
      else { return nil }
      return Row(batching: step.objectsPerSave.map { "\($0)" } ?? "entity", total: total, mainCPU: mainCPU)
    }
    self.init(rows: rows, orders: comparison.orders)
  }
}

extension AnchorComparison {
  /// Returns the phases of the table's first row, by the names of the steps that its figures time.
  init(_ table: PublishedTable, _ comparison: PublishedComparison, _ measurements: [[PublishedMeasurement]]) {
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

/// The comparisons of all shipped tables with their summary, as `validate --published all --format json` prints them.
struct PublishedDocument: Codable {
  var tables: [PublishedComparison]
  var summary: PublishedSummary

  init(_ comparisons: [PublishedComparison]) {
    tables = comparisons
    summary = PublishedSummary(comparisons)
  }
}
