import ContextEngine

/// A wiring of managed object contexts: which there are, who saves into whom, which one does what, and what follows a
/// save.
///
/// A plain value: the same as code, as JSON, and later as a file given on the command line. `WiredStack` builds it.
package struct Topology: Codable, Hashable, Sendable {
  /// The name on the command line and in results.
  package var id: String
  /// Which reading of the stack; nil where it has one only.
  package var variant: String?
  /// The number under which articles know the stack.
  package var number: String
  /// One sentence.
  package var summary: String
  /// Parents before their children.
  package var contexts: [ContextDescription]
  /// The context that the screens show; with the lifetime `screen` there is one for each.
  package var uiContext: String
  /// The context that the import works in.
  package var importContext: String
  /// Where payloads are parsed unless a run says otherwise.
  package var decode = DecodePlace.network
  package var rules: [Rule] = []
  /// Whether a screen fetches only the properties that it shows.
  package var fetchesShownProperties = false
  /// When new objects get permanent IDs beside the save into a store.
  package var permanentIDs = PermanentIDs.never
  /// Whether several pending refetches of a screen collapse into one.
  package var coalescesResets = false
  /// Defects that the stack is expected to show; anything else fails a trial.
  package var tolerates: [Tolerance] = []
  /// Which context to use for what, one for each purpose; changes nothing in how the stack is wired.
  package var uses: [ContextUse] = []

  package enum DecodePlace: String, Codable, Hashable, Sendable {
    /// On the network queue of the lane.
    case network
    /// Inside the import block.
    case `import`
  }

  package enum PermanentIDs: String, Codable, Hashable, Sendable {
    case never
    /// Each context asks for them on its will-save: a key reservation goes up to the store, in whose turn whoever stands in
    /// between waits.
    case beforeSave
  }

  package enum Tolerance: String, Codable, Hashable, Sendable, CaseIterable {
    case lostEdits
    case duplicates
    case staleRows
    case outOfOrder
  }

  /// Whether saves are merged into the UI context, by a rule or automatically.
  package var mergesSaves: Bool {
    let hasRule = rules.contains { rule in
      if case .merge(let target) = rule.action { target == uiContext } else { false }
    }
    return hasRule || contexts.contains { $0.name == uiContext && $0.automaticallyMergesChanges }
  }

  /// `id`, or `id/variant`.
  package var title: String { variant.map { "\(id)/\($0)" } ?? id }
}

// MARK: - Contexts

/// One context of a topology, or one per lane, payload or screen.
package struct ContextDescription: Codable, Hashable, Sendable {
  package var name: String
  package var queue: Queue
  /// Nil = the store.
  package var parent: String?
  package var lifetime: Lifetime
  package var automaticallyMergesChanges = false
  /// Whether changed objects are all realised before a merge, which would pass over faults and what is not registered.
  package var firesUpdatedObjectsBeforeMerging = false
  /// What the context does about conflicts, where it sits on the coordinator; nil = what the run says.
  package var mergePolicy: MergePolicy?

  package enum Queue: String, Codable, Hashable, Sendable {
    case main
    case `private`
  }

  package enum Lifetime: String, Codable, Hashable, Sendable {
    case app
    case lane
    case payload
    case screen
  }
}

// MARK: - Rules

/// What follows an event, always by `perform`, never by `performAndWait`.
package struct Rule: Codable, Hashable, Sendable {
  package var trigger: Trigger
  package var action: Action

  package enum Trigger: Codable, Hashable, Sendable {
    /// A save of the context called so has succeeded.
    case didSave(String)
    /// The last unit of a payload has been saved.
    case payloadImported
  }

  package enum Action: Codable, Hashable, Sendable {
    /// Saves the context called so.
    case save(String)
    /// Merges the save into the context called so, unless it carried nothing but what came from there.
    case merge(into: String)
    /// Resets the UI context, drops the controllers and fetches again, for each screen.
    case refetchAllScreens
    /// The same for the screens that show an entity which the payload touched, each in a block of its own.
    case refetchTouchedScreens
    /// The same for the screens that show what another screen has just saved.
    case refetchOtherScreens
  }
}

// MARK: - Catalogue

extension Topology {
  /// The six documented stacks, each in its default variant.
  package static let all: [Topology] = [
    .allMain, .workerMerge(.notification), .childOfMain, .reversedParent(.root), .threeTier, .perViewController,
  ]

  /// The six and every variant of them.
  package static let known: [Topology] =
    [.allMain]
    + WorkerMergeVariant.allCases.map(Topology.workerMerge)
    + [.childOfMain]
    + ReversedParentVariant.allCases.map(Topology.reversedParent)
    + [.threeTier, .perViewController]

  /// The topology called `id` or `id/variant`; an ID alone means its first variant.
  package static func named(_ name: String) -> Topology? {
    known.first { $0.title == name } ?? known.first { $0.id == name }
  }
}
