/// The context of a single-background stack that merges the other's saves automatically.
package enum SingleBackgroundVariant: String, CaseIterable, Sendable {
  /// Main merges what the background context saved, so that the screens follow the import.
  case mainMerges = "main-merges"
  /// Only the background context merges, as in the article that describes the stack. It gets the user's edits. Main
  /// gets no import, so that its lists are stale by design.
  case backgroundMerges = "background-merges"
}

extension Topology {
  /// A relative of stack #2: a container whose background work shares one context for as long as the app lives.
  ///
  ///     store ◄─┬─ main (UI)             ◄┄┄ merges automatically (variant `main-merges`)
  ///             └─ background (import)   ◄┄┄ merges automatically (variant `background-merges`)
  ///
  /// The claim: imports never conflict with each other, because one queue runs them in turn. The cost: two imports take
  /// as long as one after the other.
  package static func singleBackground(_ variant: SingleBackgroundVariant) -> Topology {
    let followed = variant == .mainMerges
    return Topology(
      id: "single-background",
      variant: variant.rawValue,
      number: relativeNumber,
      summary: followed
        ? "one background context for all imports; main merges automatically"
        : "one background context for all imports, which merges automatically; main does not merge",
      contexts: [
        ContextDescription(name: "main", queue: .main, lifetime: .app, automaticallyMergesChanges: followed),
        ContextDescription(name: "background", queue: .private, lifetime: .app, automaticallyMergesChanges: !followed),
      ],
      uiContext: "main",
      importContext: "background",
      tolerates: followed ? [] : [.staleRows],
      uses: uses(variant))
  }

  private static func uses(_ variant: SingleBackgroundVariant) -> [ContextUse] {
    let automatic = "NSManagedObjectContext, automaticallyMergesChangesFromParent"
    let article = "'The concurrency dance with Core Data threads'"
    return [
      ContextUse(
        .userInterface, "main",
        because: variant == .mainMerges
          ? "it merges what the background context saved, and its reads wait for no other context"
          : "it is on the main queue; but it merges nothing, because the setting of another context has no effect on it",
        source: automatic),
      ContextUse(
        .background, "background, for all work",
        because: "its queue runs one task after the other, so two imports never change a row at the same time",
        source: article),
      .undoInChildOfMain,
      variant == .mainMerges
        ? .lastsInMain("it merges every save of the background context", source: automatic)
        : ContextUse(
          .longLived, "background", because: "it is the context that merges the saves of the other", source: automatic),
    ]
  }
}
