import ContextEngine

extension Scenario {
  /// A merge that reads rows on the main thread and waits there until a worker's next save releases the store.
  static let mergeWaitsForStore = Scenario(
    "merge-waits-for-store", "Main merges one save and waits for the store, which the next save has", group: .slowness,
    sources: ["objc.io, Importing Large Data Sets into Core Data, 2013", "CoreStore, issue 149, 2017"],
    symptoms: [.mainWaits(longerThan: .milliseconds(1))],
    trouble: Side("the coordinator has one connection, which saves and main's merge share") { bench in
      try run(bench, connections: 1)
    },
    cure: Side("the coordinator has several connections, so that main reads while others write") { bench in
      try run(bench, connections: 4)
    })

  /// Saves 400 changed notes while an importer saves 1,000 new ones again and again. Main merges the first save by its
  /// IDs, which meets one of the importer's saves.
  private static func run(_ bench: Bench, connections: Int) throws {
    let coordinator = try bench.makeCoordinator(connections: connections)
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker"))
    let importer = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "importer"))
    try worker.storeNotes(0..<400)
    let shown = try main.performAndWait { try main.notes() }
    let token = worker.observeDidSave { save in
      let changes: [ChangedObjectIDsKey: [ObjectID]] = [.updated: save.updatedIDs]
      main.perform {
        bench.note("merges the IDs of the worker's save")
        bench.attempt("the merge") {
          try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [main])
        }
      }
    }
    bench.begin()
    importer.perform {
      for part in 0..<4 {
        for key in 0..<1_000 { importer.insertNote(400 + part * 1_000 + key) }
        bench.attempt("the importer's save") { try importer.save() }
      }
    }
    worker.perform {
      bench.attempt("the worker's save") {
        for note in try worker.notes() { note["stars"] = .integer(1) }
        try worker.save()
      }
    }
    try bench.rest()
    token.cancel()
    main.performAndWait { bench.observe("merged notes in main", shown.count { $0["stars"] == .integer(1) }) }
  }
}
