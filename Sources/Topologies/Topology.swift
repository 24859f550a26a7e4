import ContextEngine

/// A wiring of managed object contexts: the contexts, the parent into which each one saves, their tasks, and the
/// actions that follow a save.
///
/// A topology is a plain value, with the same content in code and as JSON. `WiredStack` builds it.
package struct Topology: Codable, Hashable, Sendable {
  /// The name of the stack on the command line and in results.
  package var id: String
  /// The name of this variant of the stack, or nil if there is only one.
  package var variant: String?
  /// The number that articles give to the stack.
  package var number: String
  /// A description of the stack in one sentence.
  package var summary: String
  /// The contexts of the stack, parents before their children.
  package var contexts: [ContextDescription]
  /// The name of the context that the screens show. If its lifetime is `screen`, there is one for each screen.
  package var uiContext: String
  /// The name of the context that the import works in.
  package var importContext: String
  /// The place where payloads are parsed, unless a run chooses another. The default is `network`.
  package var decode = DecodePlace.network
  package var rules: [Rule] = []
  /// Indicates whether a screen fetches only the properties that it shows. The default is false.
  package var fetchesShownProperties = false
  /// The point, in addition to the save into a store, at which new objects get permanent IDs.
  package var permanentIDs = PermanentIDs.never
  /// The defects that the stack is expected to show. Any other defect fails a trial. The default is empty.
  package var tolerates: [Tolerance] = []
  /// Advice on the contexts to use, one entry for each purpose. It has no effect on how the stack is wired.
  package var uses: [ContextUse] = []

  package enum DecodePlace: String, Codable, Hashable, Sendable {
    /// Payloads are parsed on the network queue of the lane.
    case network
    /// Payloads are parsed inside the import block.
    case `import`
  }

  package enum PermanentIDs: String, Codable, Hashable, Sendable {
    case never
    /// Each context obtains permanent IDs for its inserted objects in its will-save. The request for keys passes
    /// through every parent to the store, and all these contexts wait for the store's writer and the disk. If it
    /// fails, the delegate is called and the save continues with temporary IDs.
    case beforeSave
  }

  package enum Tolerance: String, Codable, Hashable, Sendable, CaseIterable {
    case lostEdits
    case duplicates
    case staleRows
    case outOfOrder
  }

  /// Indicates whether saves are merged into the UI context, by a rule or automatically.
  package var mergesSaves: Bool {
    let hasRule = rules.contains { rule in
      if case .merge(let target) = rule.action { target == uiContext } else { false }
    }
    return hasRule || contexts.contains { $0.name == uiContext && $0.automaticallyMergesChanges }
  }

  /// The name in the form `id`, or `id/variant` if the stack has a variant.
  package var title: String { variant.map { "\(id)/\($0)" } ?? id }
}

// MARK: - Contexts

/// A description of one context of a topology, or of one for each lane, payload or screen.
package struct ContextDescription: Codable, Hashable, Sendable {
  package var name: String
  package var queue: Queue
  /// The name of the parent context, or nil if the context saves into the store.
  package var parent: String?
  package var lifetime: Lifetime
  package var automaticallyMergesChanges = false
  /// Indicates whether a merge first realises all changed objects. Otherwise, a merge passes over faults and
  /// unregistered objects.
  package var firesUpdatedObjectsBeforeMerging = false
  /// The context's policy for conflicts, or nil for the policy of the run. It applies only to a context on the
  /// coordinator.
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

/// An event and the action that follows it. The action is always posted with `perform`, never with `performAndWait`.
package struct Rule: Codable, Hashable, Sendable {
  package var trigger: Trigger
  package var action: Action

  package enum Trigger: Codable, Hashable, Sendable {
    /// A save of the context with this name has succeeded.
    case didSave(String)
    /// The last unit of a payload has been saved. Only `refetchAllScreens` and `refetchTouchedScreens` act on it.
    case payloadImported
  }

  package enum Action: Codable, Hashable, Sendable {
    /// Saves the context with this name.
    case save(String)
    /// Merges the save into the context with this name, unless everything in the save came from that context.
    case merge(into: String)
    /// Resets the UI context, drops the controllers and fetches again, for each screen.
    case refetchAllScreens
    /// Resets and fetches again for each screen that shows an entity which the payload touched, in one block per
    /// screen. After a screen's own save, the other screens are meant.
    case refetchTouchedScreens
    /// Resets and fetches again for the other screens that show an entity which a screen has just saved. After a
    /// payload it does nothing.
    case refetchOtherScreens
  }
}

// MARK: - Catalogue

extension Topology {
  /// The six documented stacks, each in its default variant.
  package static let all: [Topology] = [
    .allMain, .workerMerge(.notification), .childOfMain, .reversedParent(.root), .threeTier, .perViewController,
  ]

  /// The six documented stacks and all their variants.
  package static let known: [Topology] =
    [.allMain]
    + WorkerMergeVariant.allCases.map(Topology.workerMerge)
    + [.childOfMain]
    + ReversedParentVariant.allCases.map(Topology.reversedParent)
    + [.threeTier, .perViewController]

  /// Returns the topology with the name `id` or `id/variant`, or nil if it does not exist. An ID alone means the
  /// first variant of that stack.
  package static func named(_ name: String) -> Topology? {
    known.first { $0.title == name } ?? known.first { $0.id == name }
  }
}
