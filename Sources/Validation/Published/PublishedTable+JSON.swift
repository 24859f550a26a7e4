import Harness
import Metrics
import Reporting

extension PublishedTable {
  /// Returns a comparison with the table as JSON. Two tables have a form that scripts read.
  func json(of comparison: PublishedComparison, measurements: [[PublishedMeasurement]]) -> JSONObject {
    let orders = comparison.orders.map(\.json)
    return switch name {
    case "kugler-2013": ["rows": imports(in: comparison), "orders": orders]
    case "anchor-iphone-6":
      [
        "rows": phases(in: comparison, measurements: measurements[0]), "figures": comparison.figures.map(\.json),
        "orders": orders,
      ]
    default: comparison.json
    }
  }

  /// Returns an object for each row that has the total CPU time and the main thread's CPU time of a two-phase import.
  /// Its batching is `entity`, or the number of objects that one save carries.
  private func imports(in comparison: PublishedComparison) -> [JSONObject] {
    rows.compactMap { row in
      let figures = comparison.figures.filter { $0.row == row.title }
      guard case .importInTwoPhases(let step)? = row.steps.first?.action,
        let total = figures.first(where: { $0.clock == .cpu }),
        let mainCPU = figures.first(where: { $0.clock == .mainCPU })
      else { return nil }
      return [
        "topology": total.topology, "batching": step.objectsPerSave.map { "\($0)" } ?? "entity", "role": total.role,
        "published_total_ms": total.published / 1_000_000, "published_main_cpu_ms": mainCPU.published / 1_000_000,
        "total_ns": total.simulated, "main_cpu_ns": mainCPU.simulated,
      ]
    }
  }

  /// Returns an object for each of the two timed steps of the first row. A phase has the name of the step that its
  /// figures time.
  private func phases(in comparison: PublishedComparison, measurements: [PublishedMeasurement]) -> [JSONObject] {
    let row = rows[0]
    let results = comparison.figures.filter { $0.row == row.title }
    return ["inserts", "fetches"].compactMap { phase in
      func place(_ clock: PublishedClock) -> Int? {
        row.figures.firstIndex { $0.clock == clock && $0.steps.map { row.steps[$0].name } == [phase] }
      }
      guard let cpu = place(.cpu) else { return nil }
      let measured = measurements[cpu]
      return [
        "phase": phase, "role": results[cpu].role, "published_cpu_ms": results[cpu].published / 1_000_000,
        "published_main_cpu_ms": place(.mainCPU).map { results[$0].published / 1_000_000 },
        "total_ns": measured.wall.nanoseconds, "cpu_ns": measured.cpu.nanoseconds,
        "main_cpu_ns": measured.mainCPU.nanoseconds,
      ]
    }
  }
}
