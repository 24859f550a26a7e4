import Topologies

/// The rules of the topology, which the code carries out by `perform` and never by `performAndWait`.
extension CallbackWiringCode {
  /// The rules that observers carry out. The import carries out the rules for saves of a payload's context, and the
  /// screens carry out the rules that concern screens.
  var observedRules: [Rule] {
    topology.rules.filter { rule in
      guard case .didSave(let name) = rule.trigger, ![.payload, .edit].contains(description(name).lifetime) else {
        return false
      }
      switch rule.action {
      case .save, .merge: return true
      case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: return false
      }
    }
  }

  /// Returns the statements of the initialiser that observe saves for one rule. The text is empty if no save
  /// triggers the rule.
  func observation(of rule: Rule) -> String {
    guard case .didSave(let name) = rule.trigger else { return "" }
    let context = description(name)
    let observed = isArray(context) ? name : property(context)
    let call = observation(ofSavesOf: observed, rule.action)
    return isArray(context) ? "for \(name) in \(property(context)) {\n\(Self.indented(call))\n}" : call
  }

  /// Returns the statement that observes the saves of a context.
  func observation(ofSavesOf context: String, _ action: Rule.Action) -> String {
    "observe(savesOf: \(context)) \(observedBody(action, context))"
  }

  private func observedBody(_ action: Rule.Action, _ observed: String) -> String {
    switch action {
    case .save(let target):
      return "{ [unowned self] _ in\n\(Self.indented(postedSave(of: target)))\n}"
    case .merge(let target):
      let firing =
        description(target).firesUpdatedObjectsBeforeMerging ? "    Self.fireUpdated(in: save, for: \(target))\n" : ""
      return """
        { [\(target)] save in
          \(target).perform {
        \(firing)    \(target).mergeChanges(fromContextDidSave: save)
          }
        }
        """
    case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: return ""
    }
  }

  /// Returns the statement that posts the save of a context, or a note of unsaved changes if it is a root that saves
  /// later.
  func postedSave(of target: String) -> String {
    let isPutOff = target == topology.savingRoot && options.storeSave != .immediate
    return isPutOff
      ? "\(target).perform { [self] in noteUnsavedChanges() }" : "\(target).perform { [self] in save(\(target)) }"
  }

  /// The members that the rules call.
  var ruleMembers: [String] {
    var members: [String] = []
    if !observedRules.isEmpty { members.append(observing) }
    if observedRules.contains(where: firesUpdated) { members.append(firing) }
    if topology.rules.contains(where: { if case .save = $0.action { true } else { false } }) { members.append(saving) }
    if mergesHistory { members.append(historyMerging) }
    return members + rootSaveMembers
  }

  private func firesUpdated(_ rule: Rule) -> Bool {
    if case .merge(let target) = rule.action { description(target).firesUpdatedObjectsBeforeMerging } else { false }
  }

  private var observing: String {
    let merges = observedRules.contains { if case .merge = $0.action { true } else { false } }
    let remark =
      merges && observedRules.count > 1
      ? "\n/// A save of changes that main had pushed is merged as well. This costs a refresh and changes nothing."
      : ""
    return """
      /// Calls `react` during each save of a context, on the context's queue. Other work must be posted.\(remark)
      private func observe(
        savesOf context: NSManagedObjectContext, _ react: @escaping @Sendable (Notification) -> Void
      ) {
        observers.append(
          NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil, using: react))
      }
      """
  }

  /// The statements of the initialiser that make the context which reads the history.
  var historyReading: String {
    """
    historyReader = container.newBackgroundContext()
    lastToken = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    """
  }

  /// The statement of the initialiser that observes the writes of other coordinators.
  var remoteChangeObservation: String {
    """
    observers.append(
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
      ) { [unowned self] _ in mergeHistory() })
    """
  }

  private var historyMerging: String {
    let body = historyMerging(
      reader: "historyReader", target: uiContext.name, sending: "", capturing: " [self] in",
      merge: "\(uiContext.name).mergeChanges(fromContextDidSave: changes)")
    return """
      \(historyNote)
      private func mergeHistory() {
        historyReader.perform { [self] in
      \(Self.indented(body, by: 4))
        }
      }
      """
  }

  private var firing: String {
    """
    /// Realises the updated objects: a merge ignores faults, and then fetched results controllers miss the change.
    private static func fireUpdated(in save: Notification, for context: NSManagedObjectContext) {
      let updated = save.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      for object in updated { context.object(with: object.objectID).willAccessValue(forKey: nil) }
    }
    """
  }

  private var saving: String {
    """
    /// Saves a context into its parent or the store. Call it on the context's queue.
    private func save(_ context: NSManagedObjectContext) {
      guard context.hasChanges else { return }
      do {
        try context.save()
      } catch {
        didFail(error)
      }
    }
    """
  }
}
