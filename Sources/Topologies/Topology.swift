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
  /// The name of the context of a form in which the user edits, or nil if the user edits in the UI context. A new one is
  /// made for each edit. Its save brings the edit into its parent, and its release without a save discards the edit.
  package var editContext: String?
  /// The place where payloads are parsed, unless a run chooses another. The default is `network`.
  package var decode = DecodePlace.network
  /// Indicates whether a lane imports all payloads that have arrived at the same time, each in its own context. If
  /// payloads do not arrive at intervals, each arrives as soon as the one before has been handed to its context.
  package var importsAtOnce = false
  /// Indicates whether the coordinator of the import, with all its contexts, is in a second process. The default is
  /// false.
  package var importsInSecondProcess = false
  package var rules: [Rule] = []
  /// Indicates whether a screen fetches only the properties that it shows. The default is false.
  package var fetchesShownProperties = false
  /// The point, in addition to the save into a store, at which new objects get permanent IDs.
  package var permanentIDs = PermanentIDs.never
  /// The defects that the stack is expected to show. Any other defect fails a trial. The default is empty.
  package var tolerates: [Tolerance] = []
  /// Advice on the contexts to use, one entry for each purpose. It has no effect on how the stack is wired.
  package var uses: [ContextUse] = []

  package init(
    id: String, variant: String? = nil, number: String, summary: String, contexts: [ContextDescription],
    uiContext: String, importContext: String, editContext: String? = nil, decode: DecodePlace = .network,
    importsAtOnce: Bool = false, importsInSecondProcess: Bool = false, rules: [Rule] = [],
    fetchesShownProperties: Bool = false, permanentIDs: PermanentIDs = .never, tolerates: [Tolerance] = [],
    uses: [ContextUse] = []
  ) {
    self.id = id
    self.variant = variant
    self.number = number
    self.summary = summary
    self.contexts = contexts
    self.uiContext = uiContext
    self.importContext = importContext
    self.editContext = editContext
    self.decode = decode
    self.importsAtOnce = importsAtOnce
    self.importsInSecondProcess = importsInSecondProcess
    self.rules = rules
    self.fetchesShownProperties = fetchesShownProperties
    self.permanentIDs = permanentIDs
    self.tolerates = tolerates
    self.uses = uses
  }

  package enum DecodePlace: String, Codable, Hashable, Sendable, CaseIterable {
    /// Payloads are parsed on the network queue of the lane.
    case network
    /// Payloads are parsed inside the import block.
    case `import`
  }

  package enum PermanentIDs: String, Codable, Hashable, Sendable, CaseIterable {
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
    /// Contexts of a pool hold objects that differ from the store.
    case staleObjects
  }

  /// Indicates whether saves are merged into the UI context, by a rule or automatically.
  package var mergesSaves: Bool {
    let hasRule = rules.contains { rule in
      if case .merge(let target) = rule.action { target == uiContext } else { false }
    }
    return hasRule || contexts.contains { $0.name == uiContext && $0.automaticallyMergesChanges }
  }

  /// Indicates whether imports that run at the same time use different contexts, which do not see each other's unsaved
  /// objects.
  package var importsInSeparateContexts: Bool { context(named: importContext).map { $0.lifetime != .app } ?? false }

  /// Indicates whether the context of the import saves into a parent.
  package var importsThroughParents: Bool { context(named: importContext)?.parent != nil }

  /// The names of the coordinators in addition to the first one, in the order of the contexts.
  package var otherCoordinators: [String] {
    contexts.compactMap(\.coordinator).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// Indicates whether a row may keep a value of an earlier record: payloads overtake each other, or an import's context
  /// takes an old value for the present one.
  package var mayKeepEarlierValues: Bool {
    importsAtOnce || context(named: importContext)?.lifetime == .pool
  }

  /// The name in the form `id`, or `id/variant` if the stack has a variant.
  package var title: String { variant.map { "\(id)/\($0)" } ?? id }

  /// Returns the description of the first context with a name, or nil if no context has the name.
  package func context(named name: String) -> ContextDescription? { contexts.first { $0.name == name } }

  /// Returns a context's description and those of its parents up to the context that saves into the store. The list
  /// ends before a parent that does not exist or that is in the list already, and is empty for an unknown name.
  package func chain(from name: String) -> [ContextDescription] {
    var chain: [ContextDescription] = []
    var next = context(named: name)
    while let found = next, !chain.contains(where: { $0.name == found.name }) {
      chain.append(found)
      next = found.parent.flatMap(context(named:))
    }
    return chain
  }
}

// MARK: - Contexts

/// A description of one context of a topology, or of one for each lane, payload or screen.
package struct ContextDescription: Codable, Hashable, Sendable {
  package var name: String
  package var queue: Queue
  /// Indicates whether the context has no queue itself and is confined to the main queue, or to a serial queue that the
  /// app makes for it. The app then posts blocks to that queue in place of `perform`.
  package var isConfined = false
  /// The name of the coordinator that the context is on, or nil for the first one. Each coordinator opens the store's
  /// file itself. It applies only to a context without a parent.
  package var coordinator: String?
  /// The name of the parent context, or nil if the context saves into the store.
  package var parent: String?
  package var lifetime: Lifetime
  /// The number of contexts if the lifetime is `pool`, and nil otherwise.
  package var poolSize: Int?
  /// Indicates whether the context keeps every object that it has registered, and not only changed ones.
  package var retainsRegisteredObjects = false
  package var automaticallyMergesChanges = false
  /// Indicates whether a merge first realises all changed objects. Otherwise, a merge passes over faults and
  /// unregistered objects.
  package var firesUpdatedObjectsBeforeMerging = false
  /// The state of the store that the context reads. It applies only to a context on the coordinator.
  package var queryGeneration = QueryGeneration.unpinned
  /// The context's policy for conflicts, or nil for the policy of the run. It applies only to a context on the
  /// coordinator.
  package var mergePolicy: MergePolicy?

  package init(
    name: String, queue: Queue, isConfined: Bool = false, coordinator: String? = nil, parent: String? = nil,
    lifetime: Lifetime,
    poolSize: Int? = nil,
    retainsRegisteredObjects: Bool = false, automaticallyMergesChanges: Bool = false,
    firesUpdatedObjectsBeforeMerging: Bool = false, queryGeneration: QueryGeneration = .unpinned,
    mergePolicy: MergePolicy? = nil
  ) {
    self.name = name
    self.queue = queue
    self.isConfined = isConfined
    self.coordinator = coordinator
    self.parent = parent
    self.lifetime = lifetime
    self.poolSize = poolSize
    self.retainsRegisteredObjects = retainsRegisteredObjects
    self.automaticallyMergesChanges = automaticallyMergesChanges
    self.firesUpdatedObjectsBeforeMerging = firesUpdatedObjectsBeforeMerging
    self.queryGeneration = queryGeneration
    self.mergePolicy = mergePolicy
  }

  package enum Queue: String, Codable, Hashable, Sendable, CaseIterable {
    case main
    case `private`
  }

  package enum QueryGeneration: String, Codable, Hashable, Sendable, CaseIterable {
    /// Each read finds the newest rows.
    case unpinned
    /// Reads find the rows of one moment: of the first read after the context was made, has saved, merged or
    /// reset. It has no effect on a store without a write-ahead log.
    case pinned
  }

  package enum Lifetime: String, Codable, Hashable, Sendable, CaseIterable {
    case app
    case lane
    case payload
    case screen
    /// The contexts live as long as the app. There are several, of which each payload takes the next in turn.
    case pool
    /// The context lives during one edit of the user, from the opening of a form to its end.
    case edit

    /// Indicates whether contexts with the lifetime are made with the stack and last as long as it.
    package var isLasting: Bool { self != .payload && self != .edit }
  }
}

extension Topology {
  /// True if the stack has a pool of contexts.
  package var hasPool: Bool { contexts.contains { $0.lifetime == .pool } }

  /// Returns the topology with another number of contexts in its pool. Nil, and a topology without a pool, change
  /// nothing.
  package func withPoolSize(_ size: Int?) -> Topology {
    guard let size else { return self }
    var topology = self
    for place in contexts.indices where contexts[place].lifetime == .pool { topology.contexts[place].poolSize = size }
    return topology
  }
}

// MARK: - Rules

/// An event and the action that follows it. The action is always posted with `perform`, never with `performAndWait`.
package struct Rule: Codable, Hashable, Sendable {
  package var trigger: Trigger
  package var action: Action

  package init(trigger: Trigger, action: Action) {
    self.trigger = trigger
    self.action = action
  }

  package enum Trigger: Codable, Hashable, Sendable {
    /// A save of the context with this name has succeeded.
    case didSave(String)
    /// Another coordinator has written to the store's file. Only `merge` acts on it.
    case remoteChange
    /// The last unit of a payload has been saved. Only `refetchAllScreens` and `refetchTouchedScreens` act on it.
    case payloadImported
  }

  package enum Action: Codable, Hashable, Sendable {
    /// Saves the context with this name.
    case save(String)
    /// Merges the save into every lasting context with this name except the one that saved, and except a context from
    /// which everything in the save came. After a remote change, the transactions of other coordinators are merged that
    /// the store's history has since the last such merge.
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

  /// The relatives of the six stacks, each in its default variant.
  package static let relatives: [Topology] = [
    .singleBackground(.mainMerges), .pinnedMain, .scratchPad, .masterAndChildren, .mainOnCoordinator, .pooledChildren,
    .confinement, .twoCoordinators, .backgroundFanOut,
  ]

  /// All stacks that have a name: the six documented stacks, then their relatives, with all their variants.
  package static let known: [Topology] =
    [.allMain]
    + WorkerMergeVariant.allCases.map(Topology.workerMerge)
    + [.childOfMain]
    + ReversedParentVariant.allCases.map(Topology.reversedParent)
    + [.threeTier, .perViewController]
    + SingleBackgroundVariant.allCases.map(Topology.singleBackground)
    + [
      .pinnedMain, .scratchPad, .masterAndChildren, .mainOnCoordinator, .pooledChildren, .confinement, .twoCoordinators,
      .twoCoordinatorsInProcesses, .backgroundFanOut,
    ]

  /// The known stacks that run in one process, and therefore also on a simulated machine.
  package static let knownInOneProcess = known.filter { !$0.importsInSecondProcess }

  /// The mark in place of a number of the stacks that are not among the six.
  package static let relativeNumber = "relative"

  /// Returns the topology with the name `id` or `id/variant`, or nil if it does not exist. An ID alone means the
  /// first variant of that stack.
  package static func named(_ name: String) -> Topology? {
    known.first { $0.title == name } ?? known.first { $0.id == name }
  }

  /// Indicates whether the stack is one of the relatives or a variant of one.
  package var isRelative: Bool { Topology.relatives.contains { $0.id == id } }
}
