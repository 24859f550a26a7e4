import ContextEngine
import MachineCore

extension Scenario {
  /// A list whose batch size is ignored, because its context is the child of another.
  static let childBatchSize = Scenario(
    "child-batch-size", "A list's batch size has no effect in a child context, which reads every row at once",
    group: .slowness,
    sources: ["Fenwick, The Core Data stack of Hudl Technique", "Open Radar 18332905"],
    symptoms: [.slower(measure, times: 3), .mainWork(.objectRegistered, atLeast: 10_000)],
    trouble: Side("main is the child of a private root; its list asks for batches of 20") { bench in
      let coordinator = try bench.makeCoordinator()
      let root = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root"))
      try show(bench.keep(ManagedObjectContext(.mainQueue, parent: root, name: "main")), on: bench)
    },
    cure: Side("main is on the coordinator; its list asks for batches of 20") { bench in
      let coordinator = try bench.makeCoordinator()
      try show(bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main")), on: bench)
    })

  private static let measure = "first screen of the list"

  /// Fetches a list of 10,000 notes and reads the 12 titles of the first screen.
  private static func show(_ main: ManagedObjectContext, on bench: Bench) throws {
    let seeding = bench.keep(ManagedObjectContext(.privateQueue, coordinator: main.coordinator, name: "seeding"))
    try seeding.storeNotes(0..<10_000)
    bench.begin()
    main.perform {
      bench.attempt("the fetch") {
        try bench.measure(measure) {
          var request = main.noteRequest()
          request.fetchBatchSize = 20
          let notes = try main.fetch(request)
          let titles = (0..<12).map { notes[$0].title }
          bench.observe("titles on the screen", titles.count)
        }
      }
    }
    try bench.rest()
  }
}
