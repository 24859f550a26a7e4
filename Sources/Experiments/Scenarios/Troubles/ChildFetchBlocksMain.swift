import ContextEngine
import MachineCore

extension Scenario {
  /// A worker whose fetches and saves all run on the main thread, because it is a child of main.
  static let childFetchBlocksMain = Scenario(
    "child-fetch-blocks-main", "A sync in a child of main keeps the main thread busy with its fetches",
    group: .slowness,
    sources: [
      "objc.io, Importing Large Data Sets into Core Data, 2013",
      "Kugler, Concurrent Core Data Stacks – Performance Shootout, 2013",
    ],
    symptoms: [.mainBlocked(longerThan: .microseconds(8_333)), .mainStatements(atLeast: 1)],
    trouble: Side("the worker that syncs is a private child of main") { bench in
      let main = try bench.makeMain()
      try sync(bench.keep(ManagedObjectContext(.privateQueue, parent: main, name: "worker")), on: bench)
    },
    cure: Side("the worker that syncs is on the coordinator, like main") { bench in
      let coordinator = try bench.makeCoordinator()
      try sync(bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker")), on: bench)
    })

  private static let noteCount = 30_000

  /// Fetches all notes, as a sync does that compares them with an answer, and changes a few of them.
  private static func sync(_ worker: ManagedObjectContext, on bench: Bench) throws {
    let seeding = bench.keep(ManagedObjectContext(.privateQueue, coordinator: worker.coordinator, name: "seeding"))
    try seeding.storeNotes(0..<noteCount)
    bench.begin()
    worker.perform {
      bench.attempt("the sync") {
        let notes = try worker.notes()
        for note in notes.prefix(20) { note["stars"] = .integer(1) }
        try worker.save()
      }
    }
    try bench.rest()
  }
}
