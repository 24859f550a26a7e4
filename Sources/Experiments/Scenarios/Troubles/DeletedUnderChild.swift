import ContextEngine

extension Scenario {
  /// A child that fires faults of objects whose deletion its parent has saved.
  static let deletedUnderChild = Scenario(
    "deleted-under-child", "A child fires a fault of an object that another child has deleted", group: .wrongData,
    sources: [
      "Kienle, In Defense of Core Data (Part I), 2013", "Fenwick, The Core Data stack of Hudl Technique",
      "Apple, WWDC 2015, session 220",
    ],
    symptoms: [.error(133000), .wrong(observation)],
    trouble: Side(
      "a child of the private root keeps faults; it fires one with shouldDeleteInaccessibleFaults off and "
        + "one with it on"
    ) { bench in
      try run(bench) { screen, notes in
        screen.shouldDeleteInaccessibleFaults = false
        bench.attempt("the fault of \(Notes.name(notes[0].objectID))") { try notes[0].fulfillFault() }
        screen.shouldDeleteInaccessibleFaults = true
        return notes[1].title
      }
    },
    cure: Side("the screen gets a new child of the private root for each use, and fetches what is left") { bench in
      try run(bench) { screen, _ in
        guard let root = screen.parent else { return nil }
        let fresh = bench.keep(ManagedObjectContext(.mainQueue, parent: root, name: "fresh"))
        bench.note("makes a new child and fetches")
        return try fresh.notes(key: 1).first?.title
      }
    })

  private static let observation = "title of the deleted note on the screen"

  /// Deletes two notes in one child and saves them in the root, while another child has them as faults.
  private static func run(
    _ bench: Bench,
    reading read: @escaping @Sendable (ManagedObjectContext, [ManagedObject]) throws -> String?
  ) throws {
    let coordinator = try bench.makeCoordinator()
    let root = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root"))
    let screen = bench.keep(ManagedObjectContext(.mainQueue, parent: root, name: "screen"))
    let sync = bench.keep(ManagedObjectContext(.privateQueue, parent: root, name: "sync"))
    try root.storeNotes(0..<2)
    let faults = try screen.performAndWait { try screen.notes() }
    let notes = try sync.performAndWait { try sync.notes() }
    sync.performAndWait { bench.observe("titles in sync before", notes.map(\.title).joined(separator: ", ")) }
    bench.begin()
    sync.perform {
      bench.attempt("the save of sync") {
        for note in notes { sync.delete(note) }
        bench.note("deletes both notes")
        try sync.save()
      }
      root.perform {
        bench.attempt("root's save") { try root.save() }
        screen.perform {
          bench.attempt("the screen's read") {
            bench.observe(observation, try read(screen, faults).map { "“\($0)”" } ?? "no note", right: "no note")
          }
        }
      }
    }
    try bench.rest()
  }
}
