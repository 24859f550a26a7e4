import ContextEngine

extension Scenario {
  /// A deadlock between the main thread, which waits for a child, and the child, whose save waits for main.
  static let waitForChildSave = Scenario(
    "wait-for-child-save", "Main waits for a child with performAndWait while the child saves into main", group: .stop,
    sources: ["Apple, WWDC 2012, session 214", "Zarra, Core Data Threading Demystified, 2015"],
    symptoms: [.deadlock],
    trouble: Side("a private child of main saves; main calls performAndWait on the child") { bench in
      try run(bench) { child in
        bench.note("calls performAndWait on child")
        child.performAndWait { count(in: child, bench) }
      }
    },
    cure: Side("a private child of main saves; main calls perform on the child and goes on") { bench in
      try run(bench) { child in
        bench.note("calls perform on child")
        child.perform { count(in: child, bench) }
      }
    })

  private static func count(in child: ManagedObjectContext, _ bench: Bench) {
    bench.observe("unsaved notes of the child", child.insertedObjects.count)
  }

  /// Lets a child save 200 notes, and lets main ask the child something while the child prepares the save.
  private static func run(
    _ bench: Bench, asking ask: @escaping @Sendable (ManagedObjectContext) -> Void
  ) throws {
    let main = try bench.makeMain()
    let child = bench.keep(ManagedObjectContext(.privateQueue, parent: main, name: "child"))
    bench.begin()
    child.perform {
      for key in 0..<200 { child.insertNote(key) }
      // Main asks before the child's changes are copied into it.
      main.perform { ask(child) }
      bench.attempt("the child's save") { try child.save() }
    }
    try bench.rest()
  }
}
