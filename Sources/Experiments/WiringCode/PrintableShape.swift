import Topologies

/// The form of a topology, which decides whether the topology can be printed as code, and which the parts of the code
/// read.
///
/// The printed code has a UI context on the coordinator or below one private root. The import is beside it, below it, in
/// the root or below a private context beside it, with the usual rules between them. Any other topology runs, but is not
/// printed.
package struct PrintableShape: Sendable {
  let topology: Topology
  /// The contexts of the screens, the import and the forms, each followed by those through which it saves.
  let shown, importing, editing: [ContextDescription]

  package init(_ topology: Topology) {
    self.topology = topology
    shown = topology.chain(from: topology.uiContext)
    importing = topology.chain(from: topology.importContext)
    editing = topology.editContext.map(topology.chain) ?? []
  }

  /// The first property of the topology that the code cannot have, in words, or nil if it can be printed.
  package var limit: String? {
    nameLimit ?? lifetimeLimit ?? coordinatorLimit ?? contextLimit ?? ruleLimit ?? screenLimit
      ?? (topology.permanentIDs == .never ? nil : "permanent IDs before each save are not part of the code")
  }
}

// MARK: - Parts

extension PrintableShape {
  var ui: ContextDescription { shown[0] }
  /// The context of the import.
  var worker: ContextDescription { importing[0] }
  /// The context in which the user edits, or nil if the topology has no forms.
  var form: ContextDescription? { editing.first }
  /// The name of the private context between the UI context and the store, or nil if the stack has no such context.
  var root: String? { topology.savingRoot }

  /// The contexts that are made with the stack and kept.
  var keptContexts: [ContextDescription] {
    topology.contexts.filter { [.app, .lane, .pool].contains($0.lifetime) }
  }

  /// The properties that hold the coordinators in addition to the container's.
  var coordinators: [String] { topology.otherCoordinators.map(Self.property) }
  static func property(ofCoordinator name: String) -> String { "\(name)Coordinator" }

  /// Indicates whether the topology makes one UI context per screen.
  var hasContextPerScreen: Bool { ui.lifetime == .screen }

  /// Indicates whether screens fetch their lists again after an import or a save, instead of following the changes.
  var refetches: Bool { topology.rules.contains { $0.trigger == .payloadImported } }

  /// Indicates whether the UI's context merges what other coordinators wrote, from the store's history.
  var mergesHistory: Bool { topology.rules.contains(historyMerge) }

  /// A rule that merges the saves of one context into another.
  struct Merge {
    let source, target: ContextDescription
    /// Indicates whether the framework does the merge, since the code makes the target merge automatically: the source
    /// is the target's parent, and no object is fired first.
    var isAutomatic: Bool { target.parent == source.name && !target.firesUpdatedObjectsBeforeMerging }
  }

  private var merges: [Merge] {
    topology.rules.compactMap { rule in
      guard case .didSave(let source) = rule.trigger, case .merge(let target) = rule.action,
        let source = topology.context(named: source), let target = topology.context(named: target)
      else { return nil }
      return Merge(source: source, target: target)
    }
  }

  /// The merges that the code does itself, when it observes a save.
  var observedMerges: [Merge] { merges.filter { !$0.isAutomatic } }

  /// Returns true if a context merges automatically: it is described so, or a rule's merge into it is automatic.
  func mergesAutomatically(_ context: ContextDescription) -> Bool {
    context.automaticallyMergesChanges || merges.contains { $0.target.name == context.name && $0.isAutomatic }
  }

  /// The context into which a form saves, or nil if it saves to the store.
  var formParent: String? {
    if let form { return form.parent }
    return refetches || ui.isConfined ? nil : ui.name
  }

  /// Indicates whether a form saves past the UI's context, which then does not save what the form has saved.
  var formsBypassUI: Bool { formParent.map { $0 != ui.name } ?? false }
}

// MARK: - Contexts

extension PrintableShape {
  /// The names of the code's own members and constants.
  private static let takenNames: Set = [
    "container", "rootSaves", "screens", "didFail", "context", "data", "lane", "place", "payload", "records", "unit",
    "start", "end", "error", "save", "signposter", "observers", "remoteMerges", "lastToken", "takenCount", "form",
  ]

  /// Returns a text with the name of the first context that is meant, or nil if there is none.
  private func limit(_ text: (String) -> String, where isMeant: (ContextDescription) -> Bool) -> String? {
    (topology.contexts.first(where: isMeant)?.name).map(text)
  }

  /// Returns a text unless the topology is as the code needs it.
  private static func limit(_ text: @autoclosure () -> String, unless isPrintable: Bool) -> String? {
    isPrintable ? nil : text()
  }

  private var nameLimit: String? {
    // A form is a local constant of the functions that make and save it.
    limit({ "\($0) cannot be the name of a property in it" }) {
      $0.lifetime != .edit && (Self.takenNames.contains($0.name) || SwiftNames.keywords.contains($0.name))
    }
  }

  private var lifetimeLimit: String? {
    limit({ "\($0) is pinned to a query generation, which is part of it only for contexts of the app" }) {
      $0.queryGeneration == .pinned && $0.lifetime != .app
    }
      ?? limit({ "\($0) is taken from a pool, and the import does not use it" }) {
        $0.lifetime == .pool && $0.name != topology.importContext
      }
      ?? limit({ "\($0) keeps its objects, and is not kept itself" }) {
        $0.retainsRegisteredObjects && !$0.lifetime.isLasting
      }
      ?? Self.limit(
        "its payloads are imported at the same time in a context that is not a new one for each",
        unless: !topology.importsAtOnce || importing.first?.lifetime == .payload)
  }

  /// The limits of stacks with several coordinators, of which only the import may be on a second one.
  private var coordinatorLimit: String? {
    if topology.importsInSecondProcess { return "its import runs in a second process, which is another target" }
    guard let other = topology.otherCoordinators.first else {
      return Self.limit("it merges the history of a store that only one coordinator uses", unless: !mergesHistory)
    }
    let isAlone = mergesHistory && importing.count == 1 && worker.coordinator != nil
    return Self.limit(
      "it has several coordinators, which are part of it only if the import alone is on a second one",
      unless: isAlone && topology.contexts.count(where: { $0.coordinator != nil }) == 1)
      ?? Self.limit(
        "the name of its coordinator \(other) cannot begin the name of a property in it",
        unless: other.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } && other.first?.isLetter == true)
  }

  private var contextLimit: String? {
    guard !shown.isEmpty, !importing.isEmpty else { return "it lacks a context" }
    let names = shown.map(\.name)
    let all = names.joined(separator: " or ")
    let roles = Set((shown + importing + editing).map(\.name))
    let isNewChild = [.payload, .pool].contains(worker.lifetime) && worker.parent.map(names.contains) == true
    return Self.limit(
      "its forms are not children of \(all)", unless: form.map { names.contains($0.parent ?? "") } ?? true)
      ?? limit({ "neither the screens nor the import use \($0)" }) { !roles.contains($0.name) }
      ?? Self.limit(
        "there is more than one private context of the app between \(ui.name) and the store",
        unless: shown.count <= 2 && shown.dropFirst().allSatisfy { $0.queue == .private && $0.lifetime == .app })
      ?? Self.limit(
        "the import is not a new child, for each payload, of \(all)",
        unless: ui.name == worker.name || worker.parent == nil || importing.allSatisfy(shown.contains) || isNewChild
          || isBelowWriter)
      ?? Self.limit(
        "the import saves to the store beside \(names[1])",
        unless: worker.parent != nil || shown.count == 1 || shown.last == worker)
      ?? Self.limit(
        "a rule merges the saves of \(worker.name), which is made for each payload (automatic merging is part of it)",
        unless: worker.lifetime != .payload || importing.count > 1 || merge.map(topology.rules.contains) != true)
  }

  /// Indicates whether the import is a new child, for each payload, of a private context of the app beside the UI's.
  private var isBelowWriter: Bool {
    importing.count == 2 && shown.count == 1 && worker.lifetime == .payload && importing[1].queue == .private
      && importing[1].lifetime == .app
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
    isBelowWriter ? Rule(trigger: .didSave(topology.uiContext), action: .merge(into: importing[1].name)) : nil
  }

  private var historyMerge: Rule { Rule(trigger: .remoteChange, action: .merge(into: topology.uiContext)) }

  private var ruleLimit: String? {
    let refetching: [Rule] =
      hasContextPerScreen
      ? [
        Rule(trigger: .payloadImported, action: .refetchTouchedScreens),
        Rule(trigger: .didSave(topology.uiContext), action: .refetchOtherScreens),
      ] : [Rule(trigger: .payloadImported, action: .refetchAllScreens)]
    let printed = wayToStore + [merge, mergeBack, historyMerge].compactMap(\.self) + refetching
    if let place = topology.rules.firstIndex(where: { !printed.contains($0) }) {
      return "rule \(place + 1) of its rules is not part of the code"
    }
    return Self.limit(
      "objects are fired before merges, which is part of it only if one context merges",
      unless: !shown.contains(where: \.firesUpdatedObjectsBeforeMerging)
        || mergeBack.map(topology.rules.contains) != true)
  }

  private var screenLimit: String? {
    let isOnStore = ui.parent == nil
    if hasContextPerScreen, !isOnStore || !refetches || topology.mergesSaves {
      return "a context for each screen is printed only if it saves to the store and its screens fetch again"
    }
    if refetches, !isOnStore { return "screens that fetch again are printed only if their context saves to the store" }
    // The code that makes a context of the app always prints the setting.
    return limit({ "\($0) merges automatically, and no screen shows it" }) {
      $0.name != ui.name && $0.automaticallyMergesChanges && $0.lifetime != .app
    }
  }
}
