import ContextEngine
import MachineCore

extension Scenario {
  /// A context that is guarded by a lock and used on another thread than that of its queue.
  static let lockIsNoQueue = Scenario(
    "lock-is-no-queue", "A lock around a context does not replace its queue", group: .stop,
    sources: ["Zarra, Core Data Threading Demystified, 2015", "Apple, WWDC 2014, session 225"],
    symptoms: [.trap(containing: "was used on")],
    trouble: Side("a worker thread takes a lock and uses the main context") { bench in
      try run(bench) { context, lock, key in
        lock.withLock {
          bench.note("inserts a note into main, with the lock held")
          context.insertNote(key)
        }
      }
    },
    cure: Side("a worker thread posts a block to the main context's queue") { bench in
      try run(bench) { context, _, key in
        context.perform { context.insertNote(key) }
      }
    })

  /// Lets the main queue and a thread of another queue insert notes into the main context.
  private static func run(
    _ bench: Bench, inserting insert: @escaping @Sendable (ManagedObjectContext, any MachineLock, Int) -> Void
  ) throws {
    let coordinator = try bench.makeCoordinator(checksConcurrency: true)
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let lock = bench.machine.makeLock(label: "context lock")
    let network = bench.machine.makeSerialQueue(label: "network")
    bench.begin()
    main.perform {
      lock.withLock {
        bench.note("inserts a note into main, with the lock held")
        main.insertNote(0)
      }
    }
    bench.wait(milliseconds: 5)
    network.async { insert(main, lock, 1) }
    try bench.rest()
    main.performAndWait { bench.observe("unsaved notes of main", main.insertedObjects.count, right: 2) }
  }
}
