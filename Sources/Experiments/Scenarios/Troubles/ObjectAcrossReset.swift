import ContextEngine

extension Scenario {
  /// An object that a screen holds and reads after the reset of its context.
  static let objectAcrossReset = Scenario(
    "object-across-reset", "A screen reads an object that it has held since before its context's reset", group: .stop,
    sources: ["Stojanovic and a colleague, Concurrency with CoreData", "Apple, NSManagedObjectContext, reset"],
    symptoms: [.trap(containing: "reset")],
    trouble: Side("the screen keeps the object and reads its title after the reset") { bench in
      try run(bench) { main, note in
        main.reset()
        bench.note("reads the title of the object that it holds")
        return note.title
      }
    },
    cure: Side("the screen keeps the object's ID and looks the object up again after the reset") { bench in
      try run(bench) { main, note in
        let objectID = note.objectID
        main.reset()
        bench.note("looks \(Notes.name(objectID)) up again")
        return try main.existingObject(with: objectID).title
      }
    })

  private static func run(
    _ bench: Bench, reading read: @escaping @Sendable (ManagedObjectContext, ManagedObject) throws -> String
  ) throws {
    let main = try bench.makeMain()
    try main.storeNotes(0..<3)
    bench.begin()
    main.perform {
      bench.attempt("the screen's read") {
        guard let note = try main.notes(key: 1).first else { return }
        bench.note("shows “\(note.title)”, and resets main")
        bench.observe("title after the reset", "“\(try read(main, note))”", right: "“Note 1”")
      }
    }
    try bench.rest()
  }
}
