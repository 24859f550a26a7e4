import ContextEngine
import MachineCore

extension Scenario {
  /// A save that deletes rows before main has merged the save that inserted them.
  static let overtakingSave = Scenario(
    "overtaking-save", "A second save deletes rows before main has merged the first, and main's faults find nothing",
    group: .wrongData,
    sources: ["Kienle, In Defense of Core Data (Part I), 2013", "Fenwick, The Core Data stack of Hudl Technique"],
    symptoms: [.error(133000)],
    trouble: Side("the worker's did-save observer posts the merge to main, and the worker goes on") { bench in
      try run(bench) { main, _, merge in main.perform(merge) }
    },
    cure: Side("the worker's did-save observer waits until main has merged") { bench in
      try run(bench) { main, work, merge in
        work.end()
        main.performAndWait(merge)
      }
    })

  /// The work that holds main up until the worker has saved twice or waits for main.
  private final class OtherWork: Sendable {
    private let hasEnded = Guarded(false)

    func end() { hasEnded.withLock { $0 = true } }

    func run(_ bench: Bench) {
      while !hasEnded.withLock({ $0 }) { bench.wait(milliseconds: 1) }
    }
  }

  /// Saves 20 new notes and then their deletion, while main is held up. Main reads the notes of each merge.
  private static func run(
    _ bench: Bench,
    merging merge: @escaping @Sendable (ManagedObjectContext, OtherWork, @escaping @Sendable () -> Void) -> Void
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    let work = OtherWork()
    let token = worker.observeDidSave { save in
      merge(main, work) {
        main.mergeChanges(fromContextDidSave: save)
        for objectID in save.insertedIDs {
          let note = bench.attempt("reading a note of the merge") { try main.existingObject(with: objectID) }
          guard note != nil else { return }
        }
        bench.observe("new notes that main can read", save.insertedIDs.count)
      }
    }
    bench.begin()
    main.perform {
      bench.note("is held up by other work")
      work.run(bench)
    }
    worker.perform {
      bench.attempt("the worker's saves") {
        for key in 0..<20 { worker.insertNote(key) }
        try worker.save()
        for note in try worker.notes() { worker.delete(note) }
        bench.note("deletes the notes that it has saved")
        try worker.save()
      }
      work.end()
    }
    try bench.rest()
    token.cancel()
  }
}
