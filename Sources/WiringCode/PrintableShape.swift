import Topologies

/// The form of a topology, as far as it decides whether the topology can be printed as code.
///
/// The printed code has a UI context on the coordinator or below one private root. The import is beside it, below it, in
/// the root or below a private context beside it, with the usual rules between them. Any other topology runs, but is not
/// printed.
package struct PrintableShape {
  private let topology: Topology

  package init(_ topology: Topology) {
    self.topology = topology
  }

  /// The first property of the topology that the code cannot have, in words, or nil if it can be printed.
  package var limit: String? {
    nameLimit ?? lifetimeLimit ?? coordinatorLimit ?? contextLimit ?? ruleLimit ?? screenLimit
      ?? (topology.permanentIDs == .never ? nil : "permanent IDs before each save are not part of the code")
  }

  private var shown: [ContextDescription] { topology.chain(from: topology.uiContext) }
  private var importing: [ContextDescription] { topology.chain(from: topology.importContext) }
  private var editing: [ContextDescription] { topology.editContext.map(topology.chain) ?? [] }
}

// MARK: - Names

extension PrintableShape {
  /// The names of the code's own members and constants.
  private static let takenNames: Set = [
    "container", "rootSaves", "screens", "didFail", "context", "data", "lane", "place", "payload", "records", "unit",
    "start", "end", "error", "save", "signposter", "observers", "remoteMerges", "lastToken", "takenCount", "form",
  ]

  private var nameLimit: String? {
    // A form is a local constant of the functions that make and save it.
    topology.contexts.first {
      $0.lifetime != .edit && (Self.takenNames.contains($0.name) || SwiftNames.keywords.contains($0.name))
    }.map {
      "\($0.name) cannot be the name of a property in it"
    }
  }
}

// MARK: - Contexts

extension PrintableShape {
  private var lifetimeLimit: String? {
    if let pinned = topology.contexts.first(where: { $0.queryGeneration == .pinned && $0.lifetime != .app }) {
      return "\(pinned.name) is pinned to a query generation, which is part of it only for contexts of the app"
    }
    if let pooled = topology.contexts.first(where: { $0.lifetime == .pool && $0.name != topology.importContext }) {
      return "\(pooled.name) is taken from a pool, and the import does not use it"
    }
    if let keeping = topology.contexts.first(where: { $0.retainsRegisteredObjects && !$0.lifetime.isLasting }) {
      return "\(keeping.name) keeps its objects, and is not kept itself"
    }
    if topology.importsAtOnce, topology.context(named: topology.importContext)?.lifetime != .payload {
      return "its payloads are imported at the same time in a context that is not a new one for each"
    }
    return nil
  }

  /// The limits of stacks with several coordinators, of which only the import may be on a second one.
  private var coordinatorLimit: String? {
    if topology.importsInSecondProcess { return "its import runs in a second process, which is another target" }
    let others = topology.otherCoordinators
    let merges = topology.rules.contains {
      $0 == Rule(trigger: .remoteChange, action: .merge(into: topology.uiContext))
    }
    guard !others.isEmpty else {
      return merges ? "it merges the history of a store that only one coordinator uses" : nil
    }
    guard others.count == 1, merges, importing.count == 1, importing[0].coordinator != nil,
      topology.contexts.count(where: { $0.coordinator != nil }) == 1
    else { return "it has several coordinators, which are part of it only if the import alone is on a second one" }
    guard others[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), others[0].first?.isLetter == true else {
      return "the name of its coordinator \(others[0]) cannot begin the name of a property in it"
    }
    return nil
  }

  private var contextLimit: String? {
    guard let ui = shown.first, let worker = importing.first else { return "it lacks a context" }
    let roles = Set((shown + importing + editing).map(\.name))
    if let form = editing.first, form.parent.map({ parent in shown.contains { $0.name == parent } }) != true {
      return "its forms are not children of \(shown.map(\.name).joined(separator: " or "))"
    }
    if let other = topology.contexts.first(where: { !roles.contains($0.name) }) {
      return "neither the screens nor the import use \(other.name)"
    }
    guard shown.count <= 2, shown.dropFirst().allSatisfy({ $0.queue == .private && $0.lifetime == .app }) else {
      return "there is more than one private context of the app between \(ui.name) and the store"
    }
    guard
      ui.name == worker.name || worker.parent == nil || importing.allSatisfy(shown.contains)
        || ([.payload, .pool].contains(worker.lifetime) && shown.contains { $0.name == worker.parent })
        || isBelowWriter
    else {
      return "the import is not a new child, for each payload, of \(shown.map(\.name).joined(separator: " or "))"
    }
    guard worker.parent != nil || shown.count == 1 || shown.last == worker else {
      return "the import saves to the store beside \(shown.last?.name ?? "")"
    }
    let mergesPayloads = topology.rules.contains { $0.trigger == .didSave(worker.name) && $0 == merge }
    guard !mergesPayloads || worker.lifetime != .payload else {
      return
        "a rule merges the saves of \(worker.name), which is made for each payload (automatic merging is part of it)"
    }
    return nil
  }
}

extension PrintableShape {
  /// Indicates whether the import is a new child, for each payload, of a private context of the app beside the UI's.
  private var isBelowWriter: Bool {
    guard importing.count == 2, shown.count == 1, importing[0].lifetime == .payload else { return false }
    return importing[1].queue == .private && importing[1].lifetime == .app
  }
}

// MARK: - Rules

extension PrintableShape {
  /// The saves that follow a save on its way to the store.
  private var wayToStore: [Rule] {
    (shown + importing + editing).compactMap { context in
      context.parent.map { Rule(trigger: .didSave(context.name), action: .save($0)) }
    }
  }

  /// The merge of the store's saves into the UI context.
  private var merge: Rule? {
    importing.last.map { Rule(trigger: .didSave($0.name), action: .merge(into: topology.uiContext)) }
  }

  /// The merge of the UI context's saves into the context through which the import's children save.
  private var mergeBack: Rule? {
    isBelowWriter
      ? importing.last.map { Rule(trigger: .didSave(topology.uiContext), action: .merge(into: $0.name)) } : nil
  }

  private var historyMerge: Rule { Rule(trigger: .remoteChange, action: .merge(into: topology.uiContext)) }

  private var ruleLimit: String? {
    let refetching: [Rule] =
      shown.first?.lifetime == .screen
      ? [
        Rule(trigger: .payloadImported, action: .refetchTouchedScreens),
        Rule(trigger: .didSave(topology.uiContext), action: .refetchOtherScreens),
      ] : [Rule(trigger: .payloadImported, action: .refetchAllScreens)]
    let printed = wayToStore + [merge, mergeBack, historyMerge].compactMap(\.self) + refetching
    guard let place = topology.rules.firstIndex(where: { !printed.contains($0) }) else {
      let fires = shown.contains(where: \.firesUpdatedObjectsBeforeMerging)
      return fires && mergeBack.map(topology.rules.contains) == true
        ? "objects are fired before merges, which is part of it only if one context merges" : nil
    }
    return "rule \(place + 1) of its rules is not part of the code"
  }

  private var screenLimit: String? {
    let ui = shown.first
    let refetches = topology.rules.contains { $0.trigger == .payloadImported }
    if ui?.lifetime == .screen {
      guard ui?.parent == nil, refetches, !topology.mergesSaves else {
        return "a context for each screen is printed only if it saves to the store and its screens fetch again"
      }
    } else if refetches, ui?.parent != nil {
      return "screens that fetch again are printed only if their context saves to the store"
    }
    // The code that makes a context of the app always prints the setting.
    if let other = topology.contexts.first(where: {
      $0.name != ui?.name && $0.automaticallyMergesChanges && $0.lifetime != .app
    }) {
      return "\(other.name) merges automatically, and no screen shows it"
    }
    return nil
  }
}
