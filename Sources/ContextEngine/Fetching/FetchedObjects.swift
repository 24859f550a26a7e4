import MachineCore

/// The result of a fetch: objects in order, all there or loaded in batches as they are read.
///
/// Belongs to its context's queue. A batched result knows all IDs and reads the rows of one batch when an object of it is
/// first asked for, by one SELECT; it keeps every batch that it has loaded until it goes (ours: Core Data lets some go).
// `@unchecked Sendable`: used on the context's queue only, like the objects in it.
public final class FetchedObjects: @unchecked Sendable {
  public let entity: EntityDescription
  unowned let context: ManagedObjectContext
  let batchSize: Int
  let slots: UInt64
  private(set) var objectIDs: [ObjectID]
  /// In step with the IDs; nil where the batch has not been loaded.
  private(set) var objects: [ManagedObject?]

  /// A result whose objects are all there.
  init(context: ManagedObjectContext, entity: EntityDescription, objects: [ManagedObject]) {
    self.context = context
    self.entity = entity
    self.objects = objects
    objectIDs = objects.map(\.objectID)
    batchSize = 0
    slots = Row.allSlots
  }

  /// A result that loads its objects in batches.
  init(
    context: ManagedObjectContext, entity: EntityDescription, objectIDs: [ObjectID], batchSize: Int, slots: UInt64
  ) {
    self.context = context
    self.entity = entity
    self.objectIDs = objectIDs
    self.batchSize = batchSize
    self.slots = slots
    objects = Array(repeating: nil, count: objectIDs.count)
  }

  /// How many of the objects have been loaded. O(n).
  public var loadedCount: Int { objects.count { $0 != nil } }

  /// Replaces the content: a controller's result follows its context's changes.
  func replace(objectIDs: [ObjectID], objects: [ManagedObject?]) {
    self.objectIDs = objectIDs
    self.objects = objects
  }

  /// New objects got permanent IDs. O(n).
  func rekey(_ permanentIDs: [ObjectID: ObjectID]) {
    for index in objectIDs.indices where objectIDs[index].isTemporaryID {
      if let permanent = permanentIDs[objectIDs[index]] { objectIDs[index] = permanent }
    }
  }
}

extension FetchedObjects: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { objectIDs.count }

  /// The object at a position. Loads its batch when that has not been read: one SELECT.
  public subscript(position: Int) -> ManagedObject {
    if let object = objects[position] {
      object.touch()
      return object
    }
    loadBatch(around: position)
    guard let object = objects[position] else {
      trapMisuse("position \(position) of a batched fetch of \(entity.name) could not be loaded")
    }
    return object
  }

  private func loadBatch(around position: Int) {
    let first = position - position % Swift.max(batchSize, 1)
    let end = Swift.min(first + Swift.max(batchSize, 1), objectIDs.count)
    let missing = (first..<end).filter { objects[$0] == nil }
    let loaded = context.loadBatch(missing.map { objectIDs[$0] }, entity: entity, slots: slots)
    for (index, object) in zip(missing, loaded) { objects[index] = object }
  }
}
