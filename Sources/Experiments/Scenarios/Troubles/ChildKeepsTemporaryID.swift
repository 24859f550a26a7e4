import ContextEngine

extension Scenario {
  /// An ID that is still temporary after a save, because the context that saved is a child.
  static let childKeepsTemporaryID = Scenario(
    "child-keeps-temporary-id", "An ID that was taken after a child's save does not find the object elsewhere",
    group: .wrongData,
    sources: ["Anderson, Teaching Core Data to dance with threads", "Apple, NSManagedObjectContext, save"],
    symptoms: [.error(133000), .wrong(observation)],
    trouble: Side("the editor is a child of main; its save copies the new object into main only") { bench in
      try run(bench) { _, main in ManagedObjectContext(.privateQueue, parent: main, name: "editor") }
    },
    cure: Side("the editor is on the coordinator; its save gives the new object a permanent ID") { bench in
      try run(bench) { coordinator, _ in
        ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "editor")
      }
    })

  private static let observation = "ID after the editor's save"

  /// Saves a new note in an editor, and passes the ID that it has then to a worker on the coordinator.
  private static func run(
    _ bench: Bench, making make: (PersistentStoreCoordinator, ManagedObjectContext) -> ManagedObjectContext
  ) throws {
    let coordinator = try bench.makeCoordinator()
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker"))
    let editor = bench.keep(make(coordinator, main))
    bench.begin()
    editor.perform {
      let note = editor.insertNote(7, title: "a new note")
      bench.attempt("the editor's save") { try editor.save() }
      let objectID = note.objectID
      bench.note("takes the ID \(Notes.name(objectID))")
      bench.observe(observation, objectID.isTemporaryID ? "temporary" : "permanent", right: "permanent")
      worker.perform {
        bench.attempt("the worker's look-up of \(Notes.name(objectID))") {
          bench.observe("title of the object in the worker", try worker.existingObject(with: objectID).title)
        }
      }
    }
    try bench.rest()
  }
}
