import ContextEngine
import MachineCore

extension Scenario {
  /// A deadlock that depends on the instants of taps: main waits for the worker, whose observer waits for main.
  static let stopsSometimes = Scenario(
    "stops-sometimes", "Contexts side by side work nearly always, and sometimes the app just stops", group: .stop,
    sources: ["Zarra, Core Data Threading Demystified, 2015"],
    published: "An app with this wiring works 99 % of the time, and stops in the other 1 %.",
    symptoms: [.deadlock], seed: 4,
    trouble: Side(
      "the worker's did-save observer calls performAndWait on main; taps on main call performAndWait on the worker"
    ) { bench in
      try run(bench) { main, save in main.performAndWait { main.mergeChanges(fromContextDidSave: save) } }
    },
    cure: Side(
      "the worker's did-save observer calls perform on main; taps on main call performAndWait on the worker"
    ) { bench in
      try run(bench) { main, save in main.perform { main.mergeChanges(fromContextDidSave: save) } }
    })

  private static let payloadCount = 10
  private static let payloadSize = 100
  private static let tapCount = 5

  /// Imports a payload every 100 ms. Main gets taps at instants that follow from the seed.
  private static func run(
    _ bench: Bench, merging merge: @escaping @Sendable (ManagedObjectContext, SaveNotification) -> Void
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    let token = worker.observeDidSave { merge(main, $0) }
    var random = bench.random(for: "taps")
    let taps = (0..<tapCount).map { _ in random.below(payloadCount * 100_000) }
    bench.begin()
    let start = bench.machine.now
    for payload in 0..<payloadCount {
      worker.perform(at: start + .milliseconds(Int64(payload) * 100)) {
        for key in 0..<payloadSize { worker.insertNote(payload * payloadSize + key) }
        bench.attempt("the worker's save") { try worker.save() }
      }
    }
    for tap in taps {
      main.perform(at: start + .microseconds(Int64(tap))) {
        bench.note("handles a tap and calls performAndWait on worker")
        worker.performAndWait { bench.attempt("the count") { _ = try worker.count(for: worker.noteRequest()) } }
      }
    }
    try bench.rest()
    token.cancel()
    try main.performAndWait {
      bench.observe("notes in main", try main.notes().count, right: payloadCount * payloadSize)
    }
  }
}
