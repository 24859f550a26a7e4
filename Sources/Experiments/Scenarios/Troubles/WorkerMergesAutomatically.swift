import ContextEngine

extension Scenario {
  /// A list that stays as it was, because automatic merging is set on the context that saves.
  static let workerMergesAutomatically = Scenario(
    "worker-merges-automatically", "Automatic merging is set on the worker, and main's list stays as it was",
    group: .wrongData,
    sources: [
      "Anderson, Teaching Core Data to dance with threads",
      "Apple, NSManagedObjectContext, automaticallyMergesChangesFromParent",
    ],
    symptoms: [.wrong(count), .wrong(title)],
    trouble: Side("the worker merges saves of the coordinator automatically, and main does not") { bench in
      try run(bench) { _, worker in worker }
    },
    cure: Side("main merges saves of the coordinator automatically") { bench in
      try run(bench) { main, _ in main }
    })

  private static let count = "notes in main's list"
  private static let title = "first title in main's list"

  /// Lets a worker change one note and add another while main has a list.
  private static func run(
    _ bench: Bench, choosing choose: (ManagedObjectContext, ManagedObjectContext) -> ManagedObjectContext
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    try worker.storeNotes(0..<6)
    let delegate = ListDelegate()
    let list = try main.performAndWait {
      let list = FetchedResultsController(fetchRequest: main.noteRequest(), managedObjectContext: main)
      list.delegate = delegate
      try list.performFetch()
      bench.observe("first title in main's list before", "“\(list.fetchedObjects?.first?.title ?? "")”")
      return list
    }
    let receiver = choose(main, worker)
    receiver.performAndWait { receiver.automaticallyMergesChangesFromParent = true }
    bench.begin()
    worker.perform {
      bench.attempt("the worker's save") {
        try worker.notes(key: 0).first?["title"] = .string("from the worker")
        worker.insertNote(6)
        bench.note("changes one note and inserts another")
        try worker.save()
      }
    }
    try bench.rest()
    main.performAndWait {
      bench.observe(count, list.fetchedObjects?.count ?? 0, right: 7)
      bench.observe(title, "“\(list.fetchedObjects?.first?.title ?? "")”", right: "“from the worker”")
    }
    withExtendedLifetime(delegate) {}
  }
}
