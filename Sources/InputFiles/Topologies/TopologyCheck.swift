import MachineCore
import Topologies

/// The check of a stack that a user has described. It finds the first mistake that would keep a run from working or from
/// ending.
struct TopologyCheck {
  let topology: Topology
  /// True if the file gives the ID, and false if the file's name does.
  private let hasOwnID: Bool

  init(_ topology: Topology, hasOwnID: Bool) {
    self.topology = topology
    self.hasOwnID = hasOwnID
  }

  /// - Throws: `TopologyFlaw` for the first mistake.
  func run() throws(TopologyFlaw) {
    try checkNames()
    for index in topology.contexts.indices { try checkParentName(index) }
    for index in topology.contexts.indices { try checkContext(index) }
    try checkRoles()
    try checkQueues()
    for index in topology.rules.indices { try checkRule(index) }
    try checkProcesses()
    try checkWayToStore(from: topology.importContext, key: "importContext")
    try checkWayToStore(from: topology.uiContext, key: "uiContext")
    try checkWayOfEdits()
    try checkWayToScreens()
    try checkCatalogue()
  }

  /// The names of the contexts, as messages list them.
  var contextNames: String { topology.contexts.map(\.name).joined(separator: ", ") }
}

// MARK: - Names

extension TopologyCheck {
  private static let longestName = 60
  /// Names that already have another meaning for stacks and contexts.
  private static let reservedIDs = ["all"]
  private static let reservedNames = ["store"]

  private func checkNames() throws(TopologyFlaw) {
    let id = topology.id
    let origin = hasOwnID ? "" : ", the name of the file,"
    guard Self.isName(id, with: "-"), id.first?.isLetter == true else {
      throw TopologyFlaw(
        "id",
        message:
          "\(QuotedText.of(id))\(origin) is not a name; use a letter, then letters, digits and hyphens, as in id: my-stack"
      )
    }
    guard !Self.reservedIDs.contains(id) else {
      throw TopologyFlaw("id", message: "\(id)\(origin) stands for the six stacks; use another name")
    }
    if let variant = topology.variant, !Self.isName(variant, with: "-") {
      throw TopologyFlaw(
        "variant",
        message: "\(QuotedText.of(variant)) is not a name; use letters, digits and hyphens, as in variant: merging")
    }
    for (index, context) in topology.contexts.enumerated() {
      let field = Self.field(index, key: "name")
      guard Self.isName(context.name, with: "_"), context.name.first?.isNumber == false else {
        throw TopologyFlaw(
          field,
          message: "\(QuotedText.of(context.name)) is not a name; use a letter, then letters, digits and underscores")
      }
      guard !Self.reservedNames.contains(context.name) else {
        throw TopologyFlaw(field, message: "\(context.name) stands for the store; use another name")
      }
      if topology.contexts[..<index].contains(where: { $0.name == context.name }) {
        throw TopologyFlaw(field, message: "\(context.name) is given twice; use a different name for each context")
      }
    }
  }

  /// Returns true for a name of letters and digits of ASCII and one other character.
  private static func isName(_ text: String, with mark: Character) -> Bool {
    !text.isEmpty && text.count <= longestName
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == mark) }
  }

  /// Checks that the ID of a known stack is used for that stack only.
  private func checkCatalogue() throws(TopologyFlaw) {
    guard Topology.known.contains(where: { $0.id == topology.id }), !Topology.known.contains(topology) else { return }
    throw TopologyFlaw(
      "id", message: "\(topology.id) is one of Stackbench's own stacks, and this one differs from it; use another ID")
  }

  static func field(_ index: Int, key: String) -> String { "contexts[\(index)].\(key)" }
}

// MARK: - Contexts

extension TopologyCheck {
  private func checkParentName(_ index: Int) throws(TopologyFlaw) {
    guard let parent = topology.contexts[index].parent, topology.context(named: parent) == nil else { return }
    throw TopologyFlaw(
      Self.field(index, key: "parent"),
      message: "\(QuotedText.of(parent)) is no context; use one of \(contextNames), or leave parent out for the store")
  }

  /// Checks that a confined context is neither below nor above another context, and does not merge by itself.
  private func checkConfinement(_ index: Int) throws(TopologyFlaw) {
    let context = topology.contexts[index]
    guard context.isConfined else { return }
    let field = Self.field(index, key: "isConfined")
    if let parent = context.parent {
      throw TopologyFlaw(
        field, message: "a confined context saves to the store and not into \(parent); leave out one of the two")
    }
    if let child = topology.contexts.first(where: { $0.parent == context.name }) {
      throw TopologyFlaw(
        field,
        message:
          "\(context.name) cannot be the parent of \(child.name), which could not wait for its queue; leave it out"
      )
    }
    guard !context.automaticallyMergesChanges else {
      throw TopologyFlaw(
        field,
        message: "\(context.name) cannot merge automatically, since no block can be posted to it; use a rule with "
          + "\(RuleDraft.mergeKey): \(context.name)")
    }
  }

  private func checkContext(_ index: Int) throws(TopologyFlaw) {
    try checkConfinement(index)
    let context = topology.contexts[index]
    guard let parentName = context.parent,
      let place = topology.contexts.firstIndex(where: { $0.name == parentName })
    else { return }
    let field = Self.field(index, key: "parent")
    let chain = topology.chain(from: context.name)
    if chain.last?.parent != nil {
      // A chain ends at a context with a parent if that parent is part of the chain.
      let circle = chain.map(\.name).joined(separator: " → ")
      throw TopologyFlaw(
        field,
        message: "a cycle, so no save reaches the store: \(circle) → \(chain.last?.parent ?? ""); leave out one parent")
    }
    guard place < index else {
      throw TopologyFlaw(field, message: "\(parentName) comes later in the list; put a parent before its children")
    }
    let parent = topology.contexts[place]
    guard Self.isDefinite(parent, seenFrom: context) else {
      throw TopologyFlaw(
        field,
        message:
          "\(parentName) exists once for each \(parent.lifetime.rawValue), so \(context.name), which exists once for "
          + "\(Self.number(context)), has no definite parent; use a parent with lifetime: app")
    }
    if context.coordinator != nil {
      throw TopologyFlaw(
        Self.field(index, key: "coordinator"),
        message: "has no effect below \(parentName), whose coordinator \(context.name) has too; leave it out")
    }
    if context.queryGeneration != .unpinned {
      throw TopologyFlaw(
        Self.field(index, key: "queryGeneration"),
        message: "has no effect below \(parentName), through which \(context.name) reads; pin the context on the store")
    }
    if context.mergePolicy != nil {
      throw TopologyFlaw(
        Self.field(index, key: "mergePolicy"),
        message: "has no effect below \(parentName), since only a save into the store finds conflicts; leave it out")
    }
  }

  private static func number(_ context: ContextDescription) -> String {
    context.lifetime == .app ? "the app" : "each \(context.lifetime.rawValue)"
  }

  /// Returns true if a context of one description always refers to the same, lasting context of another.
  static func isDefinite(_ target: ContextDescription, seenFrom context: ContextDescription) -> Bool {
    switch target.lifetime {
    case .app: true
    case .lane: context.lifetime == .lane || context.lifetime == .payload
    case .screen: context.lifetime == .screen || context.lifetime == .edit
    case .payload, .edit, .pool: false
    }
  }

  /// Checks the contexts of the screens and of the import.
  private func checkRoles() throws(TopologyFlaw) {
    guard let shown = topology.context(named: topology.uiContext) else {
      throw TopologyFlaw(
        "uiContext", message: "\(QuotedText.of(topology.uiContext)) is no context; use one of \(contextNames)")
    }
    guard shown.queue == .main else {
      throw TopologyFlaw(
        "uiContext",
        message: "\(shown.name) has a private queue, and screens need the main queue; use queue: main for it")
    }
    guard shown.lifetime == .app || shown.lifetime == .screen else {
      throw TopologyFlaw(
        "uiContext",
        message:
          "there are several \(shown.name) contexts, one for each \(shown.lifetime.rawValue), and not one for each screen; "
          + "use lifetime: screen, or app if all screens share one")
    }
    guard let importing = topology.context(named: topology.importContext) else {
      throw TopologyFlaw(
        "importContext", message: "\(QuotedText.of(topology.importContext)) is no context; use one of \(contextNames)")
    }
    guard importing.lifetime != .screen, importing.lifetime != .edit else {
      throw TopologyFlaw(
        "importContext",
        message:
          "\(importing.name) exists once for each \(importing.lifetime.rawValue), and an import belongs to none; use a "
          + "context with lifetime: app, lane or payload")
    }
    guard !topology.importsAtOnce || importing.lifetime == .payload else {
      throw TopologyFlaw(
        "importsAtOnce",
        message:
          "\(importing.name) is not made for each payload, and imports one after the other; use lifetime: payload for it"
      )
    }
    try checkEditContext()
    try checkPool()
  }

  /// Checks that a pool has a size and is used by the import, and that no other context has a size.
  private func checkPool() throws(TopologyFlaw) {
    for (index, context) in topology.contexts.enumerated() {
      switch (context.lifetime == .pool, context.poolSize) {
      case (false, nil): continue
      case (false, .some):
        throw TopologyFlaw(Self.field(index, key: "poolSize"), message: "belongs to lifetime: pool; leave it out")
      case (true, nil):
        throw TopologyFlaw(Self.field(index, key: "lifetime"), message: "the size is missing; add poolSize: 3")
      case (true, .some): break
      }
      guard context.name == topology.importContext else {
        throw TopologyFlaw(
          Self.field(index, key: "lifetime"),
          message:
            "only payloads take contexts of a pool, and none takes \(context.name); use another lifetime, or importContext: "
            + context.name)
      }
    }
  }

  /// Checks that the contexts that are made for edits are those in which the user edits.
  private func checkEditContext() throws(TopologyFlaw) {
    if let name = topology.editContext, topology.context(named: name) == nil {
      throw TopologyFlaw("editContext", message: "\(QuotedText.of(name)) is no context; use one of \(contextNames)")
    }
    if let index = topology.contexts.firstIndex(where: { $0.lifetime == .edit && $0.name != topology.editContext }) {
      let name = topology.contexts[index].name
      throw TopologyFlaw(
        Self.field(index, key: "lifetime"),
        message:
          "\(name) exists once for each edit, and no edit uses it; add editContext: \(name), or use another lifetime")
    }
    guard let name = topology.editContext, let form = topology.context(named: name) else { return }
    guard form.lifetime == .edit, form.queue == .main else {
      throw TopologyFlaw(
        "editContext",
        message:
          "\(name) is not a form: a form has a context of its own on the main queue; use queue: main and lifetime: edit"
      )
    }
    guard form.parent != nil else {
      throw TopologyFlaw(
        "editContext",
        message: "\(name) saves to the store, and the screens would not get its edits; use a parent, such as parent: "
          + topology.uiContext)
    }
  }

  /// Checks that no two contexts can wait for each other's queues.
  ///
  /// A context waits for the queue of its parent only, so private queues cannot form a circle. All main-queue contexts
  /// share one queue, and a chain of parents that leaves the main queue must not come back to it.
  private func checkQueues() throws(TopologyFlaw) {
    for lower in topology.contexts where lower.queue == .main {
      let chain = topology.chain(from: lower.name)
      guard let left = chain.firstIndex(where: { $0.queue == .private }),
        let back = chain[left...].firstIndex(where: { $0.queue == .main })
      else { continue }
      let (between, upper) = (chain[back - 1], chain[back])
      let index = topology.contexts.firstIndex { $0.name == between.name } ?? 0
      throw TopologyFlaw(
        Self.field(index, key: "parent"),
        message:
          "a deadlock: \(lower.name) holds the main queue while it waits for \(chain[left].name), and a block of "
          + "\(between.name) waits for the main queue of \(upper.name); use a parent with a private queue, or leave parent out"
      )
    }
  }
}
