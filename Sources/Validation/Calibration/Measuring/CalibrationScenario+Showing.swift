import ContextEngine
import Harness
import MachineCore

// MARK: - Showing

extension CalibrationScenario {
  /// The scenarios of lists, their controllers and their cells.
  static var showing: [CalibrationScenario] {
    [
      CalibrationScenario("read cells", sizes: [200, 400, 800, 1_600]) { bench, size in
        let (context, screen) = try screen(bench)
        try bench.measure { for _ in 0..<size { context.performAndWait { screen.readVisibleCells() } } }
      },
      CalibrationScenario("scroll", sizes: [100, 200, 400, 800]) { bench, size in
        let (context, screen) = try screen(bench)
        try bench.measure {
          for frame in 0..<size {
            context.performAndWait {
              context.event {
                screen.scroll(at: 120, for: .milliseconds(Int64(16 * frame)))
                screen.readVisibleCells()
              }
            }
          }
        }
      },
      CalibrationScenario("open a list", sizes: [2, 4, 8, 16]) { bench, size in
        let (context, screen) = try screen(bench)
        try bench.measure {
          for _ in 0..<size {
            try context.performAndWait { () throws(PersistenceError) in
              screen.close()
              context.reset()
              try screen.open()
              screen.readVisibleCells()
            }
          }
        }
      },
      CalibrationScenario("list insertions", sizes: [150, 300, 600, 1_200]) { bench, size in
        let (context, screen) = try screen(bench)
        let records = try bench.records(size, of: bench.catalog)
        try bench.measure {
          try bench.importUnit(records[...], into: context, schema: bench.catalogSchema, lookup: .none, saves: false)
          context.performAndWait { context.processPendingChanges() }
        }
        withExtendedLifetime(screen) {}
      },
      CalibrationScenario("list many insertions", sizes: [750, 1_500, 3_000, 6_000]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        let screen = try screen(of: bench.flatSchema.entities[0], in: context)
        let records = try bench.records(size, of: bench.flat)
        try bench.importUnit(records[...], into: context, schema: bench.flatSchema, lookup: .none, saves: false)
        try bench.measure { context.performAndWait { context.processPendingChanges() } }
        withExtendedLifetime(screen) {}
      },
      CalibrationScenario("list one change at a time", sizes: [50, 100, 200, 400]) { bench, size in
        let (context, screen) = try screen(bench)
        let notes = (0..<size).map { _ in bench.nextNote() }
        try bench.measure {
          for note in notes {
            context.performAndWait {
              context.event {
                for row in screen.visibleRows { row[screen.entity.note] = note }
              }
            }
          }
        }
      },
      CalibrationScenario("edit and save", sizes: [25, 50, 100, 200]) { bench, size in
        let (context, screen) = try screen(bench)
        let notes = (0..<size).map { _ in bench.nextNote() }
        try bench.measure {
          for note in notes {
            try context.performAndWait { () throws(PersistenceError) in
              try context.event { () throws(PersistenceError) in
                screen.visibleRows[0][screen.entity.note] = note
                try context.save()
              }
            }
          }
        }
      },
    ]
  }

  /// Returns a context and an open list of products of the populated store, whose first cells have been read.
  private static func screen(_ bench: CalibrationBench) throws -> (ManagedObjectContext, Screen) {
    let context = bench.context(on: try bench.populated())
    return (context, try screen(of: bench.catalogSchema.entities[1], in: context))
  }

  /// Returns an open list of an entity's rows, whose first cells have been read.
  private static func screen(of entity: EngineSchema.Entity, in context: ManagedObjectContext) throws -> Screen {
    let screen = Screen(
      number: 0, entity: entity, context: context, options: RunOptions(), fetchesShownProperties: false)
    try context.performAndWait { () throws(PersistenceError) in
      try screen.open()
      screen.readVisibleCells()
    }
    return screen
  }
}
