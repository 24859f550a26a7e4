extension Topology {
  /// A relative of stack #2: the user edits in a form that is a child of main, and saves or discards it.
  ///
  ///     store ◄─┬─ main (UI) ◄── form (edits)   ◄┄┄ main merges what worker saved
  ///             └─ worker (import)
  ///
  /// The claim: a form that is cancelled leaves nothing behind, neither in main nor in the store. The cost: each edit
  /// makes a context, reads through main and pushes before main saves.
  package static let scratchPad = Topology(
    id: "scratch-pad",
    number: relativeNumber,
    summary: "a worker beside main; each edit is made in a child of main, which is saved or discarded",
    contexts: [
      ContextDescription(name: "main", queue: .main, lifetime: .app),
      ContextDescription(name: "worker", queue: .private, lifetime: .lane),
      ContextDescription(name: "form", queue: .main, parent: "main", lifetime: .edit),
    ],
    uiContext: "main",
    importContext: "worker",
    editContext: "form",
    rules: [Rule(trigger: .didSave("worker"), action: .merge(into: "main"))],
    uses: [
      ContextUse(
        .userInterface, "main", because: "it merges every save, and forms leave it unchanged until they are saved",
        source: "Hudl Technique, 'Choosing a MOC'"),
      ContextUse(
        .background, "worker, one for each import at a time",
        because: "its fetches and saves never use the main queue",
        source: "Kugler, 'Concurrent Core Data Stack Performance Shootout'"),
      ContextUse(
        .undo, "form, a new one for each form",
        because: "its release discards all that was typed, and its save moves the changes into main",
        source: "Hudl Technique, 'Choosing a MOC'; 'In defense of Core Data'"),
      .lastsInMain(
        "it is the only context that merges saves: a form gets none of them", source: "Hudl Technique, 'Choosing a MOC'"
      ),
    ])
}
