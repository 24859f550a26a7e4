extension Topology {
  /// A relative of stack #2: main and the worker have a coordinator each, on one file.
  ///
  ///     file ◄─┬─ coordinator ◄── main (UI)                  ◄┄┄ merges the store's history
  ///            └─ coordinator "import" ◄── worker (import)
  ///
  /// The claim: neither waits for a lock of the other; only SQLite's lock on the file is left. The cost: the coordinators
  /// share neither notifications nor cached rows, so that main is out of date until it has merged the history, which
  /// each save has to write.
  package static let twoCoordinators = Topology(
    id: "two-coordinators",
    number: relativeNumber,
    summary: "a worker on a coordinator of its own; main merges the store's history after remote changes",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app),
      ContextDescription(name: "worker", queue: .private, coordinator: "import", lifetime: .lane),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [Rule(trigger: .remoteChange, action: .merge(into: "main"))],
    uses: [
      ContextUse(
        .userInterface, "main", because: "its coordinator has locks and cached rows of its own",
        source: "objc.io 4, 'Importing Large Data Sets'"),
      ContextUse(
        .background, "worker, one for each import at a time",
        because: "its saves never hold a lock of main's coordinator", source: "Zarra, #Pragma 2015, 'The Hard Way'"),
      .undoInChildOfMain,
      .lastsInMain(
        "it merges the history; objects of a worker get no changes of main",
        source: "NSPersistentStoreRemoteChangeNotification"),
    ])

  /// The variant of two coordinators with the import's coordinator in a second process, as with an app extension.
  ///
  /// The process of the import announces each of its saves. Core Data posts such an announcement if the store has
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
  package static let twoCoordinatorsInProcesses = {
    var topology = twoCoordinators
    topology.variant = "processes"
    topology.summary = "a worker on a separate coordinator in a second process; main merges the store's history"
    topology.importsInSecondProcess = true
    return topology
  }()
}
