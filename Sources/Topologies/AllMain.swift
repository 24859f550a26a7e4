extension Topology {
  /// Stack #1: one context on the main queue does everything.
  ///
  ///     store ◄── main (UI, import)
  ///
  /// The claim: it takes the least code, without merges and without mistakes between threads. The cost: the import's
  /// parsing, fetching and saving all delay the user's next frame.
  package static let allMain = Topology(
    id: "all-main",
    number: "#1",
    summary: "one main-queue context for the UI and the import",
    contexts: [ContextDescription(name: "main", queue: .main, lifetime: .app)],
    uiContext: "main",
    importContext: "main",
    decode: .import,
    uses: [
      ContextUse(
        .userInterface, "main", because: "it is the only context, and it shows what it saves",
        source: "'Concurrency with CoreData', stack #1"),
      ContextUse(
        .background, "main, in short units",
        because: "it is the only context, so the next frame waits for each unit, parsing and saving included",
        source: "'Concurrency with CoreData', stack #1"),
      .undoInChildOfMain,
      .lastsInMain(
        "it makes every change itself, so its objects are never out of date", source: "Hudl Technique, 'Choosing a MOC'"
      ),
    ])
}
