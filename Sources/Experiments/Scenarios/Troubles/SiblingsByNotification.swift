import ContextEngine

extension Scenario {
  /// A merge into a sibling on the thread that posts the did-save notification, which is not the sibling's.
  static let siblingsByNotification = Scenario(
    "siblings-by-notification", "A save notification is merged into a sibling on the saving thread", group: .stop,
    sources: ["Zarra, Core Data Threading Demystified, 2015", "Apple, WWDC 2014, session 225"],
    symptoms: [.trap(containing: "was used on")],
    trouble: Side("the observer of the worker's did-save notification merges into main at once") { bench in
      try run(bench) { main, save in
        bench.note("merges into main")
        main.mergeChanges(fromContextDidSave: save)
      }
    },
    cure: Side("the observer of the worker's did-save notification posts the merge to main") { bench in
      try run(bench) { main, save in main.perform { main.mergeChanges(fromContextDidSave: save) } }
    })

  private static func run(
    _ bench: Bench, sharing share: @escaping @Sendable (ManagedObjectContext, SaveNotification) -> Void
  ) throws {
    let coordinator = try bench.makeCoordinator(checksConcurrency: true)
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker"))
    let token = worker.observeDidSave { share(main, $0) }
    bench.begin()
    worker.perform {
      for key in 0..<20 { worker.insertNote(key) }
      bench.attempt("the worker's save") { try worker.save() }
    }
    try bench.rest()
    token.cancel()
    try main.performAndWait { bench.observe("notes in main", try main.notes().count, right: 20) }
  }
}
