import ContextEngine

extension Scenario {
  /// Fetches by key of objects that the context already has registered, which read the store each time.
  static let fetchesKnownObjects = Scenario(
    "fetches-known-objects", "Main fetches objects that it has already, and each fetch reads the store",
    group: .slowness,
    sources: ["Kienle, In Defense of Core Data (Part I), 2013", "Apple, Core Data Performance"],
    symptoms: [.mainStatements(atLeast: noteCount)],
    trouble: Side("main has 500 notes and fetches each of them by its key") { bench in
      try run(bench) { main, objectIDs in
        try objectIDs.indices.map { try main.notes(key: $0).first }
      }
    },
    cure: Side("main has 500 notes and looks each of them up by its object ID") { bench in
      try run(bench) { main, objectIDs in
        objectIDs.map { main.registeredObject(for: $0) }
      }
    })

  private static let noteCount = 500
  private static let reading = "reading the titles of 500 notes"

  /// Lets main read the titles of notes that it has.
  private static func run(
    _ bench: Bench,
    finding find: @escaping @Sendable (ManagedObjectContext, [ObjectID]) throws -> [ManagedObject?]
  ) throws {
    let main = try bench.makeMain()
    try main.storeNotes(0..<noteCount)
    // The list keeps the objects registered, as a list on screen does.
    let list = try main.performAndWait {
      let notes = try main.notes()
      for note in notes { try note.fulfillFault() }
      return notes
    }
    bench.begin()
    main.perform {
      bench.attempt("the look-up") {
        let titles = try bench.measure(reading) {
          try find(main, list.map(\.objectID)).compactMap { $0?.title }
        }
        bench.observe("notes that were found", titles.count, right: noteCount)
      }
    }
    try bench.rest()
    withExtendedLifetime(list) {}
  }
}
