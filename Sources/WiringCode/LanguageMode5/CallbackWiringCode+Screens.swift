import Topologies

/// The screens' lists, and the saves of the user's edits.
extension CallbackWiringCode {
  var screenMembers: [String] {
    if hasContextPerScreen { return [screenMaking, screenType] }
    let saving = [editSaving] + (formsBypassUI ? [formSaving] : [])
    return saving + (refetches ? [screenAccess, screenType] : [followingList])
  }

  private var editSaving: String {
    let goes = uiContext.parent.map { "into \($0), which saves to the store later" } ?? "to the store"
    return """
      /// Saves the user's changes in \(uiContext.name) \(goes). Call it on the main queue.
      func saveEdits() throws {
        if \(uiContext.name).hasChanges { try \(uiContext.name).save() }
      }
      """
  }

  /// The function that saves a form whose parent is not the UI's context.
  private var formSaving: String {
    let parent = formParent ?? ""
    return """
      /// Saves the changes of a form into \(parent), which saves to the store later. \(uiContext.name) then merges
      /// them. Call it on the main queue.
      func saveEdits(in form: NSManagedObjectContext) throws {
        guard form.hasChanges else { return }
        try form.save()
      \(Self.indented(postedSave(of: parent)))
      }
      """
  }

  /// Returns the statements that make a fetched results controller in `context`, without its first fetch.
  private func fetching(in context: String) -> String {
    let batch =
      options.fetchBatchSize == 0
      ? []
      : (uiContext.parent == nil
        ? [] : ["// Has no effect in a context whose parent is a context, which fetches all rows."])
        + ["request.fetchBatchSize = \(options.fetchBatchSize)"]
    let properties: [String] =
      if let names = options.propertiesToFetch {
        ["request.propertiesToFetch = [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"]
      } else if topology.fetchesShownProperties {
        ["// Any other property of an object costs a query.", "request.propertiesToFetch = shownProperties"]
      } else {
        []
      }
    let statements =
      [
        "let request = NSFetchRequest<NSManagedObject>(entityName: entityName)",
        "request.sortDescriptors = sortDescriptors",
      ] + batch + properties + [
        "let list = NSFetchedResultsController(",
        "  fetchRequest: request, managedObjectContext: \(context), sectionNameKeyPath: nil, cacheName: nil)",
      ]
    return statements.joined(separator: "\n")
  }

  private var showsGivenProperties: Bool { topology.fetchesShownProperties && options.propertiesToFetch == nil }
}

// MARK: - Lists that follow

extension CallbackWiringCode {
  private var followingList: String {
    """
    /// Returns the list of a screen, which follows the changes of \(uiContext.name). Call it on the main queue.
    func makeList(
      of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor],
      delegate: NSFetchedResultsControllerDelegate
    ) throws -> NSFetchedResultsController<NSManagedObject> {
    \(Self.indented(fetching(in: uiContext.name)))
      list.delegate = delegate
      try list.performFetch()
      return list
    }
    """
  }
}

// MARK: - Screens that fetch again

extension CallbackWiringCode {
  /// The functions for screens that share one context, which is reset for all of them at once.
  private var screenAccess: String {
    let context = uiContext.name
    return """
      /// Fetches a screen's list now and after each payload until `hide(_:)`. Call it on the main queue.
      func show(_ screen: Screen) throws {
        screens.append(screen)
        try screen.refetch()
      }

      func hide(_ screen: Screen) {
        screens.removeAll { $0 === screen }
      }

      /// Resets \(context) and fetches each screen's list again, in one block. It is called once for each payload.
      private func refetchAll() {
        \(context).perform { [self] in
          \(context).reset()
          do {
            for screen in screens { try screen.refetch() }
          } catch {
            didFail(error)
          }
        }
      }
      """
  }

  private var screenMaking: String {
    let shown = showsGivenProperties ? ", showing shownProperties: [String]" : ""
    let passed = showsGivenProperties ? ", shownProperties: shownProperties" : ""
    return """
      /// Returns a screen with its own context. Call it on the main queue.
      func makeScreen(
        of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor]\(shown)
      ) -> Screen {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        Self.configure(context, named: "\(uiContext.name)")
        let screen = Screen(
          context: context, entityName: entityName, sortDescriptors: sortDescriptors\(passed))
        screen.didFail = didFail
        return screen
      }
      """
  }

  private var screenType: String {
    let properties = [
      "let context: NSManagedObjectContext", "let entityName: String", "let sortDescriptors: [NSSortDescriptor]",
      showsGivenProperties ? "let shownProperties: [String]" : nil,
      "private(set) var list: NSFetchedResultsController<NSManagedObject>?",
      "/// Reads the visible rows, as a table view's reloadData() does.", "var reload: () -> Void = {}",
      hasContextPerScreen ? "var didFail: (Error) -> Void = { _ in }" : nil,
      hasContextPerScreen ? "private var observers: [NSObjectProtocol] = []" : nil,
    ].compactMap(\.self)
    let members =
      [properties.joined(separator: "\n"), screenInitialiser] + (hasContextPerScreen ? [Self.deinitialiser] : [])
      + [refetching] + (hasContextPerScreen ? Self.ownContextMembers : [])
    return """
      /// A list that is fetched again after each payload, instead of following the changes. Use it on the main queue.
      final class Screen {
      \(members.map { Self.indented($0) }.joined(separator: "\n\n"))
      }
      """
  }

  private var screenInitialiser: String {
    let shown = showsGivenProperties ? ",\n  shownProperties: [String]" : ""
    let stored = ["context", "entityName", "sortDescriptors"] + (showsGivenProperties ? ["shownProperties"] : [])
    let observing = hasContextPerScreen ? "\n" + Self.indented(Self.screenObservation) : ""
    return """
      init(
        context: NSManagedObjectContext, entityName: String, sortDescriptors: [NSSortDescriptor]\(shown)
      ) {
      \(Self.indented(stored.map { "self.\($0) = \($0)" }.joined(separator: "\n")))\(observing)
      }
      """
  }

  private var refetching: String {
    let reset = hasContextPerScreen ? "\n  context.reset()" : ""
    return """
      /// Replaces the list with a new one and reads the visible rows, in one block.
      func refetch() throws {
        list = nil\(reset)
      \(Self.indented(fetching(in: "context")))
        try list.performFetch()
        self.list = list
        reload()
      }
      """
  }

  private static let screenObservation = """
    let center = NotificationCenter.default
    observers = [
      // A payload has changed the entity.
      center.addObserver(forName: Self.imported(entityName), object: nil, queue: nil) { [weak self] _ in
        self?.postRefetch()
      },
      // Another screen has saved an edit.
      center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { [weak self] save in
        if let self = self, self.isConcerned(by: save) { self.postRefetch() }
      },
    ]
    """

  private static let ownContextMembers = [
    """
    /// Saves the user's changes on this screen to the store. Other screens of the entity fetch their lists again.
    func saveEdits() throws {
      if context.hasChanges { try context.save() }
    }
    """,
    """
    /// Returns the name of the notification that is posted for each changed entity after the last unit of a payload.
    static func imported(_ entityName: String) -> Notification.Name { Notification.Name("\\(entityName)Imported") }
    """,
    """
    private func postRefetch() {
      context.perform { [self] in
        do {
          try refetch()
        } catch {
          didFail(error)
        }
      }
    }
    """,
    """
    private func isConcerned(by save: Notification) -> Bool {
      guard let other = save.object as? NSManagedObjectContext, other !== context, other.name == context.name,
        other.persistentStoreCoordinator === context.persistentStoreCoordinator
      else { return false }
      return [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].contains { key in
        let touched = save.userInfo?[key] as? Set<NSManagedObject> ?? []
        return touched.contains { $0.entity.name == entityName }
      }
    }
    """,
  ]
}
