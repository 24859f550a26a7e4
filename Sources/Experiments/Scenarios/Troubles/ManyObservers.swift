import ContextEngine
import MachineCore

extension Scenario {
  /// Screens that each post a block to main for every save of every context.
  static let manyObservers = Scenario(
    "many-observers", "20 screens observe the saves of every context, and each posts a block to main", group: .slowness,
    sources: ["Zarra, Core Data Threading Demystified, 2015"],
    symptoms: [.mainWork(.perform, atLeast: 500)],
    trouble: Side("each of 20 screens observes each context and posts a block to main for each save") { bench in
      try run(bench) { screens, context, main in
        screens.map { screen in context.observeDidSave { save in main.perform { screen.look(at: save) } } }
      }
    },
    cure: Side("one observer of each context posts a block to main for each save, which serves all screens") { bench in
      try run(bench) { screens, context, main in
        [context.observeDidSave { save in main.perform { for screen in screens { screen.look(at: save) } } }]
      }
    })

  private static let screenCount = 20
  private static let saveCount = 25

  /// A screen that shows one note.
  private final class Screen: Sendable {
    private let shownID: ObjectID
    private let changes = Guarded(0)

    init(_ shownID: ObjectID) {
      self.shownID = shownID
    }

    /// The number of saves that changed the screen's note.
    var changeCount: Int { changes.withLock { $0 } }

    func look(at save: SaveNotification) {
      if save.updatedIDs.contains(shownID) { changes.withLock { $0 += 1 } }
    }
  }

  /// Lets two workers save 25 times each. Each save changes all notes of the worker, of which the screens show some.
  private static func run(
    _ bench: Bench, observing observe: ([Screen], ManagedObjectContext, ManagedObjectContext) -> [ObserverToken]
  ) throws {
    let coordinator = try bench.makeCoordinator()
    let main = bench.keep(ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main"))
    let workers = ["first worker", "second worker"].map {
      bench.keep(ManagedObjectContext(.privateQueue, coordinator: coordinator, name: $0))
    }
    try workers[0].storeNotes(0..<screenCount)
    let screens = try main.performAndWait { try main.notes().map { Screen($0.objectID) } }
    let tokens = ([main] + workers).flatMap { observe(screens, $0, main) }
    bench.begin()
    for (index, worker) in workers.enumerated() {
      worker.perform {
        bench.note("changes its notes and saves, \(saveCount) times")
        bench.attempt("the saves of the \(worker.name)") {
          let own = try worker.notes().enumerated().filter { $0.offset % 2 == index }.map(\.element)
          for stars in 1...saveCount {
            for note in own { note["stars"] = .integer(Int64(stars)) }
            try worker.save()
          }
        }
      }
    }
    try bench.rest()
    for token in tokens { token.cancel() }
    bench.observe(
      "changes that the screens noticed", screens.map(\.changeCount).reduce(0, +), right: saveCount * screenCount)
  }
}
