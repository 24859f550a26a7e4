import Topologies

/// The user's edits, and the lists of screens.
extension WiringCode {
  var editMembers: [String] { [hasContextPerScreen ? screenEdits : edits] + (formsBypassUI ? [formEdits] : []) }

  var listMembers: [String] {
    refetches ? [screenMaking, refetching, Self.weakScreen, screen] : [followingList]
  }

  private var edits: String {
    let context = uiContext.name
    let permanentIDs = """
      // Without this call, the user's new objects keep temporary IDs in \(context), because a save of \(root ?? "") gives
      // permanent IDs to \(root ?? "")'s objects only. Stackbench measures the stack without it.
      try \(context).obtainPermanentIDs(for: Array(\(context).insertedObjects))
      """
    let statements =
      ["guard \(context).hasChanges else { return }"] + (editsNeedPermanentIDs ? [permanentIDs] : [])
      + [saved(uiContext)] + (root == nil ? [] : ["saveRootLater()"])
    let goes = root.map { "into \($0), which saves to the store later" } ?? "to the store"
    return """
      /// Saves the user's changes in \(context) \(goes).
      func saveEdits() throws {
      \(Self.indented(measured(.edit, statements: statements.joined(separator: "\n"))))
      }
      """
  }

  /// The function that saves a form whose parent is not the UI's context.
  private var formEdits: String {
    let parent = formParent ?? ""
    let statements = """
      guard form.hasChanges else { return }
      \(measured(.push, statements: "try form.save()"))
      saveRootLater()
      """
    return """
      /// Saves the changes of a form into \(parent), which saves to the store later. \(uiContext.name) then merges them.
      func saveEdits(in form: NSManagedObjectContext) throws {
      \(Self.indented(measured(.edit, statements: statements)))
      }
      """
  }

  private var screenEdits: String {
    let statements = """
      let context = screen.context
      guard context.hasChanges else { return }
      let changed = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
      let touched = Set(changed.compactMap(\\.entity.name))
      \(saved(uiContext, named: "context"))
      refetchLater { $0 !== screen && touched.contains($0.entityName) }
      """
    return """
      /// Saves the user's changes on a screen to the store. Other screens of the same entities fetch again.
      func saveEdits(on screen: Screen) throws {
      \(Self.indented(measured(.edit, statements: statements)))
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

  var showsGivenProperties: Bool { topology.fetchesShownProperties && options.propertiesToFetch == nil }
}

// MARK: - Lists that follow

extension WiringCode {
  private var followingList: String {
    """
    /// Returns the list of a screen, which follows \(uiContext.name) as long as it has a delegate.
    func makeList(
      of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor],
      delegate: any NSFetchedResultsControllerDelegate
    ) throws -> NSFetchedResultsController<NSManagedObject> {
    \(Self.indented(fetching(in: uiContext.name)))
      list.delegate = delegate
    \(Self.indented(measured(.fetch, statements: "try list.performFetch()")))
      return list
    }
    """
  }
}

// MARK: - Screens that fetch again

extension WiringCode {
  private var screenMaking: String {
    let shown = showsGivenProperties ? ", showing shownProperties: [String]" : ""
    let passed = showsGivenProperties ? ", shownProperties: shownProperties" : ""
    let context =
      hasContextPerScreen
      ? """

        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        Self.configure(context, named: "\(uiContext.name)")
      """ : ""
    return """
      /// Returns a screen\(hasContextPerScreen ? " with its own context" : ""). Its list is fetched, and fetched again \
      while the screen exists.
      func makeScreen(
        of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor]\(shown)
      ) throws -> Screen {\(context)
        let screen = Screen(
          context: \(hasContextPerScreen ? "context" : uiContext.name), entityName: entityName, \
      sortDescriptors: sortDescriptors\(passed))
        screens.removeAll { $0.screen == nil }
        screens.append(WeakScreen(screen: screen))
        try screen.refetch()
        return screen
      }
      """
  }

  private var refetching: String {
    if hasContextPerScreen {
      return """
        /// Fetches the lists of some screens again, each in a separate block, so that frames can be drawn in between.
        private func refetchLater(_ isConcerned: (Screen) -> Bool) {
          for screen in screens.compactMap(\\.screen) where isConcerned(screen) {
            Task {
              do { try screen.refetch() } catch { didFail(error) }
            }
          }
        }
        """
    }
    let context = uiContext.name
    let statements = """
      \(context).reset()
      for screen in screens.compactMap(\\.screen) { try screen.refetch() }
      """
    return """
      /// Resets \(context) and fetches each screen's list again, in one block. Save edits before you call it.
      private func refetchAll() {
        do {
      \(Self.indented(measured(.reset, statements: statements), by: 4))
        } catch {
          didFail(error)
        }
      }
      """
  }

  private static let weakScreen = """
    private struct WeakScreen {
      weak var screen: Screen?
    }
    """

  private var screen: String {
    let properties = [
      "let context: NSManagedObjectContext", "let entityName: String",
      "private let sortDescriptors: [NSSortDescriptor]",
      showsGivenProperties ? "private let shownProperties: [String]" : nil,
      "private(set) var list: NSFetchedResultsController<NSManagedObject>?",
      "/// Shows the rows of the list, as a table view's reloadData() does.", "var reload: () -> Void = {}",
    ].compactMap(\.self)
    let shown = showsGivenProperties ? ",\n    shownProperties: [String]" : ""
    let stored = ["context", "entityName", "sortDescriptors"] + (showsGivenProperties ? ["shownProperties"] : [])
    let fetch = "\(fetching(in: "context"))\ntry list.performFetch()\nself.list = list\nreload()"
    let refetch = hasContextPerScreen ? measured(.reset, statements: "context.reset()\n\(fetch)") : fetch
    return nested(
      """
      /// A list that is fetched again after each payload, instead of following the changes.
      @MainActor
      final class Screen {
      \(Self.indented(properties.joined(separator: "\n")))

        fileprivate init(
          context: NSManagedObjectContext, entityName: String, sortDescriptors: [NSSortDescriptor]\(shown)
        ) {
      \(Self.indented(stored.map { "self.\($0) = \($0)" }.joined(separator: "\n"), by: 4))
        }

        /// Replaces the list with a new one and shows its rows. Unsaved edits are lost.
        fileprivate func refetch() throws {
          list = nil
      \(Self.indented(refetch, by: 4))
        }
      }
      """)
  }
}
