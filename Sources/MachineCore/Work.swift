/// A report of work: its kind, its count, and its number of bytes for kinds that have one.
public struct Work: Hashable, Sendable {
  /// The kinds of work that a cost model can price.
  ///
  /// The list is closed, because a cost model prices every kind, profiles name the kinds in this order, and
  /// fingerprints contain their numbers.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// A block run by `perform`.
    case perform
    /// A block run by `performAndWait`, re-entrant ones included.
    case performAndWait
    /// A wake-up of a thread that was idle, or that waited for a queue or a lock.
    ///
    /// A live machine does not see the system wake threads, so its count stays 0.
    case threadWoken
    /// A block that was begun by a thread that had slept, while its core's caches held other data.
    ///
    /// A live machine does not count it.
    case coldStart
    /// A microsecond that a thread had slept before a cold start. The longer it slept, the less of the data that its
    /// block needs is left in its core's caches.
    ///
    /// A live machine does not count it. A simulated machine counts up to the time after which its device's caches hold
    /// no data of the thread.
    case timeSlept
    case contextMade
    case notificationPosted
    case saveBegun
    /// A committed write transaction, including those that reserve keys.
    case commit
    case statementPrepared
    /// A request for rows or for a save that took a connection of a store.
    case storeRequest
    /// A run of a statement, as SQLite's trace reports it, except for PRAGMA statements.
    case statementRun
    /// A row of an entity table or join table that a statement returned.
    case rowStepped
    /// A row that a statement read without returning it, because it had no index to find the rows that it needed.
    case rowScanned
    /// A row that a statement sorted, because no index has the rows in the requested order.
    case rowSorted
    /// A row of an entity table or join table that was inserted, updated or deleted.
    case rowWritten
    /// An entry of an index that a written row adds, changes or removes.
    case indexEntryWritten
    case valueBound
    /// An element of a list that a statement looks for with `IN`.
    case keyListed
    /// A page that was read from a store's files: database or write-ahead log.
    case pageRead
    /// A page that was written to a store's files: database, journal or write-ahead log.
    ///
    /// A write of less than a page, such as the header before a page in the log, adds to the bytes and not to the
    /// count.
    case pageWritten
    /// A sync of a store's file: the data written so far reach the device before any later data.
    ///
    /// Its bytes are those that were written to the file since its last sync.
    case sync
    /// A sync after which the data are on the medium and not only in the device's cache (`F_FULLFSYNC`).
    case fullFlush
    case objectRegistered
    /// An object that left its context's registry, because it had no references at the end of a block or because the
    /// context was reset.
    case objectReleased
    /// A fault that was realised by an access.
    case faultFired
    /// A row that a context gave to a child context, for example for a fault that fired there.
    case rowShared
    case propertySet
    /// A relationship that was set together with its inverse.
    case relationshipSet
    /// The first change of an object since its last save.
    case objectChanged
    /// An object that was deleted in its context, including its delete rules.
    case objectDeleted
    /// A fetch request that a context executed, with or without results.
    case fetchBegun
    /// An object that was compared with a predicate in memory: an unsaved object by a fetch or a count, a new or
    /// changed object by a fetched results controller, or any object by the app. Objects count even if a request has no
    /// predicate.
    case objectTested
    /// A changed or deleted object whose changes were copied into the parent context.
    case objectPushed
    /// A new object that was copied into the parent context.
    case insertionPushed
    /// A merge of one save into a context, regardless of the objects that the save changed.
    case mergeBegun
    /// A new object in a merge that the receiving context had not registered.
    case insertionMerged
    /// A changed or deleted object in a merge that the receiving context had not registered.
    case changeMergedUnregistered
    /// An object in a merge that was a fault in the receiving context.
    case changeMergedFault
    /// An object in a merge that was realised in the receiving context.
    case changeMergedRealised
    /// An object that was given to a merge policy or listed in its error.
    case conflict
    case controllerChange
    /// A comparison of two objects by the sort keys of a controller's list.
    case objectCompared
    /// An element of a controller's list that was passed to find, remove or insert other elements.
    case listElementPassed
    case cellRead
    case recordDecoded
    /// A record that an importer applied in the app's code: it read the key and the values, and found the object in a
    /// table or made it.
    case recordApplied
    /// A record that one thread decoded and another thread reads for the first time.
    case recordReceived
    /// A decoded record that was released after its import.
    case recordReleased
    /// A notification of a save that an observer gave to a context for a merge.
    case notificationMerged
    /// A change that a large save into a store comes back to. A save of n changes counts n for each doubling of n above
    /// 256, because each doubling made the published saves take 2 to 3 % longer per object.
    case changeRevisited
    /// A row that a statement of a batch update or a batch deletion changed or deleted together with others.
    case batchRowWritten
    /// A text that a statement compared with another text or with a pattern, or changed into its form for sorting.
    case textTested
  }

  /// The kind of the work.
  public var kind: Kind
  /// The number of units of the work, such as statements, rows or microseconds.
  public var count: Int
  /// The number of bytes of the work, or 0 if its kind has no bytes.
  public var bytes: Int

  /// Creates a report of work. The default is one unit without bytes.
  @inlinable
  public init(_ kind: Kind, count: Int = 1, bytes: Int = 0) {
    self.kind = kind
    self.count = count
    self.bytes = bytes
  }
}
