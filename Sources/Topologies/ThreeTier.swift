extension Topology {
  /// Stack #5: the root writes, main shows and workers import.
  ///
  ///     store ◄── root (writer) ◄── main (UI) ◄── worker (import)
  ///
  /// The claim: main saves into memory, and the disk is left to a private queue. The cost: the import's fetches and
  /// changes all pass through main, and main's own reads wait while root saves.
  package static let threeTier = Topology(
    id: "three-tier",
    number: "#5",
    summary: "a private root writes, main is its child, the worker is a child of main",
    contexts: [
      ContextDescription(name: "root", queue: .private, lifetime: .app),
      ContextDescription(name: "main", queue: .main, parent: "root", lifetime: .app),
      ContextDescription(name: "worker", queue: .private, parent: "main", lifetime: .payload),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [
      Rule(trigger: .didSave("worker"), action: .save("main")),
      Rule(trigger: .didSave("main"), action: .save("root")),
    ],
    uses: [
      ContextUse(
        .userInterface, "main", because: "its saves only reach root's memory, and root writes to the store",
        source: "Zarra, #Pragma 2015"),
      ContextUse(
        .background, "worker, a new one for each payload",
        because: "a child that is kept gets no changes of others; each of its fetches and saves passes through main",
        source: "Zarra, #Pragma 2015; Kugler, 'Concurrent Core Data Stack Performance Shootout'"),
      .undoInChildOfMain,
      .lastsInMain(
        "every change passes through it; its new objects keep temporary IDs, so obtain permanent ones before you "
          + "pass IDs on",
        source: "NSManagedObjectContext, obtainPermanentIDs(for:)"),
    ])
}
