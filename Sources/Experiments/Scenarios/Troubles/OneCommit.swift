import ContextEngine
import Reporting

extension Scenario {
  /// An import in one save, which keeps every other writer waiting until its commit.
  static let oneCommit = Scenario(
    "one-commit", "An import of 30,000 rows in one commit keeps a user's edit waiting", group: .slowness,
    sources: [
      "Cocoa with Love, Testing Core Data with very big hundred megabyte data sets, 2008",
      "Apple, WWDC 2010, session 137",
    ],
    symptoms: [.slower(measure, times: 3)],
    trouble: Side("a worker inserts 30,000 notes and saves once; main edits and saves meanwhile") { bench in
      try run(bench, saveEvery: 30_000)
    },
    cure: Side("a worker inserts 30,000 notes and saves every 500; main edits and saves meanwhile") { bench in
      try run(bench, saveEvery: 500)
    })

  private static let measure = "longest edit of main"

  /// Imports 30,000 notes. Main edits a note whenever the worker begins a save.
  private static func run(_ bench: Bench, saveEvery unit: Int) throws {
    let (main, worker) = try bench.makeMainAndWorker()
    try worker.storeNotes(0..<1)
    let token = worker.observeWillSave { _ in
      main.perform {
        bench.attempt("the save of an edit") {
          try bench.measure(measure) {
            for note in try main.notes(key: 0) { note["isDone"] = .boolean(note["isDone"] != .boolean(true)) }
            try main.save()
          }
        }
      }
    }
    bench.begin()
    worker.perform {
      bench.note("inserts 30,000 notes, and saves after every \(CountText.grouped(unit))")
      for start in stride(from: 1, to: 30_001, by: unit) {
        for key in start..<start + unit { worker.insertNote(key) }
        bench.attempt("the worker's save") { try worker.save() }
        worker.reset()
      }
    }
    try bench.rest()
    token.cancel()
  }
}
