import ContextEngine

extension Scenario {
  /// A merge of a did-save notification that comes from another coordinator on the same file.
  static let foreignNotification = Scenario(
    "foreign-notification", "A did-save notification of another coordinator does not bring main up to date",
    group: .wrongData, sources: ["Zarra, Core Data Threading Demystified, 2015"], symptoms: [.wrong(observation)],
    trouble: Side("main and the worker have a coordinator each; main merges the worker's did-save notification") {
      bench in
      try bench.changeOnOtherCoordinator(observing: observation) { main, worker, show in
        worker.observeDidSave { save in
          main.perform {
            bench.note("merges the notification of the other coordinator")
            main.mergeChanges(fromContextDidSave: save)
            show()
          }
        }
      }
    },
    cure: Side("main and the worker have a coordinator each; main merges the history after remote changes") { bench in
      try bench.changeOnOtherCoordinator(observing: observation) { main, _, show in
        try bench.mergeRemoteChanges(into: main, then: show)
      }
    })

  private static let observation = "title on the screen after the merge"
}
