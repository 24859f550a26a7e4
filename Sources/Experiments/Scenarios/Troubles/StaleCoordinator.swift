import ContextEngine

extension Scenario {
  /// A coordinator whose row cache still has the values from before another coordinator's save.
  static let staleCoordinator = Scenario(
    "stale-coordinator", "A coordinator shows cached rows that another one on the same file has changed",
    group: .wrongData,
    sources: [
      "Zarra, Core Data Threading Demystified, 2015", "objc.io, Importing Large Data Sets into Core Data, 2013",
    ],
    symptoms: [.wrong(observation)],
    trouble: Side("main and the worker have a coordinator each; main turns its note into a fault and reads it again") {
      bench in
      try bench.changeOnOtherCoordinator(observing: observation) { main, worker, show in
        worker.observeDidSave { _ in
          main.perform {
            refresh(main, on: bench)
            show()
          }
        }
      }
    },
    cure: Side("main and the worker have a coordinator each; main merges the history after remote changes first") {
      bench in
      try bench.changeOnOtherCoordinator(observing: observation) { main, _, show in
        try bench.mergeRemoteChanges(into: main) {
          refresh(main, on: bench)
          show()
        }
      }
    })

  private static let observation = "title after the refresh"

  private static func refresh(_ main: ManagedObjectContext, on bench: Bench) {
    bench.note("turns the note into a fault and reads its title")
    bench.attempt("the refresh") { try main.refreshAllObjects() }
  }
}
