// What printed wirings use of Apple's Core Data, declared as its documentation declares it and without any behaviour: for
// the compiler to check what `stackbench topologies ID --format swift` prints where there is no such framework.

@_exported import Dispatch
@_exported import Foundation

// MARK: - Contexts

public enum NSManagedObjectContextConcurrencyType: UInt {
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

open class NSManagedObjectContext: NSObject {
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) { fatalError() }

  open func perform(_ block: @escaping () -> Void) {}
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

  open var name: String?
  open var parent: NSManagedObjectContext?
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  open var undoManager: UndoManager?
  open var mergePolicy: Any
  open var automaticallyMergesChangesFromParent: Bool
  open var hasChanges: Bool { fatalError() }

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
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { fatalError() }
}

/// Foundation has it on Apple's systems only.
open class UndoManager: NSObject {}

extension NSNotification.Name {
  public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
}

public let NSInsertedObjectsKey = "inserted"
public let NSUpdatedObjectsKey = "updated"
public let NSDeletedObjectsKey = "deleted"

// MARK: - Objects

open class NSManagedObjectID: NSObject {}

open class NSManagedObject: NSObject, NSFetchRequestResult {
  open var objectID: NSManagedObjectID { fatalError() }
  open var entity: NSEntityDescription { fatalError() }
  open func value(forKey key: String) -> Any? { fatalError() }
  open func setValue(_ value: Any?, forKey key: String) {}
  open func willAccessValue(forKey key: String?) {}
}

open class NSEntityDescription: NSObject {
  open var name: String?
  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject { fatalError() }
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

public var NSManagedObjectMergeError: Int { 133_020 }
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

// MARK: - Fetching

public protocol NSFetchRequestResult: NSObjectProtocol {}

open class NSPersistentStoreRequest: NSObject {}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  public init(entityName: String) { fatalError() }
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  open var fetchLimit: Int
  open var fetchBatchSize: Int
  open var propertiesToFetch: [Any]?
}

/// Foundation's takes no formats outside Apple's systems.
open class NSPredicate: NSObject {
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {}
}

public protocol NSFetchedResultsControllerDelegate: AnyObject {}

open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {}
  open weak var delegate: (any NSFetchedResultsControllerDelegate)?
  open func performFetch() throws {}
}

// MARK: - Batch inserts

open class NSBatchInsertRequest: NSPersistentStoreRequest {
  public init(entityName: String, objects dictionaries: [[String: Any]]) {}
  open var resultType: NSBatchInsertRequestResultType = .statusOnly
}

public enum NSBatchInsertRequestResultType: UInt {
  case statusOnly = 0
  case objectIDs = 1
  case count = 2
}

open class NSBatchInsertResult: NSObject {
  open var result: Any? { fatalError() }
}

// MARK: - The store

open class NSPersistentStoreCoordinator: NSObject {
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    fatalError()
  }
}

open class NSPersistentStoreDescription: NSObject {
  open var shouldAddStoreAsynchronously: Bool = false
  open func setOption(_ option: NSObject?, forKey key: String) {}
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {}
}

public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

open class NSPersistentContainer: NSObject {
  public init(name: String) { fatalError() }
  open var viewContext: NSManagedObjectContext { fatalError() }
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { fatalError() }
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
  }
  open func newBackgroundContext() -> NSManagedObjectContext { fatalError() }
}
