import ContextEngine

extension Scenario {
  /// A coordinator whose row cache still has the values from before another coordinator's save.
  static let staleCoordinator = Scenario(
    "stale-coordinator", "A coordinator shows cached rows that another one on the same file has changed",
    group: .wrongData,
    sources: [
      "Zarra, Core Data Threading Demystified, 2015", "objc.io, Importing Large Data Sets into Core Data, 2013",
    ],
    symptoms: [.wrong(observation)],
    trouble: Side("main and the worker have a coordinator each; main turns its note into a fault and reads it again") {
      bench in
      try run(bench) { main, worker, show in worker.observeDidSave { _ in main.perform(show) } }
    },
    cure: Side("main and the worker have a coordinator each; main merges the history after remote changes first") {
      bench in
      try run(bench) { main, _, show in try bench.mergeRemoteChanges(into: main, then: show) }
    })

  private static let observation = "title after the refresh"

  /// Lets the worker change a note that main has read, and main refresh it after the save.
  private static func run(
    _ bench: Bench,
    following follow: (ManagedObjectContext, ManagedObjectContext, @escaping @Sendable () -> Void) throws ->
      ObserverToken
  ) throws {
    let own = try bench.makeCoordinator(usesLog: true, keepsHistory: true)
    let other = try bench.makeCoordinator(usesLog: true, keepsHistory: true)
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: own, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: other, name: "worker"))
    try worker.storeNotes(0..<1)
    let shown = try main.performAndWait {
      let notes = try main.notes()
      bench.observe("title on the screen before", "“\(notes.map(\.title).joined())”")
      return notes
    }
    let token = try follow(main, worker) {
      bench.note("turns the note into a fault and reads its title")
      bench.attempt("the refresh") { try main.refreshAllObjects() }
      bench.observe(observation, "“\(shown.map(\.title).joined())”", right: "“from the worker”")
    }
    bench.begin()
    worker.perform {
      bench.attempt("the worker's save") {
        try worker.notes(key: 0).first?["title"] = .string("from the worker")
        bench.note("sets the title to “from the worker”")
        try worker.save()
      }
    }
    try bench.rest()
    token.cancel()
  }
}
