import MachineCore

/// A notification that a context posts before and after a save.
///
/// A did-save notification keeps its objects alive, and with them their rows in the row cache, until its last copy is
/// destroyed.
public struct SaveNotification: Sendable {
  /// The context that saved.
  public let context: ManagedObjectContext
  /// The new objects of the saving context, in the order in which they were changed.
  public let inserted: [ManagedObject]
  /// The changed objects of the saving context, in the order in which they were changed. They include objects of which
  /// only a to-many relationship changed.
  public let updated: [ManagedObject]
  /// The deleted objects of the saving context, in the order in which they were changed.
  public let deleted: [ManagedObject]
  /// The IDs of the new objects when the notification was posted: permanent in a did-save of a context on a
  /// coordinator, temporary in that of a child.
  public let insertedIDs: [ObjectID]
  /// The IDs of the changed objects, parallel to `updated`.
  public let updatedIDs: [ObjectID]
  /// The IDs of the deleted objects, parallel to `deleted`.
  public let deletedIDs: [ObjectID]
  /// The instant at which COMMIT returned, or nil if there was no commit: before the save, in a save into a parent
  /// context, or in a save without changes.
  public let committedAt: Instant?
  /// The token of the save's transaction in persistent history, or nil before the save and if it wrote no history.
  public let historyToken: PersistentHistoryToken?
  /// The number of the save among the saves of all contexts of the coordinator, from 1. It is the same before and after
  /// the save, and 0 for a save without changes.
  package let number: Int

  /// A Boolean value that is true if the save has no objects, because there were no changes or a merge policy gave up
  /// all of them.
  public var isEmpty: Bool { insertedIDs.isEmpty && updatedIDs.isEmpty && deletedIDs.isEmpty }

  init(
    context: ManagedObjectContext, number: Int, inserted: [ManagedObject], updated: [ManagedObject],
    deleted: [ManagedObject], commit: Commit?
  ) {
    self.context = context
    self.number = number
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    insertedIDs = inserted.heldObjectIDs
    updatedIDs = updated.heldObjectIDs
    deletedIDs = deleted.heldObjectIDs
    committedAt = commit?.instant
    historyToken = commit?.historyToken
  }

  /// The result of a save into stores.
  struct Commit {
    /// The instant at which COMMIT returned.
    var instant: Instant
    var historyToken: PersistentHistoryToken?
  }
}

/// The objects that changed in a context since it last posted such a notification.
public struct ChangeNotification: Sendable {
  /// The context whose objects changed.
  public let context: ManagedObjectContext
  /// The new objects.
  public let inserted: [ManagedObject]
  /// The objects that were changed in the context.
  public let updated: [ManagedObject]
  /// The deleted objects.
  public let deleted: [ManagedObject]
  /// The objects whose values were replaced, for example by a merge, a refresh or a rollback.
  public let refreshed: [ManagedObject]
  /// Indicates whether `reset` dropped all objects.
  public let invalidatedAll: Bool
  package let origin: Origin

  /// The operation that led to the notification.
  package enum Origin: Sendable {
    case processing
    /// A child's save copied its changes in.
    case push(from: ManagedObjectContext)
    case merge
    case reset
  }

  init(context: ManagedObjectContext, origin: Origin, event: ControllerEvent.Changes) {
    self.context = context
    self.origin = origin
    inserted = event.inserted
    updated = event.updated.map(\.object)
    deleted = event.deleted
    refreshed = event.refreshed.map(\.object)
    invalidatedAll = false
  }

  init(context: ManagedObjectContext, origin: Origin, invalidatedAll: Bool) {
    self.context = context
    self.origin = origin
    inserted = []
    updated = []
    deleted = []
    refreshed = []
    self.invalidatedAll = invalidatedAll
  }
}

/// A notification about a merge of another context's save. It is posted when automatic merging posts the merge to the
/// context's queue, when the merge begins, and when it ends.
package struct MergeNotification: Sendable {
  package enum Stage: Sendable {
    case posted
    case begun
    case ended
  }

  package let context: ManagedObjectContext
  package let stage: Stage
  package let save: SaveNotification
}

/// A row that a save looks for in the lists of a context's controllers.
// `@unchecked Sendable`: it is used on the context's queue only.
final class SoughtRow: @unchecked Sendable {
  let objectID: ObjectID
  /// True if a list has the row.
  var isListed = false

  init(_ objectID: ObjectID) {
    self.objectID = objectID
  }
}

/// An event that a context reports to its fetched results controllers.
enum ControllerEvent: Sendable {
  case changed(Changes)
  /// New objects got permanent IDs.
  case rekeyed(PermanentIDs)
  /// A merge contained deletions of objects that the context has not registered. A batched list may still hold their
  /// IDs.
  case deletedElsewhere([ObjectID])
  /// A save looks for a row that the context has not registered. A batched list may still hold its ID.
  case sought(SoughtRow)
  case invalidatedAll

  struct Changes: Sendable {
    var inserted: [ManagedObject] = []
    var updated: [ChangedObject] = []
    var deleted: [ManagedObject] = []
    var refreshed: [ChangedObject] = []
    /// The rows before the event of those updated and deleted objects that already had unsaved changes.
    var earlierRows: [ObjectIdentifier: Row] = [:]
    /// The slots in which the event had changed objects before it deleted them.
    var deletedSlots: [ObjectIdentifier: SlotSet] = [:]
  }

  /// An object and the slots in which it changed.
  struct ChangedObject: Sendable {
    var object: ManagedObject
    var slots: SlotSet
  }
}

// MARK: - Observing

extension ManagedObjectContext {
  /// Calls `body` in each save, before the changes are written, on the context's queue.
  ///
  /// A save without changes is reported too, with `isEmpty`.
  ///
  /// - Returns: A token that ends the observation.
  public func observeWillSave(_ body: @escaping @Sendable (SaveNotification) -> Void) -> ObserverToken {
    willSaveObservers.add(body)
  }

  /// Calls `body` in each save, after it has succeeded, on the context's queue.
  ///
  /// A save without changes is reported too, with `isEmpty`. An observer that saves the same context must check that
  /// first.
  ///
  /// - Returns: A token that ends the observation.
  public func observeDidSave(_ body: @escaping @Sendable (SaveNotification) -> Void) -> ObserverToken {
    didSaveObservers.add(body)
  }

  /// Calls `body` whenever pending changes are processed (at the end of `perform`, in a save, a push or a merge), on
  /// the context's queue.
  ///
  /// - Returns: A token that ends the observation.
  public func observeDidChange(_ body: @escaping @Sendable (ChangeNotification) -> Void) -> ObserverToken {
    didChangeObservers.add(body)
  }

  /// Calls `body` when a merge into this context is posted (on the saving context's queue), begins and ends (on this
  /// context's queue).
  ///
  /// - Returns: A token that ends the observation.
  package func observeMerges(_ body: @escaping @Sendable (MergeNotification) -> Void) -> ObserverToken {
    didMergeObservers.add(body)
  }

  func post(_ notification: ChangeNotification) {
    machine.account(Work(.notificationPosted))
    didChangeObservers.notify(notification)
  }

  func post(_ notification: SaveNotification, to observers: ObserverList<SaveNotification>) {
    machine.account(Work(.notificationPosted))
    observers.notify(notification)
  }
}
