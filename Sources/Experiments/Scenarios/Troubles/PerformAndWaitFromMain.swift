import ContextEngine
import MachineCore
import Reporting

extension Scenario {
  /// An import in a background context that runs on the main thread, because main waits for it.
  static let performAndWaitFromMain = Scenario(
    "perform-and-wait-from-main", "Main calls performAndWait on a background context, whose import runs on main",
    group: .slowness, sources: ["Anderson, Teaching Core Data to dance with threads", "Apple, WWDC 2012, session 214"],
    symptoms: [.mainBlocked(longerThan: .milliseconds(33)), .mainStatements(atLeast: 1)],
    trouble: Side("main calls performAndWait on the worker for the import") { bench in
      try run(bench) { worker, body in
        bench.note("calls performAndWait on worker")
        worker.performAndWait(body)
      }
    },
    cure: Side("main calls perform on the worker for the import") { bench in
      try run(bench) { worker, body in
        bench.note("calls perform on worker")
        worker.perform(body)
      }
    })

  private static let noteCount = 5_000

  /// Lets main begin an import in a worker.
  private static func run(
    _ bench: Bench,
    performing perform: @escaping @Sendable (ManagedObjectContext, @escaping @Sendable () -> Void) -> Void
  ) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    bench.begin()
    main.perform {
      perform(worker) {
        for key in 0..<noteCount { worker.insertNote(key) }
        bench.attempt("the worker's save") { try worker.save() }
      }
    }
    try bench.rest()
    try main.performAndWait {
      bench.observe(
        "stored notes", CountText.grouped(try main.count(for: main.noteRequest())), right: CountText.grouped(noteCount))
    }
  }
}
