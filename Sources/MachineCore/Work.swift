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
    case valueBound
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
    case propertySet
    /// An unsaved object that a fetch, or a changed one that a controller, held against its predicate in memory; without
    /// a predicate each passes, and counts.
    case objectTested
    /// An object's changes copied into a parent context.
    case objectPushed
    /// A merge of one save into a context, whatever the save names.
    case mergeBegun
    /// An object named in a merge that the receiver had not registered.
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
