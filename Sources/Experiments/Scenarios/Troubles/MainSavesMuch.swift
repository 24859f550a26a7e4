import ContextEngine
import MachineCore
import Reporting

extension Scenario {
  /// A save of many objects in a main context, which pushes them to the root on the main thread.
  static let mainSavesMuch = Scenario(
    "main-saves-much", "Main saves 15,000 objects into a private root, which keeps the main thread busy",
    group: .slowness, sources: ["Stojanovic and a colleague, Concurrency with CoreData"],
    symptoms: [.mainBlocked(longerThan: .milliseconds(33)), .mainWork(.objectPushed, atLeast: noteCount)],
    trouble: Side("main, a child of the private root, changes 15,000 notes and saves") { bench in
      try run(bench) { main, _, notes in
        change(notes, in: main, bench)
        bench.attempt("main's save") { try main.save() }
      }
    },
    cure: Side("main changes 10 notes and saves; a worker, another child of the private root, changes the others") {
      bench in
      try run(bench) { main, worker, notes in
        worker.perform {
          bench.attempt("the worker's save") {
            change(Array(try worker.notes().dropFirst(10)), in: worker, bench)
            try worker.save()
          }
        }
        change(Array(notes.prefix(10)), in: main, bench)
        bench.attempt("main's save") { try main.save() }
      }
    })

  private static let noteCount = 15_000

  private static func change(_ notes: [ManagedObject], in context: ManagedObjectContext, _ bench: Bench) {
    bench.note("changes \(CountText.of(notes.count, "note"))")
    for note in notes { note["stars"] = .integer(5) }
  }

  /// Gives 15,000 notes five stars, in a block of main.
  private static func run(
    _ bench: Bench,
    saving save: @escaping @Sendable (ManagedObjectContext, ManagedObjectContext, [ManagedObject]) -> Void
  ) throws {
    let coordinator = try bench.makeCoordinator()
    let root = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root"))
    let main = bench.keep(ManagedObjectContext(.mainQueue, parent: root, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, parent: root, name: "worker"))
    try root.storeNotes(0..<noteCount)
    let notes = try main.performAndWait {
      let notes = try main.notes()
      for note in notes { try note.fulfillFault() }
      return notes
    }
    bench.begin()
    main.perform { save(main, worker, notes) }
    try bench.rest()
    try root.performAndWait {
      try root.save()
      root.reset()
      let stars = FetchPredicate.equal(root.noteEntity.path("stars"), .integer(5))
      bench.observe(
        "stored notes with five stars", CountText.grouped(try root.count(for: root.noteRequest(where: stars))),
        right: CountText.grouped(noteCount))
    }
  }
}
