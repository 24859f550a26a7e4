import MachineCore
import Topologies

/// The checks of rules, and of the ways of an import to the store and to the screens.
extension TopologyCheck {
  /// Checks one rule without regard to the others.
  func checkRule(_ index: Int) throws(TopologyFlaw) {
    let rule = topology.rules[index]
    let field = "rules[\(index)]"
    let trigger: ContextDescription?
    switch rule.trigger {
    case .didSave(let name): trigger = try context(name, field: "\(field).\(RuleDraft.savedContextKey)")
    case .payloadImported: trigger = nil
    case .remoteChange:
      try checkRemoteRule(rule, field: field)
      trigger = nil
    }
    switch rule.action {
    case .save(let name):
      try checkTarget(name, of: trigger, field: "\(field).\(RuleDraft.saveKey)")
    case .merge where rule.trigger == .remoteChange: break
    case .merge(let name):
      try checkMerge(name, of: trigger, field: "\(field).\(RuleDraft.mergeKey)")
    case .refetchOtherScreens where trigger == nil:
      throw TopologyFlaw(
        "\(field).\(RuleDraft.refetchKey)",
        message: "others are those besides a screen that saved, and a payload has no screen; "
          + "use all or touched")
    case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: break
    }
    if topology.rules[..<index].contains(rule) { throw TopologyFlaw(field, message: "given twice; use it once") }
  }

  /// Checks a rule that follows a write of another coordinator.
  private func checkRemoteRule(_ rule: Rule, field: String) throws(TopologyFlaw) {
    guard case .merge(let name) = rule.action else {
      throw TopologyFlaw(field, message: "a remote change can only be merged; use \(RuleDraft.mergeKey)")
    }
    let target = try context(name, field: "\(field).\(RuleDraft.mergeKey)")
    guard target.lifetime.isLasting, target.parent == nil else {
      throw TopologyFlaw(
        "\(field).\(RuleDraft.mergeKey)",
        message:
          "\(name) is not a lasting context on a coordinator; use a context without parent and with lifetime: app")
    }
    guard !topology.otherCoordinators.isEmpty else {
      throw TopologyFlaw(
        "\(field).\(RuleDraft.remoteChangeKey)",
        message: "there is one coordinator only, and nothing else writes; give a context a coordinator, or use "
          + "\(RuleDraft.savedContextKey)")
    }
  }

  private func context(_ name: String, field: String) throws(TopologyFlaw) -> ContextDescription {
    guard let found = topology.context(named: name) else {
      throw TopologyFlaw(field, message: "\(QuotedText.of(name)) is no context; use one of \(contextNames)")
    }
    return found
  }

  /// Checks the context that a rule saves.
  private func checkTarget(
    _ name: String, of trigger: ContextDescription?, field: String
  ) throws(TopologyFlaw) {
    let target = try context(name, field: field)
    guard let trigger else {
      throw TopologyFlaw(
        field,
        message: "a payload saves by itself; use \(RuleDraft.savedContextKey): \(topology.importContext) in place of "
          + "\(RuleDraft.payloadKey)")
    }
    guard target.name != trigger.name else {
      throw TopologyFlaw(field, message: "\(name) has just saved; use another context, or leave the rule out")
    }
    guard Self.isDefinite(target, seenFrom: trigger) else {
      throw TopologyFlaw(
        field,
        message:
          "\(name) exists once for each \(target.lifetime.rawValue), so a save of \(trigger.name) has no definite one; "
          + "use a context with lifetime: app")
    }
  }

  /// Checks the context that a rule merges into.
  private func checkMerge(_ name: String, of trigger: ContextDescription?, field: String) throws(TopologyFlaw) {
    let target = try context(name, field: field)
    guard let trigger else {
      throw TopologyFlaw(
        field,
        message: "a payload has no save to merge; use \(RuleDraft.savedContextKey) in place of \(RuleDraft.payloadKey)")
    }
    guard target.lifetime.isLasting else {
      throw TopologyFlaw(
        field,
        message:
          "\(name) ends with its \(target.lifetime.rawValue), and later saves cannot be merged into it; use another context"
      )
    }
    guard target.name != trigger.name || target.lifetime != .app else {
      throw TopologyFlaw(
        field, message: "\(name) has its own saves already; use another context, or leave the rule out")
    }
    guard trigger.parent != nil || trigger.coordinator == topology.coordinator(of: target.name) else {
      throw TopologyFlaw(
        field,
        message:
          "\(trigger.name) and \(name) have different coordinators, and objects of one mean nothing to the other; use "
          + "\(RuleDraft.remoteChangeKey): true")
    }
    guard let parent = trigger.parent else { return }
    throw TopologyFlaw(
      field,
      message:
        "a save of \(trigger.name) goes into \(parent), and its new objects have no permanent IDs yet; merge the saves of "
        + "\(topology.chain(from: trigger.name).last?.name ?? parent)")
  }
}

// MARK: - The way to the store

extension TopologyCheck {
  /// Checks that rules take what a context saves to the store.
  func checkWayToStore(from name: String, key: String) throws(TopologyFlaw) {
    for context in topology.chain(from: name) {
      guard let parent = context.parent else { return }
      let next = Rule(trigger: .didSave(context.name), action: .save(parent))
      guard topology.rules.contains(next) else {
        throw TopologyFlaw(
          key,
          message: "the store is out of reach: what \(context.name) saves stays in \(parent); add the rule "
            + "{\(RuleDraft.savedContextKey): \(context.name), \(RuleDraft.saveKey): \(parent)}")
      }
    }
  }

  /// Checks that edits in forms reach the store and the screens. The user who saves a form of the UI context saves that
  /// context too.
  func checkWayOfEdits() throws(TopologyFlaw) {
    guard let name = topology.editContext, let parent = topology.context(named: name)?.parent else { return }
    guard parent != topology.uiContext else { return }
    try checkWayToStore(from: name, key: "editContext")
    guard !topology.tolerates.contains(.staleRows), let root = topology.chain(from: name).last,
      !topology.chain(from: name).contains(where: { $0.name == topology.uiContext })
    else { return }
    let merge = Rule(trigger: .didSave(root.name), action: .merge(into: topology.uiContext))
    guard topology.rules.contains(merge) else {
      throw TopologyFlaw(
        "editContext",
        message:
          "nothing brings an edit to \(topology.uiContext); add the rule {\(RuleDraft.savedContextKey): \(root.name), "
          + "\(RuleDraft.mergeKey): \(topology.uiContext)}, or use a form with parent: \(topology.uiContext)")
    }
  }

  /// Checks that the screens get what is imported, unless the stack tolerates stale rows.
  func checkWayToScreens() throws(TopologyFlaw) {
    guard !topology.tolerates.contains(.staleRows) else { return }
    let shown = topology.chain(from: topology.uiContext)
    let importing = topology.chain(from: topology.importContext)
    guard let ui = shown.first, let root = importing.last, !importing.contains(ui) else { return }
    let merges = topology.rules.contains {
      $0.action == .merge(into: ui.name) && [.didSave(root.name), .remoteChange].contains($0.trigger)
    }
    let mergesByItself =
      ui.automaticallyMergesChanges && topology.coordinator(of: ui.name) == topology.coordinator(of: root.name)
      && (ui.parent.map { parent in importing.contains { $0.name == parent } } ?? true)
    // A payload's last save has reached the store, or a context that the screens read through.
    let isFetchable = importing.count == 1 || shown.contains { $0.name == importing[1].name }
    let refetches = topology.rules.contains {
      $0.trigger == .payloadImported && [.refetchAllScreens, .refetchTouchedScreens].contains($0.action)
    }
    guard !merges, !mergesByItself, !(refetches && isFetchable) else { return }
    let reason =
      refetches
      ? "the screens fetch again before the payload is in the store"
      : "nothing brings an import to \(ui.name)"
    throw TopologyFlaw(
      "uiContext",
      message:
        "\(reason); add the rule {\(RuleDraft.savedContextKey): \(root.name), \(RuleDraft.mergeKey): \(ui.name)}, or "
        + "tolerates: [staleRows]")
  }
}
