/// The ways in which what a worker saved reaches the UI context of stack #2.
package enum WorkerMergeVariant: String, CaseIterable, Sendable {
  /// Main merges each did-save notification.
  case notification
  /// The engine merges by itself (`automaticallyMergesChangesFromParent`).
  case automatic
  /// Main resets and fetches again once per payload.
  case reset
  /// No save reaches main: the list is stale by design.
  case none
}

extension Topology {
  /// Stack #2: main and a worker are both on the coordinator.
  ///
  ///     store ◄─┬─ main (UI)   ◄┄┄ merges what worker saved
  ///             └─ worker (import)
  ///
  /// The claim: the import's reads and writes stay off the main thread, and merging touches only what main has in use.
  package static func workerMerge(_ variant: WorkerMergeVariant) -> Topology {
    var topology = Topology(
      id: "worker-merge",
      variant: variant.rawValue,
      number: "#2",
      summary: summary(variant),
      contexts: [
        ContextDescription(
          name: "main", queue: .main, lifetime: .app, automaticallyMergesChanges: variant == .automatic),
        ContextDescription(name: "worker", queue: .private, lifetime: .lane),
      ],
      uiContext: "main",
      importContext: "worker",
      uses: uses(variant))
    switch variant {
    case .notification: topology.rules = [Rule(trigger: .didSave("worker"), action: .merge(into: "main"))]
    case .automatic: break
    case .reset: topology.rules = [Rule(trigger: .payloadImported, action: .refetchAllScreens)]
    case .none: topology.tolerates = [.staleRows]
    }
    return topology
  }

  private static func uses(_ variant: WorkerMergeVariant) -> [ContextUse] {
    let undo: ContextUse = variant == .reset ? .undoBesideTheUI : .undoInChildOfMain
    let longLived: ContextUse =
      switch variant {
      case .notification, .automatic:
        .lastsInMain(
          "it is the only context that merges saves: the worker's objects may be out of date in its next unit",
          source: "Hudl Technique, 'Choosing a MOC'")
      case .reset: .onlyObjectIDsLast
      case .none:
        ContextUse(
          .longLived, "none; keep object IDs",
          because:
            "no context merges saves, so objects that are kept get out of date: refresh them or fetch them again",
          source: "NSManagedObjectContext, refresh(_:mergeChanges:)")
      }
    return [
      ContextUse(
        .userInterface, "main",
        because: "it is on the coordinator: fetchBatchSize has an effect, and its reads wait for no other context",
        source: "NSFetchRequest, fetchBatchSize; openradar 18332905"),
      ContextUse(
        .background, "worker, one for each import at a time",
        because: "its fetches and saves never use the main queue",
        source: "Kugler, 'Concurrent Core Data Stack Performance Shootout'"),
      undo, longLived,
    ]
  }

  private static func summary(_ variant: WorkerMergeVariant) -> String {
    switch variant {
    case .notification: "a worker beside main; main merges each did-save notification"
    case .automatic: "a worker beside main; main merges automatically"
    case .reset: "a worker beside main; main resets and refetches once per payload"
    case .none: "a worker beside main; main does not merge"
    }
  }
}
