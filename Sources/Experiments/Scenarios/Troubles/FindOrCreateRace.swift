import ContextEngine
import MachineCore

extension Scenario {
  /// Two workers that look for the same key at the same time and both insert it.
  static let findOrCreateRace = Scenario(
    "find-or-create-race", "Two workers look for a key at the same time, find nothing, and both insert it",
    group: .wrongData,
    sources: ["Apple, Implementing Find-or-Create Efficiently", "Apple, WWDC 2015, session 220"],
    symptoms: [.wrong(observation)],
    trouble: Side("two workers on one coordinator find or create; the key has no uniqueness constraint") { bench in
      try run(on: bench, model: Notes.model)
    },
    cure: Side("the key has a uniqueness constraint, and both workers have the object-trump policy") { bench in
      try run(on: bench, model: Notes.uniqueModel)
    })

  private static let observation = "stored notes with the key 7"

  private static func run(on bench: Bench, model: ManagedObjectModel) throws {
    let coordinator = try bench.makeCoordinator(model)
    let workers = ["first worker", "second worker"].map {
      bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: $0))
    }
    let looked = Guarded(0)
    bench.begin()
    for worker in workers {
      worker.perform {
        worker.mergePolicy = .objectTrump
        bench.attempt("the fetch of the \(worker.name)") {
          guard try worker.notes(key: 7).isEmpty else { return }
          bench.note("finds no note with the key 7, and asks the server for it")
        }
        let haveAllLooked = looked.withLock { looked in
          looked += 1
          return looked == workers.count
        }
        if haveAllLooked { for worker in workers { insert(into: worker, bench) } }
      }
    }
    try bench.rest()
    let reader = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "reader"))
    try reader.performAndWait { bench.observe(observation, try reader.notes(key: 7).count, right: 1) }
  }

  /// Lets a worker insert a note when the server answers.
  private static func insert(into worker: ManagedObjectContext, _ bench: Bench) {
    worker.perform {
      bench.note("inserts a note with the key 7")
      worker.insertNote(7, title: "from the \(worker.name)")
      bench.attempt("the save of the \(worker.name)") { try worker.save() }
    }
  }
}
