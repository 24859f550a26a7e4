extension Topology {
  /// The variant of `master-and-children` that its authors tried and reverted: main is on the coordinator, so that its
  /// fetches have batches.
  ///
  ///     store ◄─┬─ main (UI)                     ◄┄┄ merges what master saved
  ///             └─ master ◄── worker (import)    ◄┄┄ master merges what main saved
  ///
  /// The claim: the batch size has an effect, and main's reads no longer wait for the master. The cost: main writes to
  /// the store itself, waits for the writer, and can conflict with the master.
  package static let mainOnCoordinator = Topology(
    id: "main-on-coordinator",
    number: relativeNumber,
    summary: "main is beside a private master, whose children import; each merges what the other saved",
    contexts: [
      ContextDescription(name: "master", queue: .private, lifetime: .app),
      ContextDescription(name: "main", queue: .main, lifetime: .app),
      ContextDescription(name: "worker", queue: .private, parent: "master", lifetime: .payload),
    ],
    uiContext: "main",
    importContext: "worker",
    rules: [
      Rule(trigger: .didSave("worker"), action: .save("master")),
      Rule(trigger: .didSave("master"), action: .merge(into: "main")),
      Rule(trigger: .didSave("main"), action: .merge(into: "master")),
    ],
    uses: [
      ContextUse(
        .userInterface, "main",
        because: "it is on the coordinator: fetchBatchSize has an effect, and its reads wait for no other context",
        source: "Hudl Technique, 'Difficulties'"),
      ContextUse(
        .background, "worker, a new one for each payload",
        because: "a child of the master that gets no updates; its reads occupy the master's queue, not main's",
        source: "Hudl Technique, 'Choosing a MOC'"),
      .undoInChildOfMain,
      .lastsInMain(
        "it merges every save of the master, and the worker's objects get out of date",
        source: "Hudl Technique, 'Choosing a MOC'"),
    ])
}
