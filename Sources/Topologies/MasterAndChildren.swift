extension Topology {
  /// A relative of stack #4: one private master saves, and every other context is its child.
  ///
  ///     store ◄── master ◄─┬─ main (UI)         ◄┄┄ merges what master saved
  ///                        ├─ worker (import)
  ///                        └─ form (edits)
  ///
  /// The claim: no code uses the master itself; each save of a child reaches the store, and main is always fresh. The
  /// cost: changes go down to main only. A child that is kept gets out of date, and may meet objects that no longer
  /// exist.
  ///
  /// It differs from `reversed-parent/child` in where the user edits: there in main, here in a form beside main.
  package static let masterAndChildren = Topology(
    id: "master-and-children",
    number: relativeNumber,
    summary: "main, a worker and forms are children of a private master, which saves and brings main up to date",
    contexts: [
      ContextDescription(name: "master", queue: .private, lifetime: .app),
      ContextDescription(name: "main", queue: .main, parent: "master", lifetime: .app),
      ContextDescription(name: "worker", queue: .private, parent: "master", lifetime: .payload),
      ContextDescription(name: "form", queue: .main, parent: "master", lifetime: .edit),
    ],
    uiContext: "main",
    importContext: "worker",
    editContext: "form",
    rules: [
      Rule(trigger: .didSave("worker"), action: .save("master")),
      Rule(trigger: .didSave("form"), action: .save("master")),
      Rule(trigger: .didSave("main"), action: .save("master")),
      Rule(trigger: .didSave("master"), action: .merge(into: "main")),
    ],
    uses: [
      ContextUse(
        .userInterface, "main", because: "it is the only child that gets what the others save", source: choosing),
      ContextUse(
        .background, "worker, a new one for each payload",
        because: "it never blocks the main thread, and it is too short-lived to get out of date", source: choosing),
      ContextUse(
        .undo, "form, a new one for each form", because: "its release discards its changes", source: choosing),
      .lastsInMain("every other child gets out of date when another one saves", source: choosing),
    ])

  private static let choosing = "Hudl Technique, 'Choosing a MOC'"
}
