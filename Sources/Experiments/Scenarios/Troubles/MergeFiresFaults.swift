import ContextEngine
import MachineCore

extension Scenario {
  /// A merge of 10,000 changes that realises every object on the main thread.
  static let mergeFiresFaults = Scenario(
    "merge-fires-faults", "A merge of 10,000 changes fires a fault on main for each of them", group: .slowness,
    sources: ["SwiftSync, issues 177 and 217", "CoreStore, issue 149, 2017"],
    symptoms: [.slower(measure, times: 3), .mainWork(.faultFired, atLeast: 10_000)],
    trouble: Side("main fires every updated object and merges, so that its list misses nothing") { bench in
      try run(bench) { main, _, save in
        main.mergeChanges(fromContextDidSave: save, firingUpdatedObjects: true)
      }
    },
    cure: Side("main resets and fetches its list again, in batches of 20") { bench in
      try run(bench) { main, list, _ in
        main.reset()
        bench.attempt("fetching the list again") {
          try list.performFetch()
          let first = list.fetchedObjects?.first
          bench.observe("stars of the first note", first?.integer(at: main.noteEntity.path("stars")) ?? 0, right: 5)
        }
      }
    })

  private static let measure = "update of main"

  private static func run(
    _ bench: Bench,
    updating update: @escaping @Sendable (ManagedObjectContext, FetchedResultsController, SaveNotification) -> Void
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    try worker.storeNotes(0..<10_000)
    let list = try main.performAndWait {
      var request = main.noteRequest()
      request.fetchBatchSize = 20
      let list = FetchedResultsController(fetchRequest: request, managedObjectContext: main)
      try list.performFetch()
      return list
    }
    let token = worker.observeDidSave { save in main.perform { bench.measure(measure) { update(main, list, save) } } }
    bench.begin()
    worker.perform {
      bench.attempt("the worker's sync") {
        for note in try worker.notes() { note["stars"] = .integer(5) }
        try worker.save()
      }
    }
    try bench.rest()
    token.cancel()
  }
}
