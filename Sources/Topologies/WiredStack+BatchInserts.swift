import ContextEngine
import MachineCore

// MARK: - Rows that no context has saved

extension WiredStack {
  /// Merges rows that a batch insert wrote into every context from the root down to each screen's context.
  ///
  /// The merges are posted and not waited for. Each context merges in a separate block, a parent before its child. A
  /// parent of several shown contexts merges once for each of them. This method may be called from any thread.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs of the inserted rows.
  ///   - willMerge: Called on the main queue when a context that is shown begins to merge.
  ///   - didMerge: Called on the main queue when that context has merged.
  package func mergeInserted(
    _ objectIDs: [ObjectID], willMerge: @escaping @Sendable () -> Void, didMerge: @escaping @Sendable () -> Void
  ) {
    for context in shownContexts {
      var chain = [context]
      while let parent = chain[0].parent { chain.insert(parent, at: 0) }
      BatchMerge(stack: self, objectIDs: objectIDs, willMerge: willMerge, didMerge: didMerge).post(into: chain[...])
    }
  }

  /// The contexts that screens show, each once. A UI context that lives as long as the app is included even if there
  /// are no screens.
  package var shownContexts: [ManagedObjectContext] {
    lastingContexts.filter { $0.name == topology.uiContext }
  }

  fileprivate func merge(_ objectIDs: [ObjectID], into context: ManagedObjectContext) {
    do throws(PersistenceError) {
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.inserted: objectIDs], into: [context])
    } catch {
      batchMergeFailed(in: context, error)
    }
  }
}

/// The merge of one batch insert on its way from the root to a context that is shown.
private struct BatchMerge: Sendable {
  unowned let stack: WiredStack
  let objectIDs: [ObjectID]
  let willMerge: @Sendable () -> Void
  let didMerge: @Sendable () -> Void

  func post(into chain: ArraySlice<ManagedObjectContext>) {
    guard let context = chain.first else { return }
    let rest = chain.dropFirst()
    context.post {
      guard rest.isEmpty else {
        stack.merge(objectIDs, into: context)
        return post(into: rest)
      }
      willMerge()
      stack.merge(objectIDs, into: context)
      didMerge()
    }
  }
}
