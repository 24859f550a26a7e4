import Topologies

/// The merges of other contexts' saves that the framework does not do automatically.
extension WiringCode {
  /// The statements of the initialiser that observe saves to merge them, and that mark automatic merges.
  var mergeStatements: [String] {
    observedMerges.map { merge in
      isArray(merge.source)
        ? "for \(merge.source.name) in \(property(merge.source)) { \(call(of: merge, merge.source.name)) }"
        : call(of: merge, merge.source.name)
    }
      + (hasSignposts ? topology.contexts.filter(mergesAutomatically).map(mergeEvent) : [])
  }

  /// Returns the call that merges the saves of the context with a name as a rule does.
  func call(of merge: (source: ContextDescription, target: ContextDescription), _ source: String) -> String {
    observedMerges.count > 1 ? "mergeSaves(of: \(source), into: \(merge.target.name))" : "mergeSaves(of: \(source))"
  }

  /// Returns the statement that marks the end of each automatic merge, whose beginning cannot be observed.
  private func mergeEvent(_ context: ContextDescription) -> String {
    """
    // An automatic merge has an observable end and no observable beginning: an event, not an interval.
    observers.append(
      NotificationCenter.default.addObserver(
        forName: NSManagedObjectContext.didMergeChangesObjectIDsNotification, object: \(context.name), queue: nil
      ) { _ in Self.signposter.emitEvent("merge") })
    """
  }

  var mergeMembers: [String] {
    guard let merge = observedMerges.first else { return [] }
    guard observedMerges.count == 1 else { return [mergingAny] }
    return [merging(merge)] + (merge.target.firesUpdatedObjectsBeforeMerging ? [firing] : [])
  }

  private func merging(_ merge: (source: ContextDescription, target: ContextDescription)) -> String {
    let (source, target) = (merge.source.name, merge.target.name)
    let fires = merge.target.firesUpdatedObjectsBeforeMerging
    let note =
      fires
      ? """
      /// A save of changes that \(target) had pushed is merged as well. This costs a refresh and changes nothing.
      """
      : Self.comment(
        [
          "`\(target).automaticallyMergesChangesFromParent = true` does the same in one line\(automaticVariant). Use an "
            + "observer to choose which saves to merge."
        ], width: 112)
    let statements =
      (fires ? "Self.fireUpdated(in: save, for: \(target))\n" : "") + "\(target).mergeChanges(fromContextDidSave: save)"
    return """
      /// Merges each save of \(source) into \(target). The observer runs inside the save, on \(source)'s queue, and
      /// therefore only posts the merge.
      ///
      \(note)
      private func mergeSaves(of \(source): NSManagedObjectContext) {
        let observer = NotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextDidSave, object: \(source), queue: nil
        ) { [\(target)] notification in
          // The notification may be passed to another thread. Its merge needs only the queue of the receiver.
          nonisolated(unsafe) let save = notification
          \(target).perform {
      \(Self.indented(measured(.merge, statements: statements, throwing: false), by: 6))
          }
        }
        observers.append(observer)
      }
      """
  }

  /// A part of a sentence that names the variant with automatic merging, or an empty text if the stack has none.
  private var automaticVariant: String {
    let title = "\(topology.id)/automatic"
    return Topology.named(title) == nil ? "" : ", as in the variant \(title)"
  }

  /// The function that merges the saves of one context into another, in stacks with several such pairs.
  private var mergingAny: String {
    """
    /// Merges each save of a context into another. The observer runs inside the save, on the source's queue, and
    /// therefore only posts the merge.
    private func mergeSaves(of source: NSManagedObjectContext, into target: NSManagedObjectContext) {
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: source, queue: nil
      ) { notification in
        // The notification may be passed to another thread. Its merge needs only the queue of the receiver.
        nonisolated(unsafe) let save = notification
        target.perform {
    \(Self.indented(measured(.merge, statements: "target.mergeChanges(fromContextDidSave: save)", throwing: false), by: 6))
        }
      }
      observers.append(observer)
    }
    """
  }

  private var firing: String {
    """
    /// Realises the updated objects: a merge ignores faults, and then fetched results controllers miss the change.
    private nonisolated static func fireUpdated(in save: Notification, for context: NSManagedObjectContext) {
      let updated = save.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      for object in updated { context.object(with: object.objectID).willAccessValue(forKey: nil) }
    }
    """
  }
}
