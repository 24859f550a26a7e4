import ContextEngine

extension Scenario {
  /// A temporary ID that one context passes to another, where it does not find the object.
  static let temporaryID = Scenario(
    "temporary-id", "An ID that was taken before the save does not find the object in another context",
    group: .wrongData,
    sources: ["Anderson, Teaching Core Data to dance with threads", "MagicalRecord, issue 246"],
    symptoms: [.error(133000)],
    trouble: Side("the worker passes the new object's ID to main before it saves") { bench in
      try run(bench) { _, _ in }
    },
    cure: Side("the worker calls obtainPermanentIDs before it passes the ID to main") { bench in
      try run(bench) { worker, note in
        bench.note("calls obtainPermanentIDs")
        bench.attempt("obtaining a permanent ID") { try worker.obtainPermanentIDs(for: [note]) }
      }
    })

  /// Inserts a note in a worker, passes its ID to main, saves, and lets main look for the ID.
  private static func run(
    _ bench: Bench, preparing prepare: @escaping @Sendable (ManagedObjectContext, ManagedObject) -> Void
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    bench.begin()
    worker.perform {
      let note = worker.insertNote(7, title: "a new note")
      prepare(worker, note)
      let objectID = note.objectID
      bench.note("takes the ID \(Notes.name(objectID))")
      bench.attempt("the worker's save") { try worker.save() }
      main.perform {
        bench.attempt("main's look-up of \(Notes.name(objectID))") {
          let found = try main.existingObject(with: objectID)
          bench.observe("title of the object in main", found.title)
        }
      }
    }
    try bench.rest()
  }
}
