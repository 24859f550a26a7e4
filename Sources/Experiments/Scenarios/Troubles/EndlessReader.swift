import ContextEngine
import Foundation
import Reporting

extension Scenario {
  /// A reader that keeps an old state of the store, so that the write-ahead log cannot be reused.
  static let endlessReader = Scenario(
    "endless-reader", "A context that stays pinned to an old state lets the write-ahead log grow without bound",
    group: .slowness,
    sources: ["SQLite, Write-Ahead Logging, Avoiding Excessively Large WAL Files", "Apple, WWDC 2016, session 242"],
    symptoms: [.wrong(observation)],
    trouble: Side("main is pinned to a query generation during the whole import") { bench in
      try run(bench, staysPinned: true)
    },
    cure: Side("main is pinned for its fetch and then gives the query generation up") { bench in
      try run(bench, staysPinned: false)
    })

  private static let observation = "write-ahead log after the import"

  /// Lets main read in a query generation. Then a worker saves 150 times 200 notes.
  private static func run(_ bench: Bench, staysPinned: Bool) throws {
    let coordinator = try bench.makeCoordinator(connections: 4, usesLog: true)
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker"))
    try worker.storeNotes(0..<10)
    bench.begin()
    main.perform {
      bench.attempt("the fetch in a query generation") {
        try main.setQueryGeneration(from: .current)
        bench.note("pins itself to the current query generation")
        _ = try main.notes()
        if !staysPinned {
          try main.setQueryGeneration(from: nil)
          bench.note("gives the query generation up")
        }
      }
      worker.perform {
        for part in 0..<150 {
          for key in 0..<200 { worker.insertNote(10 + part * 200 + key) }
          bench.attempt("the worker's save") { try worker.save() }
          worker.reset()
        }
      }
    }
    try bench.rest()
    try main.performAndWait { bench.observe("notes that main reads", CountText.grouped(try main.notes().count)) }
    let attributes = try FileManager.default.attributesOfItem(atPath: bench.storePath + "-wal")
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    let limit = "less than 8 MB"
    bench.observe(observation, size < 8_000_000 ? limit : "\(size / 1_000_000) MB", right: limit)
  }
}
