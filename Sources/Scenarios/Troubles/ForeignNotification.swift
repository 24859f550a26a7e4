import ContextEngine

extension Scenario {
  /// A merge of a did-save notification that comes from another coordinator on the same file.
  static let foreignNotification = Scenario(
    "foreign-notification", "A did-save notification of another coordinator does not bring main up to date",
    group: .wrongData, sources: ["Zarra, Core Data Threading Demystified, 2015"], symptoms: [.wrong(observation)],
    trouble: Side("main and the worker have a coordinator each; main merges the worker's did-save notification") {
      bench in
      try run(bench) { main, worker, show in
        worker.observeDidSave { save in
          main.perform {
            bench.note("merges the notification of the other coordinator")
            main.mergeChanges(fromContextDidSave: save)
            show()
          }
        }
      }
    },
    cure: Side("main and the worker have a coordinator each; main merges the history after remote changes") { bench in
      try run(bench) { main, _, show in try bench.mergeRemoteChanges(into: main, then: show) }
    })

  private static let observation = "title on the screen after the merge"

  /// Lets the worker change a note that main shows.
  private static func run(
    _ bench: Bench,
    merging merge: (ManagedObjectContext, ManagedObjectContext, @escaping @Sendable () -> Void) throws -> ObserverToken
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
    let token = try merge(main, worker) {
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
