extension Topology {
  /// The anti-pattern of stack #2: each payload gets a new background context, and all run at once.
  ///
  ///     store ◄─┬─ main (UI)        ◄┄┄ merges automatically
  ///             ├─ task (payload 0)
  ///             ├─ task (payload 1)
  ///             └─ task …
  ///
  /// The claim: `performBackgroundTask` takes one line, and the payloads need not wait for each other. The cost: a
  /// payload does not see the rows of earlier payloads. It inserts them again, overtakes them, and conflicts with them.
  package static let backgroundFanOut = Topology(
    id: "background-fan-out",
    number: relativeNumber,
    summary: "a new background context for each payload, all at once; main merges automatically",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app, automaticallyMergesChanges: true),
      ContextDescription(name: "task", queue: .private, lifetime: .payload),
    ],
    uiContext: "main",
    importContext: "task",
    importsAtOnce: true,
    tolerates: [.lostEdits, .duplicates, .outOfOrder],
    uses: [
      ContextUse(
        .userInterface, "main", because: "it merges what the tasks saved, in the order in which they saved it",
        source: "NSManagedObjectContext, automaticallyMergesChangesFromParent"),
      ContextUse(
        .background, "task, but one after the other: use one context, or a serial queue",
        because: "tasks at the same time change the same rows, and do not see each other's new ones",
        source: "'The concurrency dance with Core Data threads'"),
      .undoInChildOfMain,
      .lastsInMain(
        "it is the only context that merges saves",
        source: "NSManagedObjectContext, automaticallyMergesChangesFromParent"
      ),
    ])
}
