import ContextEngine
import MachineCore

extension Scenario {
  /// A fetch that compares its predicate with every unsaved object of its context.
  static let unsavedParent = Scenario(
    "unsaved-parent", "10,000 unsaved objects in main make each of its fetches slow", group: .slowness,
    sources: ["Wikipedia for iOS, pull request 3027, 2019", "Iosoteric, How to really slow down a Core Data fetch"],
    published: """
      12.8 times with 10,000 unsaved objects, in a setting that is not known; 65 times with 28,720 on an iPad Air. The \
      ratio depends on the fetch.
      """,
    symptoms: [.slower(byKey, times: 5), .mainWork(.objectTested, atLeast: 20_000)],
    trouble: Side("a child of main has imported and saved 10,000 notes; main has not saved them") { bench in
      try run(bench, savesMain: false)
    },
    cure: Side("a child of main has imported and saved 10,000 notes; main has saved them too") { bench in
      try run(bench, savesMain: true)
    })

  private static let byKey = "fetch by the key, with an index"
  private static let byTitle = "fetch by the title, without an index"

  private static func run(_ bench: Bench, savesMain: Bool) throws {
    let main = try bench.makeMain()
    let child = bench.keep(ManagedObjectContext(.privateQueue, parent: main, name: "child"))
    try child.storeNotes(0..<10_000)
    if savesMain { try main.performAndWait { try main.save() } }
    bench.begin()
    main.perform {
      bench.attempt("the fetch") {
        let found = try bench.measure(byKey) { try main.notes(key: 7) }
        bench.observe("notes with the key", found.count, right: 1)
        let isSought = FetchPredicate.equal(main.noteEntity.path("title"), .string("Note 7"))
        let named = try bench.measure(byTitle) { try main.notes(where: isSought) }
        bench.observe("notes with the title", named.count, right: 1)
      }
    }
    try bench.rest()
  }
}
