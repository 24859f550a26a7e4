import ContextEngine
import Foundation
import MachineCore
import Reporting

extension Scenario {
  /// A feed that the main thread decodes before a worker imports it.
  static let decodeOnMain = Scenario(
    "decode-on-main", "The main thread decodes a feed that a worker imports", group: .slowness,
    sources: ["Zarra, Core Data Threading Demystified, 2015", "objc.io, Common Background Practices, 2013"],
    symptoms: [.mainBlocked(longerThan: .milliseconds(33)), .mainWork(.recordDecoded, atLeast: noteCount)],
    trouble: Side("the answer of the network is decoded in a block of the main queue") { bench in
      try run(bench, on: bench.machine.mainQueue)
    },
    cure: Side("the answer of the network is decoded on the network's queue") { bench in
      try run(bench, on: bench.machine.makeSerialQueue(label: "network"))
    })

  private static let noteCount = 20_000

  /// A record of the feed.
  private struct Record: Codable, Sendable {
    var key: Int
    var title: String
  }

  private static func run(_ bench: Bench, on queue: any SerialQueue) throws {
    let coordinator = try bench.makeCoordinator()
    let worker = bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker"))
    let feed = try JSONEncoder().encode((0..<noteCount).map { Record(key: $0, title: "Note \($0) of the feed") })
    bench.begin()
    queue.async {
      bench.attempt("decoding") {
        let records = try JSONDecoder().decode([Record].self, from: feed)
        bench.machine.account(Work(.recordDecoded, count: records.count, bytes: feed.count))
        bench.note("decodes \(CountText.of(records.count, "record"))")
        worker.perform {
          for record in records { worker.insertNote(record.key, title: record.title) }
          bench.attempt("the worker's save") { try worker.save() }
        }
      }
    }
    try bench.rest()
    try worker.performAndWait {
      worker.reset()
      bench.observe(
        "stored notes", CountText.grouped(try worker.count(for: worker.noteRequest())),
        right: CountText.grouped(noteCount))
    }
  }
}
