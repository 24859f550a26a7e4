import ContextEngine

// MARK: - Several coordinators

extension WiredStack {
  /// The author of the transactions of the first coordinator's contexts, if there are several coordinators.
  package static let firstAuthor = "app"

  /// Returns the coordinator of a context without a parent.
  func coordinator(of description: ContextDescription) -> PersistentStoreCoordinator {
    let place = description.coordinator.flatMap { topology.otherCoordinators.firstIndex(of: $0) }
    return place.map { otherCoordinators[$0] } ?? coordinator
  }

  /// Returns the author that history records for the context's transactions, by which its coordinator is recognised.
  func author(of description: ContextDescription) -> String {
    topology.coordinator(of: description.name) ?? options.author ?? Self.firstAuthor
  }

  /// Begins to merge remote changes into the lasting contexts with a name.
  func mergeRemoteChanges(into name: String) {
    let author = author(of: description(name))
    for context in lastingContexts where context.name == name {
      let merges = RemoteMerges(
        into: context, author: author,
        report: { [unowned self] in delegate.stack(self, didReach: $0, ofRemoteMergeInto: context) },
        didFail: { [unowned self] in delegate.stack(self, save: context, failedWith: $0) })
      do throws(PersistenceError) {
        try merges.start()
      } catch {
        delegate.stack(self, save: context, failedWith: error)
      }
      addRemoteMerges(merges)
    }
  }

  /// Returns true if no remote change waits to be merged. Runs one SELECT for each context that merges remote changes.
  ///
  /// - Throws: `PersistenceError` if a store cannot be read.
  package func hasMergedRemoteChanges() throws(PersistenceError) -> Bool {
    for merges in remoteMerges {
      guard try merges.isUpToDate() else { return false }
    }
    return true
  }

  /// Stops observing remote changes. Call this method before the stores are closed.
  package func stopMergingRemoteChanges() {
    for merges in remoteMerges { merges.stop() }
  }
}
