import ContextEngine

extension Scenario {
  /// A deadlock between a list's first fetch, which needs the worker's queue, and the worker, which waits for main.
  static let controllerFirstFetch = Scenario(
    "controller-first-fetch", "A list's first fetch on main meets a worker whose save waits for main", group: .stop,
    sources: ["MagicalRecord, issues 316 and 377", "Apple, WWDC 2012, session 214"],
    symptoms: [.deadlock],
    trouble: Side("main is a child of the saving root; root's did-save observer calls performAndWait on main") {
      bench in
      try run(bench) { main, save in main.performAndWait { main.mergeChanges(fromContextDidSave: save) } }
    },
    cure: Side("main is a child of the saving root; root's did-save observer calls perform on main") { bench in
      try run(bench) { main, save in main.perform { main.mergeChanges(fromContextDidSave: save) } }
    })

  /// Saves an import in the root, and fetches a list on main while the save is under way.
  private static func run(
    _ bench: Bench, merging merge: @escaping @Sendable (ManagedObjectContext, SaveNotification) -> Void
  ) throws {
    let coordinator = try bench.makeCoordinator()
    let root = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root"))
    let main = bench.keep(ManagedObjectContext(.mainQueue, parent: root, name: "main"))
    try root.storeNotes(0..<40)
    let token = root.observeDidSave { merge(main, $0) }
    bench.begin()
    root.perform {
      for key in 40..<240 { root.insertNote(key) }
      main.perform {
        let list = FetchedResultsController(fetchRequest: main.noteRequest(), managedObjectContext: main)
        bench.note("calls performFetch of the list")
        bench.attempt("the list's first fetch") { try list.performFetch() }
        bench.observe("notes in the list", list.fetchedObjects?.count ?? 0)
      }
      bench.attempt("root's save") { try root.save() }
    }
    try bench.rest()
    token.cancel()
  }
}
