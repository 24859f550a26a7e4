import ContextEngine
import MachineCore

extension Scenario {
  /// A fetch that compares its predicate with every unsaved object of its context.
  static let unsavedParent = Scenario(
    "unsaved-parent", "10,000 unsaved objects in main make each of its fetches slow",
    sources: ["Wikipedia for iOS, pull request 3027, 2019", "Iosoteric, How to really slow down a Core Data fetch"],
    symptoms: [.slower(measure, times: 5), .mainWork(.objectTested, atLeast: 10_000)],
    trouble: Side("a child of main has imported and saved 10,000 notes; main has not saved them") { bench in
      try run(bench, savesMain: false)
    },
    cure: Side("a child of main has imported and saved 10,000 notes; main has saved them too") { bench in
      try run(bench, savesMain: true)
    })

  private static let measure = "fetch of one note by its key"

  private static func run(_ bench: Bench, savesMain: Bool) throws {
    let coordinator = try bench.makeCoordinator()
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let child = bench.keep(ManagedObjectContext(.privateQueue, parent: main, name: "child"))
    try child.storeNotes(0..<10_000)
    if savesMain { try main.performAndWait { try main.save() } }
    bench.begin()
    main.perform {
      bench.attempt("the fetch") {
        let found = try bench.measure(measure) { try main.notes(key: 7) }
        bench.observe("matching notes", found.count, right: 1)
      }
    }
    try bench.rest()
  }
}
