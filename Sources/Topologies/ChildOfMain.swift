extension Topology {
  /// Stack #3: the worker is a child of main.
  ///
  ///     store ◄── main (UI) ◄── worker (import)
  ///
  /// The claim: no merging is needed, since the worker's save lands in main. The cost: every fetch, every fault and
  /// every write of the import passes through the main queue.
  package static let childOfMain = Topology(
    id: "child-of-main",
    number: "#3",
    summary: "the worker is a child of the main-queue context, which saves to the store",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app),
      ContextDescription(name: "worker", queue: .private, parent: "main", lifetime: .payload),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [Rule(trigger: .didSave("worker"), action: .save("main"))],
    uses: [
      ContextUse(
        .userInterface, "main", because: "the worker's saves reach it without a merge, on the main queue",
        source: "'Concurrency with CoreData', stack #3"),
      ContextUse(
        .background, "worker, a new one for each payload",
        because:
          "a child that is kept gets no changes of others; each of its fetches and saves is a block of the main queue",
        source: "Zarra, #Pragma 2015; Kugler, 'The Concurrent Core Data Stack'"),
      .undoInChildOfMain,
      .lastsInMain(
        "changes move to parents only: it gets those of all contexts, and a worker gets none",
        source: "Hudl Technique, 'Choosing a MOC'"),
    ])
}
