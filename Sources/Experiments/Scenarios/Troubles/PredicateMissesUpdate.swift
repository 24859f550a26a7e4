import ContextEngine

extension Scenario {
  /// A list with a predicate that misses an object which begins to match by another context's save.
  static let predicateMissesUpdate = Scenario(
    "predicate-misses-update", "A list with a predicate misses an object that begins to match elsewhere",
    group: .wrongData,
    sources: [
      "Kugler, Concurrent Core Data Stacks – Performance Shootout, 2013", "RestKit, pull request 2158",
    ],
    symptoms: [.wrong(observation)],
    trouble: Side("main merges the worker's save as it is") { bench in
      try run(bench, firesUpdatedObjects: false)
    },
    cure: Side("main fires every updated object before it merges") { bench in
      try run(bench, firesUpdatedObjects: true)
    })

  private static let observation = "notes in the list of starred notes"

  private static func run(_ bench: Bench, firesUpdatedObjects: Bool) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    try worker.storeNotes(0..<6)
    let delegate = ListDelegate()
    let list = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = true
      main.firesUpdatedObjectsBeforeMerging = firesUpdatedObjects
      let isStarred = FetchPredicate.comparison(main.noteEntity.path("stars"), .greater, .integer(0))
      let list = FetchedResultsController(
        fetchRequest: main.noteRequest(where: isStarred), managedObjectContext: main)
      list.delegate = delegate
      try list.performFetch()
      return list
    }
    bench.begin()
    worker.perform {
      bench.attempt("the worker's save") {
        try worker.notes(key: 5).first?["stars"] = .integer(5)
        bench.note("gives note 5 five stars")
        try worker.save()
      }
    }
    try bench.rest()
    main.performAndWait { bench.observe(observation, list.fetchedObjects?.count ?? 0, right: 1) }
    withExtendedLifetime(delegate) {}
  }
}

/// A delegate that lets its list follow the context's changes.
final class ListDelegate: FetchedResultsControllerDelegate {}
