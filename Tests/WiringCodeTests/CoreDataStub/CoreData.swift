// Declarations of Apple's Core Data that printed wirings use, without any behaviour. Where the framework does not
// exist, the compiler checks the output of `stackbench topologies ID --format swift` against them.
//
// No declaration is meant to permit more than Apple's does. They were written without an SDK at hand and not compared
// with its headers or interfaces: what follows is assumed, with the place at which to check it.
// - NSManagedObjectContext, NSPersistentContainer, NSPersistentStoreCoordinator and NSManagedObjectID are Sendable:
//   they are annotated so in the headers of the SDKs since iOS 17 and macOS 14 (Xcode 15).
// - NSManagedObject, NSFetchRequest, NSFetchedResultsController and NSPersistentStoreDescription are not Sendable in
//   these headers. The conformances are marked unavailable here. All other classes are not Sendable either.
// - `perform(schedule:_:)` is a nonisolated `async rethrows` method since iOS 15. Its block escapes and is not
//   @Sendable, and its result need not be Sendable: the documentation of NSManagedObjectContext.
// - The blocks of `perform(_:)` and `loadPersistentStores(completionHandler:)` are not @Sendable: the documentation of
//   both. The latter runs on any thread and has no async form.
// - The flag SENDABLE_BLOCKS makes all these blocks @Sendable and results Sendable, in case a header is stricter than
//   its documentation says. Printed code must compile with and without it.
// - NSFetchedResultsController, its delegate and the view context are not bound to the main actor: their documentation.
// - `didMergeChangesObjectIDsNotification` is a class property of NSManagedObjectContext since iOS 14: its
//   documentation.
// - NSPredicate and NSSortDescriptor are stricter than Apple's, which are Sendable in recent SDKs.

@_exported import Dispatch
@_exported import Foundation

// MARK: - Contexts

/// A state of the store that a context can be pinned to.
open class NSQueryGenerationToken: NSObject {
  /// Declares the token of the newest state. Traps.
  open class var current: NSQueryGenerationToken { fatalError() }
}

/// The kinds of queues on which a context works.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// Declares the initialiser of a context. Traps.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) { fatalError() }

  /// The ways in which `perform(schedule:_:)` schedules its block.
  public enum ScheduledTaskType: Sendable {
    case immediate
    case enqueued
  }

  #if SENDABLE_BLOCKS
    open func perform(_ block: @escaping @Sendable () -> Void) {}
    /// Declares the async method that runs a block on the context's queue. Traps.
    public func perform<T: Sendable>(
      schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T { fatalError() }
  #else
    open func perform(_ block: @escaping () -> Void) {}
    /// Declares the async method that runs a block on the context's queue. Traps.
    public func perform<T>(
      schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> T
    ) async rethrows -> T { fatalError() }
  #endif
  /// Runs `block` on the calling thread, and returns its result or throws its error.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

  open var name: String?
  open var parent: NSManagedObjectContext?
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  open var undoManager: ContextUndoManager?
  open var mergePolicy: Any
  open var automaticallyMergesChangesFromParent: Bool
  open var retainsRegisteredObjects: Bool
  open var transactionAuthor: String?
  open var hasChanges: Bool { fatalError() }
  open var insertedObjects: Set<NSManagedObject> { fatalError() }
  open var updatedObjects: Set<NSManagedObject> { fatalError() }
  open var deletedObjects: Set<NSManagedObject> { fatalError() }

  /// Declares the method that executes a request. Traps.
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { fatalError() }
  open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {}
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {}
  open func save() throws {}
  open func reset() {}
  open func rollback() {}
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {}
  open func delete(_ object: NSManagedObject) {}
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { fatalError() }
  open func mergeChanges(fromContextDidSave notification: Notification) {}
  open class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {}
  /// Declares the method that fetches objects. Traps.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { fatalError() }

  /// The name of the notification that a context has merged the changes of a save.
  public static let didMergeChangesObjectIDsNotification = Notification.Name("didMergeChangesObjectIDs")
}

/// Foundation has it on Apple's systems only.
open class ContextUndoManager: NSObject {}

extension NSNotification.Name {
  /// The name of the notification that a context has saved.
  public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
}

/// The key of the inserted objects in the notification of a save.
public let NSInsertedObjectsKey = "inserted"
/// The key of the updated objects in the notification of a save.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects in the notification of a save.
public let NSDeletedObjectsKey = "deleted"

// MARK: - Objects

open class NSManagedObjectID: NSObject, @unchecked Sendable {}

open class NSManagedObject: NSObject, NSFetchRequestResult {
  open var objectID: NSManagedObjectID { fatalError() }
  open var entity: NSEntityDescription { fatalError() }
  open func value(forKey key: String) -> Any? { fatalError() }
  open func setValue(_ value: Any?, forKey key: String) {}
  open func willAccessValue(forKey key: String?) {}
}

@available(*, unavailable)
extension NSManagedObject: Sendable {}

open class NSEntityDescription: NSObject {
  open var name: String?
  open var relationshipsByName: [String: NSRelationshipDescription] { fatalError() }
  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject { fatalError() }
}

open class NSRelationshipDescription: NSObject {
  open var isOrdered: Bool { fatalError() }
}

// MARK: - Conflicts

open class NSMergePolicy: NSObject {
  open class var error: NSMergePolicy { fatalError() }
  open class var mergeByPropertyStoreTrump: NSMergePolicy { fatalError() }
  open class var mergeByPropertyObjectTrump: NSMergePolicy { fatalError() }
  open class var overwrite: NSMergePolicy { fatalError() }
  open class var rollback: NSMergePolicy { fatalError() }
}

open class NSMergeConflict: NSObject {
  open var sourceObject: NSManagedObject { fatalError() }
}

/// The code of the error that a save with conflicts throws.
public var NSManagedObjectMergeError: Int { 133_020 }
/// The key of the conflicts in the error of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

// MARK: - Fetching

/// The protocol of the results of a fetch request.
public protocol NSFetchRequestResult: NSObjectProtocol {}

open class NSPersistentStoreRequest: NSObject {}

@available(*, unavailable)
extension NSPersistentStoreRequest: Sendable {}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  /// Declares the initialiser of a request for an entity. Traps.
  public init(entityName: String) { fatalError() }
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  open var fetchBatchSize: Int
  open var propertiesToFetch: [Any]?
}

/// The class of Foundation has no formats outside Apple's systems.
open class NSPredicate: NSObject {
  /// Declares the initialiser of a predicate from a format. It ignores its arguments.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {}
}

/// The class of Foundation has no keys outside Apple's systems.
open class NSSortDescriptor: NSObject {
  /// Declares the initialiser of a sort descriptor. It ignores its arguments.
  public init(key: String?, ascending: Bool) {}
}

/// The protocol of a controller's delegate, without its methods.
public protocol NSFetchedResultsControllerDelegate: AnyObject {}

open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  /// Declares the initialiser of a fetched results controller. It ignores its arguments.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {}
  open weak var delegate: (any NSFetchedResultsControllerDelegate)?
  open var fetchedObjects: [ResultType]? { fatalError() }
  open func performFetch() throws {}
}

@available(*, unavailable)
extension NSFetchedResultsController: Sendable {}

// MARK: - Batch inserts

open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// Declares the initialiser of a batch insert. It ignores its arguments.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {}
  open var resultType: NSBatchInsertRequestResultType = .statusOnly
}

/// The kinds of results of a batch insert.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  case statusOnly = 0
  case objectIDs = 1
  case count = 2
}

open class NSPersistentStoreResult: NSObject {}

open class NSBatchInsertResult: NSPersistentStoreResult {
  open var result: Any? { fatalError() }
}

// MARK: - History

open class NSPersistentHistoryToken: NSObject {}

open class NSPersistentHistoryTransaction: NSObject {
  open var author: String? { fatalError() }
  open var token: NSPersistentHistoryToken { fatalError() }
  open func objectIDNotification() -> Notification { fatalError() }
}

open class NSPersistentHistoryResult: NSPersistentStoreResult {
  open var result: Any? { fatalError() }
}

open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { fatalError() }
}

extension NSNotification.Name {
  /// The name of the notification that a store was written to, by this process or another.
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// The key of the option that makes a store keep its history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The key of the option that makes a store post a notification of each write.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"

// MARK: - The store

open class NSManagedObjectModel: NSObject {}

open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// Declares the initialiser of a coordinator. It ignores its argument.
  public init(managedObjectModel model: NSManagedObjectModel) {}
  #if SENDABLE_BLOCKS
    open func addPersistentStore(
      with storeDescription: NSPersistentStoreDescription,
      completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
    }
  #else
    open func addPersistentStore(
      with storeDescription: NSPersistentStoreDescription,
      completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
    }
  #endif
  open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? { fatalError() }
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    fatalError()
  }
}

open class NSPersistentStoreDescription: NSObject {
  open var shouldAddStoreAsynchronously: Bool = false
  open func setOption(_ option: NSObject?, forKey key: String) {}
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {}
}

@available(*, unavailable)
extension NSPersistentStoreDescription: Sendable {}

/// The key of the option for the largest number of a store's connections.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// Declares the initialiser of a container from the name of a model. Traps.
  public init(name: String) { fatalError() }
  open var viewContext: NSManagedObjectContext { fatalError() }
  open var managedObjectModel: NSManagedObjectModel { fatalError() }
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { fatalError() }
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  #if SENDABLE_BLOCKS
    open func loadPersistentStores(
      completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
    }
  #else
    open func loadPersistentStores(
      completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
    }
  #endif
  open func newBackgroundContext() -> NSManagedObjectContext { fatalError() }
}
