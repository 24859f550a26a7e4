extension Topology {
  /// Stack #6: a context per screen, thrown away and refetched.
  ///
  ///     store ◄─┬─ screen 0 (UI)
  ///             ├─ screen 1 (UI) …   each reset and refetched when an entity that it shows has changed
  ///             └─ worker (import)
  ///
  /// The claim: screens cannot disturb each other, and it is cheaper to fetch again, in batches, only what is shown
  /// than to merge everything that changed.
  package static let perViewController = Topology(
    id: "per-view-controller",
    number: "#6",
    summary: "one main-queue context per screen, each reset and refetched after a payload",
    contexts: [
      ContextDescription(name: "screen", queue: .main, lifetime: .screen),
      ContextDescription(name: "worker", queue: .private, lifetime: .lane),
    ],
    uiContext: "screen",
    importContext: "worker",
    rules: [
      Rule(trigger: .payloadImported, action: .refetchTouchedScreens),
      Rule(trigger: .didSave("screen"), action: .refetchOtherScreens),
    ],
    fetchesShownProperties: true,
    uses: [
      ContextUse(
        .userInterface, "screen, one for each screen",
        because: "a reset does not affect the objects of another screen, and a refetch reads only the shown values",
        source: "'Concurrency with CoreData', stack #6"),
      ContextUse(
        .background, "worker, one for each import at a time",
        because: "its fetches and saves never use the main queue, and nothing is merged",
        source: "'Concurrency with CoreData', stack #6"),
      .undoBesideTheUI,
      .onlyObjectIDsLast,
    ])
}
