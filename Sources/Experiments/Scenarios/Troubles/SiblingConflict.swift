import ContextEngine

extension Scenario {
  /// A save that fails because another context has saved the same object since.
  static let siblingConflict = Scenario(
    "sibling-conflict", "A save fails with 133020 because a sibling has saved the same object", group: .wrongData,
    sources: ["Anderson, Teaching Core Data to dance with threads", "Apple, Change Management"],
    symptoms: [.error(133020)],
    trouble: Side("two siblings on one coordinator change the same note; both have the error policy") { bench in
      try run(bench, policies: [.error])
    },
    cure: Side("the second sibling has another merge policy: each of the four, on a note of its own") { bench in
      try run(bench, policies: [.storeTrump, .objectTrump, .overwrite, .rollback])
    })

  /// Lets two contexts change the same notes, one note for each policy of the second context.
  private static func run(_ bench: Bench, policies: [MergePolicy]) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    try worker.storeNotes(0..<policies.count)
    bench.begin()
    for (key, policy) in policies.enumerated() {
      main.perform {
        bench.attempt("main's fetch") {
          guard let note = try main.notes(key: key).first else { return }
          note["title"] = .string("from main")
          note["stars"] = .integer(5)
          bench.note("sets the title and the stars")
          worker.performAndWait {
            bench.attempt("the worker's save") {
              try worker.notes(key: key).first?["title"] = .string("from the worker")
              bench.note("sets the title")
              try worker.save()
            }
          }
          main.mergePolicy = policy
          bench.attempt("main's save with the policy \(policy.rawValue)") { try main.save() }
          main.rollback()
        }
      }
      main.perform { report(key, policy: policy, main: main, on: bench) }
    }
    try bench.rest()
  }

  private static func report(_ key: Int, policy: MergePolicy, main: ManagedObjectContext, on bench: Bench) {
    main.reset()
    bench.attempt("main's fetch") {
      guard let note = try main.notes(key: key).first else { return }
      let stars = note.integer(at: main.noteEntity.path("stars")) ?? 0
      bench.observe("the stored note with the policy \(policy.rawValue)", "title “\(note.title)”, \(stars) stars")
    }
  }
}
