extension Topology {
  /// The anti-pattern of stack #3: children of main are taken from a pool and used again.
  ///
  ///     store ◄── main (UI) ◄─┬─ worker 0 (import)
  ///                           ├─ worker 1 (import)
  ///                           └─ worker 2 (import)
  ///
  /// The claim: no payload pays for a new context, and the objects that a worker has found are still there. The cost:
  /// changes go up only, so every worker holds objects as they were when it last saw them.
  package static let pooledChildren = Topology(
    id: "pooled-children",
    number: relativeNumber,
    summary: "the workers are children of main, and those of a pool are used again for each payload",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app),
      ContextDescription(
        name: "worker", queue: .private, parent: "main", lifetime: .pool, poolSize: 3, retainsRegisteredObjects: true),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [Rule(trigger: .didSave("worker"), action: .save("main"))],
    tolerates: [.staleObjects, .outOfOrder],
    uses: [
      ContextUse(
        .userInterface, "main", because: "the workers' saves reach it without a merge, on the main queue",
        source: "'Concurrency with CoreData', stack #3"),
      ContextUse(
        .background, "worker, but make a new one for each payload",
        because: "a child that is used again has gone out of date, and cannot be brought up to date",
        source: "Zarra, #Pragma 2015, 'Do Not Reuse Child MOCs'"),
      .undoInChildOfMain,
      .lastsInMain(
        "changes move to parents only: it gets those of all workers, and a worker gets none",
        source: "Zarra, #Pragma 2015"),
    ])
}
