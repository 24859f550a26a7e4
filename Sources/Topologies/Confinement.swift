extension Topology {
  /// A relative of stack #2: contexts as they were before iOS 6, each confined to a thread or a queue of the app.
  ///
  ///     store ◄─┬─ main (UI, confined to the main thread)        ◄┄┄ merges what worker saved
  ///             └─ worker (import, confined to a queue of the app)
  ///
  /// The claim: it does the same work as contexts with queues. The cost: only discipline keeps a context on its thread,
  /// and the app must hand each notification across.
  package static let confinement = Topology(
    id: "confinement",
    number: relativeNumber,
    summary: "a worker beside main, both confined to threads; the app hands each did-save notification across",
    contexts: [
      ContextDescription(name: "main", queue: .main, isConfined: true, lifetime: .app),
      ContextDescription(name: "worker", queue: .private, isConfined: true, lifetime: .lane),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [Rule(trigger: .didSave("worker"), action: .merge(into: "main"))],
    uses: [
      ContextUse(
        .userInterface, "main", because: "all user interfaces run on the main thread, to which it is confined",
        source: "Zarra, #Pragma 2015, 'The Old Way'"),
      ContextUse(
        .background, "worker, one for each queue of the app",
        because: "its objects belong to that queue, and reading them elsewhere is a mistake too",
        source: "Zarra, #Pragma 2015, 'The Old Way'"),
      ContextUse(
        .undo, "a new main-queue context on the coordinator",
        because: "a confined context cannot be the parent of a scratch pad, whose save therefore goes to the store",
        source: "NSManagedObjectContext, concurrency types"),
      .lastsInMain(
        "it is the only context that gets the notifications of others", source: "Zarra, #Pragma 2015, 'The Old Way'"),
    ])
}
