/// The place where the import works in stack #4.
package enum ReversedParentVariant: String, CaseIterable, Sendable {
  /// The import works in the root itself, as the article describes it.
  case root
  /// The import works in a child of the root, a new one for each payload.
  case child
  /// The import works in a child of the root, and the stack has what RestKit adds (RKManagedObjectStore): main realises
  /// every updated object before it merges, so that its controllers miss none of them, and the root lets the store win
  /// conflicts.
  case restkit
}

extension Topology {
  /// Stack #4: main is a child of a private root.
  ///
  ///     store ◄── root (import) ◄── main (UI)   ◄┄┄ merges what root saved
  ///
  ///     store ◄── root ◄─┬─ main (UI)           ◄┄┄ merges what root saved
  ///                      └─ worker (import)         (variants `child` and `restkit`)
  ///
  /// The claim: the UI saves into memory and never waits for the disk. The cost: main reads everything through root,
  /// and waits while root is importing.
  package static func reversedParent(_ variant: ReversedParentVariant) -> Topology {
    var root = ContextDescription(name: "root", queue: .private, lifetime: .app)
    var main = ContextDescription(name: "main", queue: .main, parent: "root", lifetime: .app)
    if variant == .restkit {
      root.mergePolicy = .storeTrump
      main.firesUpdatedObjectsBeforeMerging = true
    }
    let rules = [
      Rule(trigger: .didSave("root"), action: .merge(into: "main")),
      Rule(trigger: .didSave("main"), action: .save("root")),
    ]
    switch variant {
    case .root:
      return Topology(
        id: "reversed-parent",
        variant: variant.rawValue,
        number: "#4",
        summary: "main is a child of a private root, in which the import works; main merges what root saved",
        contexts: [root, main],
        uiContext: "main",
        importContext: "root",
        rules: rules,
        uses: uses(variant))
    case .child, .restkit:
      return Topology(
        id: "reversed-parent",
        variant: variant.rawValue,
        number: "#4",
        summary: variant == .child
          ? "main and a worker are children of a private root; main merges what root saved"
          : "main and a worker are children of a private root; main fires what root saved, then merges it",
        contexts: [
          root, main, ContextDescription(name: "worker", queue: .private, parent: "root", lifetime: .payload),
        ],
        uiContext: "main",
        importContext: "worker",
        rules: rules + [Rule(trigger: .didSave("worker"), action: .save("root"))],
        uses: uses(variant))
    }
  }

  private static func uses(_ variant: ReversedParentVariant) -> [ContextUse] {
    [
      ContextUse(
        .userInterface, "main",
        because:
          "its saves only reach root's memory; but it reads through root, waits while root works, and fetches no "
          + "batches",
        source: "WWDC 2012, 214; openradar 18332905"),
      variant == .root
        ? ContextUse(
          .background, "root, in short units",
          because: "the import works in it, and the contexts that read through it wait",
          source: "'Concurrency with CoreData', stack #4")
        : ContextUse(
          .background, "worker, a new one for each payload",
          because: "a child of root that gets no updates; its reads occupy root's queue, for which main waits",
          source: "Hudl Technique, 'Choosing a MOC'"),
      .undoInChildOfMain,
      .lastsInMain("it is the only context that gets what root saved", source: "Hudl Technique, 'Choosing a MOC'"),
    ]
  }
}
