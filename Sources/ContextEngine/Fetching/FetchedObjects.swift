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
  @exclusivity(unchecked) private(set) var objectIDs: [ObjectID]
  /// In step with the IDs; nil where the batch has not been loaded.
  @exclusivity(unchecked) private(set) var objects: [ManagedObject?]

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

  /// New objects got permanent IDs. O(n).
  func rekey(_ permanentIDs: PermanentIDs) {
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
    for (index, object) in zip(missing, loaded) {
      objects[index] = object
      objectIDs[index] = object.objectID
    }
  }
}

// MARK: - Following changes

extension FetchedObjects {
  /// Where objects stand in the list, those that are in it. O(n), with a bitmap before each look-up, since nearly all miss.
  func positions(of wantedIDs: [ObjectID]) -> [ObjectID: Int] {
    guard !wantedIDs.isEmpty else { return [:] }
    context.countListElementsPassed(objectIDs.count)
    let wanted = Set(wantedIDs)
    var bitmap = Array(repeating: UInt64(0), count: 1024)
    for objectID in wanted { bitmap[Self.word(objectID)] |= Self.bit(objectID) }
    var positions: [ObjectID: Int] = [:]
    for (position, objectID) in objectIDs.enumerated()
    where bitmap[Self.word(objectID)] & Self.bit(objectID) != 0 && wanted.contains(objectID) {
      positions[objectID] = position
    }
    return positions
  }

  private static func word(_ objectID: ObjectID) -> Int { Int(truncatingIfNeeded: objectID.key >> 6) & 1023 }
  private static func bit(_ objectID: ObjectID) -> UInt64 { 1 << UInt64(truncatingIfNeeded: objectID.key & 63) }

  /// How many objects of a list in this order come before `object`, at least `start`. O(log n) comparisons.
  ///
  /// A probe fires a fault and loads its batch. Objects whose rows are gone, so that nothing is known of them, are passed
  /// over.
  func gap(for object: ManagedObject, by order: ObjectOrder, from start: Int = 0) -> Int {
    var low = start
    var high = count
    var comparisonCount = 0
    defer { context.countObjectsCompared(comparisonCount) }
    while low < high {
      let middle = (low + high) / 2
      guard let probe = (middle..<high).first(where: { hasRow(at: $0) }) else {
        high = middle
        continue
      }
      comparisonCount += 1
      if order.isOrderedBefore(self[probe], object) { low = probe + 1 } else { high = middle }
    }
    return low
  }

  private func hasRow(at position: Int) -> Bool {
    let object = self[position]
    if object.isFault { object.fulfillOrTrap() }
    return !object.isDeleted
  }

  /// Takes the objects at these ascending positions out. O(n).
  func remove(at positions: [Int]) {
    guard !positions.isEmpty else { return }
    rebuild(capacity: count) { list in
      var next = 0
      for position in positions {
        list.take(next..<position)
        next = position + 1
      }
      list.take(next..<count)
    }
  }

  /// Puts each object behind as many of those that are in the list as its gap says; gaps ascend. O(n).
  func insert(_ placed: [(object: ManagedObject, gap: Int)]) {
    guard !placed.isEmpty else { return }
    rebuild(capacity: count + placed.count) { list in
      var next = 0
      for (object, gap) in placed {
        list.take(next..<gap)
        list.append(object)
        next = gap
      }
      list.take(next..<count)
    }
  }

  /// Lets go of all that is not in a part of the list.
  func keep(_ range: FetchRange) {
    guard !range.isEverything else { return }
    objectIDs = range.cut(objectIDs)
    objects = range.cut(objects)
  }

  func append(_ objects: [ManagedObject]) {
    insert(objects.map { ($0, count) })
  }

  /// Builds new content out of parts of the old.
  private func rebuild(capacity: Int, _ body: (inout Rebuilding) -> Void) {
    context.countListElementsPassed(capacity)
    var list = Rebuilding(source: self)
    list.objectIDs.reserveCapacity(capacity)
    list.objects.reserveCapacity(capacity)
    body(&list)
    objectIDs = list.objectIDs
    objects = list.objects
  }

  private struct Rebuilding {
    let source: FetchedObjects
    var objectIDs: [ObjectID] = []
    var objects: [ManagedObject?] = []

    mutating func take(_ range: Range<Int>) {
      objectIDs.append(contentsOf: source.objectIDs[range])
      objects.append(contentsOf: source.objects[range])
    }

    mutating func append(_ object: ManagedObject) {
      objectIDs.append(object.objectID)
      objects.append(object)
    }
  }
}
