extension Topology {
  /// Stack #1: one context on the main queue does everything.
  ///
  ///     store ◄── main (UI, import)
  ///
  /// The claim: the least code, and nothing to merge or to get wrong between threads; but the import's parsing, fetching
  /// and saving all stand between the user and the next frame.
  package static let allMain = Topology(
    id: "all-main",
    number: "#1",
    summary: "one main-queue context for the UI and the import",
    contexts: [ContextDescription(name: "main", queue: .main, lifetime: .app)],
    uiContext: "main",
    importContext: "main",
    decode: .import)
}
