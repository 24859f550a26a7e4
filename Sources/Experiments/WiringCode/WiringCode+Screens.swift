import Topologies

/// The user's edits, and the lists of screens.
extension WiringCode {
  /// The functions that save the user's edits, and a form whose parent is not the UI's context.
  @CodeBuilder var editMembers: [Code] {
    let context = ui.name
    if shape.hasContextPerScreen {
      let note = "the user's changes on a screen to the store. Other screens of the same entities fetch again."
      edits(note, of: "on screen: Screen") {
        "let context = screen.context"
        "guard context.hasChanges else { return }"
        "let changed = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)"
        "let touched = Set(changed.compactMap(\\.entity.name))"
        saved(ui, named: "context")
        "refetchLater { $0 !== screen && touched.contains($0.entityName) }"
      }
    } else {
      let goes = root.map { "into \($0), which saves to the store later" } ?? "to the store"
      edits("the user's changes in \(context) \(goes).") {
        let note: Code = "Stackbench measures the stack without it."
        savedChanges(of: ui, before: permanentIDs(for: "the user's new objects", in: context, note: note))
        if root != nil { "saveRootLater()" }
      }
    }
    if shape.formsBypassUI, let form = shape.form, let parent = form.parent {
      let note = "the changes of a form into \(parent), which saves to the store later. \(context) then merges them."
      edits(note, of: "in form: NSManagedObjectContext") {
        savedChanges(of: form, named: "form")
        "saveRootLater()"
      }
    }
  }

  /// Returns a function that saves edits.
  private func edits(_ note: String, of parameter: String = "", @CodeBuilder _ statements: () -> Code) -> Code {
    """
    /// Saves \(note)
    func saveEdits(\(parameter)) throws {
      \(measured(.edit, statements))
    }
    """
  }

  @CodeBuilder var listMembers: [Code] {
    if shape.refetches {
      screenMaking
      refetching
      "private struct WeakScreen {\n  weak var screen: Screen?\n}"
      nested(screen)
    } else {
      """
      /// Returns the list of a screen, which follows \(ui.name) as long as it has a delegate.
      func makeList(
        of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor],
        delegate: any NSFetchedResultsControllerDelegate
      ) throws -> NSFetchedResultsController<NSManagedObject> {
        \(fetching(in: ui.name))
        list.delegate = delegate
        \(measured(.fetch) { "try list.performFetch()" })
        return list
      }
      """
    }
  }

  /// Returns the statements that make a fetched results controller in `context`, without its first fetch.
  @CodeBuilder private func fetching(in context: String) -> Code {
    """
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.sortDescriptors = sortDescriptors
    """
    if options.run.fetchBatchSize != 0 {
      if ui.parent != nil { "// Has no effect in a context whose parent is a context, which fetches all rows." }
      "request.fetchBatchSize = \(options.run.fetchBatchSize)"
    }
    if let names = options.run.propertiesToFetch {
      "request.propertiesToFetch = [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
    } else if topology.fetchesShownProperties {
      "// Any other property of an object costs a query."
      "request.propertiesToFetch = shownProperties"
    }
    """
    let list = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: \(context), sectionNameKeyPath: nil, cacheName: nil)
    """
  }

  var showsGivenProperties: Bool { topology.fetchesShownProperties && options.run.propertiesToFetch == nil }
}

// MARK: - Screens that fetch again

extension WiringCode {
  private var screenMaking: Code {
    let isOwn = shape.hasContextPerScreen
    let (parameter, argument) =
      showsGivenProperties ? (", showing shownProperties: [String]", ", shownProperties: shownProperties") : ("", "")
    return """
      /// Returns a screen\(isOwn ? " with its own context" : ""). Its list is fetched, and fetched again \
      while the screen exists.
      func makeScreen(
        of entityName: String, sortedBy sortDescriptors: [NSSortDescriptor]\(parameter)
      ) throws -> Screen {
        \(isOwn ? Self.makingContext(in: nil, named: ui.name) : nil)
        let screen = Screen(
          context: \(isOwn ? "context" : ui.name), entityName: entityName, sortDescriptors: sortDescriptors\(argument))
        screens.removeAll { $0.screen == nil }
        screens.append(WeakScreen(screen: screen))
        try screen.refetch()
        return screen
      }
      """
  }

  private var refetching: Code {
    shape.hasContextPerScreen
      ? """
      /// Fetches the lists of some screens again, each in a separate block, so that frames can be drawn in between.
      private func refetchLater(_ isConcerned: (Screen) -> Bool) {
        for screen in screens.compactMap(\\.screen) where isConcerned(screen) {
          Task {
            do { try screen.refetch() } catch { didFail(error) }
          }
        }
      }
      """
      : """
      /// Resets \(ui.name) and fetches each screen's list again, in one block. Save edits before you call it.
      private func refetchAll() {
        \(Self.catching(
          measured(.reset) {
            "\(ui.name).reset()"
            "for screen in screens.compactMap(\\.screen) { try screen.refetch() }"
          }))
      }
      """
  }

  private var screen: Code {
    let shown = showsGivenProperties
    let parameter = shown ? ",\nshownProperties: [String]" : ""
    let stored = ["context", "entityName", "sortDescriptors"] + (shown ? ["shownProperties"] : [])
    let fetch = [fetching(in: "context"), "try list.performFetch()", "self.list = list", "reload()"]
    let resetting = measured(.reset) { ["context.reset()"] + fetch }
    return """
      /// A list that is fetched again after each payload, instead of following the changes.
      @MainActor
      final class Screen {
        let context: NSManagedObjectContext
        let entityName: String
        private let sortDescriptors: [NSSortDescriptor]
        \(shown ? "private let shownProperties: [String]" : "")
        private(set) var list: NSFetchedResultsController<NSManagedObject>?
        /// Shows the rows of the list, as a table view's reloadData() does.
        var reload: () -> Void = {}

        fileprivate init(
          context: NSManagedObjectContext, entityName: String, sortDescriptors: [NSSortDescriptor]\(parameter)
        ) {
          \(stored.map { "self.\($0) = \($0)" })
        }

        /// Replaces the list with a new one and shows its rows. Unsaved edits are lost.
        fileprivate func refetch() throws {
          list = nil
          \(shape.hasContextPerScreen ? resetting : "\(fetch)")
        }
      }
      """
  }
}
