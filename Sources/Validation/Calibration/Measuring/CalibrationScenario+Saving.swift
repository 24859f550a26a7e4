import ContextEngine
import MachineCore

// MARK: - Making durable

extension CalibrationScenario {
  /// The scenarios of commits and of syncs. The size of a synced save is its number of rows; the number of commits does
  /// not depend on it.
  static var saving: [CalibrationScenario] {
    [
      CalibrationScenario("save one update at a time", sizes: [50, 100, 200, 400]) { bench, size in
        try save(bench, commits: size, rowsPerCommit: 1, durability: .normal)
      },
      CalibrationScenario("save five updates at a time", sizes: [25, 50, 100, 200]) { bench, size in
        try save(bench, commits: size, rowsPerCommit: 5, durability: .normal)
      },
      CalibrationScenario("sync each save", sizes: [1, 50, 200, 400]) { bench, size in
        try save(bench, commits: 5, rowsPerCommit: size, durability: .synced)
      },
      CalibrationScenario("flush each save", sizes: [1, 50, 200, 400]) { bench, size in
        try save(bench, commits: 5, rowsPerCommit: size, durability: .flushed)
      },
    ]
  }

  /// Measures repeated changes and saves of some rows.
  private static func save(
    _ bench: CalibrationBench, commits: Int, rowsPerCommit: Int, durability: CalibrationInstruments.Durability
  ) throws {
    let entity = bench.catalogSchema.entities[1]
    let context = bench.context(on: try bench.populated(durability))
    let rows = try bench.rows(rowsPerCommit, of: entity, in: context)
    let notes = (0..<commits).map { _ in bench.nextNote() }
    try bench.measure {
      for note in notes {
        try context.performAndWait { () throws(PersistenceError) in
          for row in rows { row[entity.note] = note }
          try context.save()
        }
      }
    }
  }
}
