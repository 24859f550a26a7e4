import MachineCore

/// The result of a fetch: objects in order, all there or loaded in batches as they are read.
///
/// Belongs to its context's queue. A batched result knows all IDs and reads the rows of one batch when an object of it is
/// first asked for, by one SELECT; it keeps every batch that it has loaded until it goes (ours: Core Data lets some go).
// `@unchecked Sendable`: used on the context's queue only, like the objects in it.
public final class FetchedObjects: @unchecked Sendable {
  public let entity: EntityDescription
  unowned let context: ManagedObjectContext
  /// Whether every use is checked for its queue.
  private let isChecked: Bool
  let batchSize: Int
  let slots: UInt64
  @exclusivity(unchecked) private(set) var objectIDs: [ObjectID]
  /// In step with the IDs; nil where the batch has not been loaded.
  @exclusivity(unchecked) private(set) var objects: [ManagedObject?]
  /// In step with the IDs where the list keeps them; empty where it does not.
  @exclusivity(unchecked) private var prefixes: [SortPrefix] = []
  /// In step with the IDs where the list keeps them, the rows that tell why an object stands where it does; nil = the values
  /// that it has do. Empty where it does not keep them.
  @exclusivity(unchecked) private var sortingRows: [Row?] = []

  /// What was read along, held so that it stays registered.
  @exclusivity(unchecked) var prefetched: [ManagedObject] = []

  /// A result whose objects are all there. O(1).
  ///
  /// - Parameter objectIDs: those of the objects.
  init(
    context: ManagedObjectContext, entity: EntityDescription, objects: [ManagedObject], objectIDs: [ObjectID]
  ) {
    self.context = context
    isChecked = context.coordinator.checksConcurrency
    self.entity = entity
    // A reference and one that may be missing are the same word. To make a list of the others takes a pass over all
    // objects, a twentieth of a fetch, and to convert the list a cast of each at run time.
    self.objects = unsafeBitCast(objects, to: [ManagedObject?].self)
    self.objectIDs = objectIDs
    batchSize = 0
    slots = Row.allSlots
  }

  /// A result that loads its objects in batches.
  init(
    context: ManagedObjectContext, entity: EntityDescription, objectIDs: [ObjectID], batchSize: Int, slots: UInt64
  ) {
    self.context = context
    isChecked = context.coordinator.checksConcurrency
    self.entity = entity
    self.objectIDs = objectIDs
    self.batchSize = batchSize
    self.slots = slots
    objects = Array(repeating: nil, count: objectIDs.count)
  }

  /// How many of the objects have been loaded. O(n).
  public var loadedCount: Int {
    if isChecked { context.checkQueue() }
    return objects.count { $0 != nil }
  }

  /// New objects got permanent IDs. O(n).
  func rekey(_ permanentIDs: PermanentIDs) {
    for index in objectIDs.indices where objectIDs[index].isTemporaryID {
      if let permanent = permanentIDs[objectIDs[index]] { objectIDs[index] = permanent }
    }
  }
}

extension FetchedObjects: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int {
    if isChecked { context.checkQueue() }
    return objectIDs.count
  }

  /// The object at a position. Loads its batch when that has not been read: one SELECT.
  public subscript(position: Int) -> ManagedObject {
    if let object = objects[position] {
      object.touch()
      return object
    }
    if isChecked { context.checkQueue() }
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

  /// Where objects of several lists stand in this one. O(n), likewise.
  func places(of lists: [ManagedObject]...) -> ListPlaces {
    var places = ListPlaces()
    for list in lists { list.forEachHeld { places.want($0.objectID) } }
    guard !places.isEmpty else { return places }
    context.countListElementsPassed(objectIDs.count)
    places.note(objectIDs)
    return places
  }

  private static func word(_ objectID: ObjectID) -> Int { Int(truncatingIfNeeded: objectID.key >> 6) & 1023 }
  private static func bit(_ objectID: ObjectID) -> UInt64 { 1 << UInt64(truncatingIfNeeded: objectID.key & 63) }

  /// How many objects of a list in this order come before `object`, at least `start`. O(log n) comparisons.
  ///
  /// A probe fires a fault and loads its batch. Objects whose rows are gone, so that nothing is known of them, are passed
  /// over.
  func gap(for object: ManagedObject, by order: ObjectOrder, from start: Int = 0) -> Int {
    gap(for: object, .unknown, by: order, from: start)
  }

  /// The same for an object whose prefix is known. What a probe finds out is kept with the list, if it keeps prefixes.
  func gap(for object: ManagedObject, _ prefix: SortPrefix, by order: ObjectOrder, from start: Int = 0) -> Int {
    var low = start
    var high = count
    var comparisonCount = 0
    defer { context.countObjectsCompared(comparisonCount) }
    while low < high {
      comparisonCount += narrow(&low, &high, by: prefix)
      if low == high { break }
      let middle = (low + high) / 2
      guard let probe = firstWithRow(in: middle..<high) else {
        high = middle
        continue
      }
      comparisonCount += 1
      let row = sortingRows.isEmpty ? nil : sortingRows[probe.position]
      if !prefixes.isEmpty, prefixes[probe.position].isUnknown {
        prefixes[probe.position] =
          row.map { SortPrefix(of: $0, order.prefixes) } ?? SortPrefix(of: probe.object, order.prefixes)
      }
      let isBefore =
        row.map { order.isOrderedBefore($0, of: probe.object.objectID, object) }
        ?? order.isOrderedBefore(probe.object, object)
      if isBefore { low = probe.position + 1 } else { high = middle }
    }
    return low
  }

  /// Goes on with a search until it ends or an object has to be looked at.
  ///
  /// - Returns: how many comparisons that took.
  private func narrow(_ low: inout Int, _ high: inout Int, by prefix: SortPrefix) -> Int {
    if prefixes.isEmpty { return 0 }
    return prefixes.withUnsafeBufferPointer { prefixes in
      var comparisonCount = 0
      while low < high {
        let middle = (low + high) / 2
        guard let isBefore = SortPrefix.isOrderedBefore(prefixes[middle], prefix) else { break }
        comparisonCount += 1
        // Chosen and not branched to: which half it is nobody can foretell.
        low = isBefore ? middle + 1 : low
        high = isBefore ? high : middle
      }
      return comparisonCount
    }
  }

  /// Makes the list keep the prefixes of its objects from now on, for searches. O(n) once.
  func keepPrefixes() {
    if prefixes.isEmpty { prefixes = Array(repeating: .unknown, count: count) }
  }

  /// Makes the list keep the rows that it was sorted by, for searches: what the context has of an object can be older than
  /// that, where a merge is in line, or newer, where its row was read ahead of one. O(n).
  func keepSortingRows(_ rows: [StoreRow]) {
    if rows.count == count { sortingRows = rows.map { $0.row } }
  }

  /// Whether an object has the values by which it got its place; if so, they tell from now on why it stands there.
  ///
  /// - Parameter slots: those that decide the order, as bits.
  func isInPlace(_ object: ManagedObject, at position: Int, _ slots: UInt64) -> Bool {
    guard !sortingRows.isEmpty, let row = sortingRows[position] else { return true }
    let current = object.currentRow
    for slot in 0..<row.slotCount where slots & (1 << UInt64(slot)) != 0 {
      if !row.isEqual(to: current, at: slot) { return false }
    }
    sortingRows[position] = nil
    return true
  }

  private func firstWithRow(in range: Range<Int>) -> (position: Int, object: ManagedObject)? {
    for position in range {
      let object = self[position]
      if object.isFault { object.fulfillOrTrap() }
      if !object.isDeleted { return (position, object) }
    }
    return nil
  }

  /// Takes the objects at these ascending positions out. O(n).
  func remove(at positions: [Int]) {
    guard !positions.isEmpty else { return }
    context.countListElementsPassed(count)
    objectIDs.withUnsafeMutableBufferPointer { $0.moveToEnd(positions) }
    objectIDs.removeLast(positions.count)
    if !prefixes.isEmpty {
      prefixes.withUnsafeMutableBufferPointer { $0.moveToEnd(positions) }
      prefixes.removeLast(positions.count)
    }
    Self.withWords(of: &objects) { $0.moveToEnd(positions) }
    objects.removeLast(positions.count)
    if !sortingRows.isEmpty {
      Self.withWords(of: &sortingRows) { $0.moveToEnd(positions) }
      sortingRows.removeLast(positions.count)
    }
  }

  /// Puts each object behind as many of those that are in the list as its gap says; gaps ascend. O(n).
  ///
  /// - Parameters:
  ///   - placed: kept alive by the caller meanwhile.
  ///   - newPrefixes: in step with the objects; none = unknown.
  func insert(_ placed: [Unmanaged<ManagedObject>], toGaps gaps: [Int], prefixes newPrefixes: [SortPrefix] = []) {
    guard !placed.isEmpty else { return }
    context.countListElementsPassed(count + placed.count)
    for object in placed { objectIDs.append(object._withUnsafeGuaranteedRef(\.objectID)) }
    objectIDs.withUnsafeMutableBufferPointer { $0.moveFromEnd(toGaps: gaps) }
    if !prefixes.isEmpty {
      if newPrefixes.isEmpty {
        prefixes.append(contentsOf: repeatElement(.unknown, count: placed.count))
      } else {
        prefixes.append(contentsOf: newPrefixes)
      }
      prefixes.withUnsafeMutableBufferPointer { $0.moveFromEnd(toGaps: gaps) }
    }
    for object in placed { objects.append(object.takeUnretainedValue()) }
    Self.withWords(of: &objects) { $0.moveFromEnd(toGaps: gaps) }
    if !sortingRows.isEmpty {
      sortingRows.append(contentsOf: repeatElement(nil, count: placed.count))
      Self.withWords(of: &sortingRows) { $0.moveFromEnd(toGaps: gaps) }
    }
  }

  /// Lets `body` put references in another order as the words that they are: moved within their array, they are neither
  /// taken nor given up, and counting them would take longer than moving. It must leave each word there once.
  private static func withWords<Reference>(
    of references: inout [Reference?], _ body: (UnsafeMutableBufferPointer<UInt>) -> Void
  ) {
    references.withUnsafeMutableBufferPointer { buffer in
      buffer.withMemoryRebound(to: UInt.self, body)
    }
  }

  /// Lets go of all that is not in a part of the list.
  func keep(_ range: FetchRange) {
    guard !range.isEverything else { return }
    objectIDs = range.cut(objectIDs)
    objects = range.cut(objects)
    if !sortingRows.isEmpty { sortingRows = range.cut(sortingRows) }
    prefixes = []
  }

  func append(_ objects: [ManagedObject]) {
    withExtendedLifetime(objects) {
      insert(objects.map(Unmanaged.passUnretained), toGaps: Array(repeating: count, count: objects.count))
    }
  }
}
