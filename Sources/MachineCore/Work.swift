/// A report of work done: a kind, how many, and bytes where the kind has them.
public struct Work: Hashable, Sendable {
  /// The kinds of work that a cost model can price.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// A block run by `perform`.
    case perform
    /// A block run by `performAndWait`, re-entrant ones included.
    case performAndWait
    /// A thread that was idle, or parked in line for a queue or a lock, was made to run.
    ///
    /// Only a simulated machine counts it: on a live one the system wakes threads unseen, and its count stays 0.
    case threadWoken
    /// A block begun by a thread that had slept, while its core's caches held other data.
    ///
    /// Only a simulated machine counts it.
    case coldStart
    /// A microsecond that a thread had slept before such a start: the longer it slept, the less of what its block needs
    /// is left in its core's caches.
    ///
    /// Only a simulated machine counts it, up to the time after which its device's caches hold nothing of the thread.
    case timeSlept
    case contextMade
    case notificationPosted
    case saveBegun
    /// A write transaction committed, key reservations included.
    case commit
    case statementPrepared
    /// A request for rows or for a save, for which a connection of a store was taken.
    case storeRequest
    /// A statement run, as SQLite's trace reports it, without PRAGMA.
    case statementRun
    /// A row of an entity or join table stepped.
    case rowStepped
    /// A row that a statement went over without returning it, because no index led to those that it was to find.
    case rowScanned
    /// A row that a statement sorted, since no index has the rows in the order that was asked for.
    case rowSorted
    /// A row of an entity or join table inserted, updated or deleted.
    case rowWritten
    /// An entry of an index that a written row adds, changes or removes.
    case indexEntryWritten
    case valueBound
    /// An element of a list that a statement looks for with `IN`.
    case keyListed
    /// A page read from a store's files, the database's or the write-ahead log's.
    case pageRead
    /// A page written to a store's files: database, journal or write-ahead log.
    ///
    /// What is less than a page, such as the header before a page in the log, adds bytes and no count.
    case pageWritten
    /// A file of a store handed to the device: what was written so far is there before what comes later.
    ///
    /// Its bytes are those written to the file since its last sync.
    case sync
    /// A sync after which the data are on the medium and not only in the device's own cache (`F_FULLFSYNC`).
    case fullFlush
    case objectRegistered
    /// An object that left its context's registry: nothing held it any more when its block ended, or the context was
    /// reset.
    case objectReleased
    /// An object went from fault to realised by access.
    case faultFired
    /// A row that a context handed to a context below it, for a fault that fired there.
    case rowShared
    case propertySet
    /// A relationship set, its inverse kept in step.
    case relationshipSet
    /// An object that changed for the first time since it was last saved.
    case objectChanged
    /// An object deleted in its context, its delete rules carried out.
    case objectDeleted
    /// A fetch request carried out by a context, whatever it finds.
    case fetchBegun
    /// An unsaved object that a fetch, or a changed one that a controller, held against its predicate in memory; without
    /// a predicate each passes, and counts.
    case objectTested
    /// A changed or deleted object whose changes were copied into a parent context.
    case objectPushed
    /// A new object copied into a parent context.
    case insertionPushed
    /// A merge of one save into a context, whatever the save names.
    case mergeBegun
    /// A new object named in a merge that the receiver had not registered.
    case insertionMerged
    /// A changed or deleted object named in a merge that the receiver had not registered.
    case changeMergedUnregistered
    /// An object named in a merge that was a fault in the receiver.
    case changeMergedFault
    /// An object named in a merge that was realised in the receiver.
    case changeMergedRealised
    /// An object handed to a merge policy or listed in its error.
    case conflict
    case controllerChange
    /// Two objects compared by the sort keys of a controller's list.
    case objectCompared
    /// An element of a controller's list that was gone over to find, take out or put in others.
    case listElementPassed
    case cellRead
    case recordDecoded
    /// A record that an importer looked up and applied, in the app's own code: its key and values read, its object found
    /// in a table or made.
    case recordApplied
    /// A record that one thread decoded and another reads for the first time.
    case recordReceived
    /// A decoded record given up after its import.
    case recordReleased
  }

  public var kind: Kind
  public var count: Int
  public var bytes: Int

  @inlinable
  public init(_ kind: Kind, count: Int = 1, bytes: Int = 0) {
    self.kind = kind
    self.count = count
    self.bytes = bytes
  }
}
