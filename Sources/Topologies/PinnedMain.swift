extension Topology {
  /// A relative of stack #2: main reads the store as it was at one moment, until it merges.
  ///
  ///     store ◄─┬─ main (UI, pinned to a query generation)   ◄┄┄ merges what worker saved, and advances
  ///             └─ worker (import)
  ///
  /// The claim: the screens show one state of the store, and a fault that they fire finds its row even if the import has
  /// deleted it. The cost: main cannot use the rows that the worker has cached, and the write-ahead log grows while main
  /// stays pinned.
  package static let pinnedMain = Topology(
    id: "pinned-main",
    number: relativeNumber,
    summary: "a worker beside main, which is pinned to a query generation and advances with each merge",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app, queryGeneration: .pinned),
      ContextDescription(name: "worker", queue: .private, lifetime: .lane),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [Rule(trigger: .didSave("worker"), action: .merge(into: "main"))],
    uses: [
      ContextUse(
        .userInterface, "main",
        because: "what it reads is the state at one moment, whatever the import commits meanwhile",
        source: "WWDC 2016, 242"),
      ContextUse(
        .background, "worker, one for each import at a time",
        because: "its fetches and saves never use the main queue",
        source: "Kugler, 'Concurrent Core Data Stack Performance Shootout'"),
      .undoInChildOfMain,
      .lastsInMain(
        "it merges every save, and rows that were deleted since then can still be read",
        source: "NSManagedObjectContext, setQueryGenerationFrom(_:)"),
    ])
}
