import MachineCore

// `@unchecked Sendable`: it is used on the context's queue only, like the objects in it.
/// The result of a fetch: objects in order, all loaded at once or in batches as they are accessed.
///
/// It must be used on its context's queue. A batched result has all IDs and reads the rows of a batch with one SELECT
/// when an object of that batch is first accessed. It keeps every loaded batch as long as it exists, unlike Core Data,
/// which releases some batches.
public final class FetchedObjects: @unchecked Sendable {
  /// The entity whose objects were fetched.
  public let entity: EntityDescription
  unowned let context: ManagedObjectContext
  /// True if every use checks that it runs on the context's queue.
  private let isChecked: Bool
  let batchSize: Int
  let slots: SlotSet
  package private(set) var objectIDs: [ObjectID]
  /// The objects, parallel to the IDs. An element is nil if its batch has not been loaded.
  private(set) var objects: [ManagedObject?]
  /// The sort prefixes, parallel to the IDs, or an empty array if the list does not keep them.
  private var prefixes: [SortPrefix] = []
  /// The rows by which the objects were sorted, parallel to the IDs, or an empty array if the list does not keep them.
  /// An element is nil if the object's current values determine its place.
  private var sortingRows: [Row?] = []

  /// The prefetched objects, which are held so that they stay registered.
  var prefetched: [ManagedObject] = []

  /// Creates a result whose objects are all loaded. The IDs are parallel to the objects. O(1).
  init(
    context: ManagedObjectContext, entity: EntityDescription, objects: [ManagedObject], objectIDs: [ObjectID]
  ) {
    self.context = context
    isChecked = context.coordinator.checksConcurrency
    self.entity = entity
    // A reference and an optional reference have the same layout. Building an array of optionals would take a pass over
    // all objects, a twentieth of the time of a fetch, and converting the array would cast each element at run time.
    self.objects = unsafeBitCast(objects, to: [ManagedObject?].self)
    self.objectIDs = objectIDs
    batchSize = 0
    slots = .all
  }

  /// Creates a result that loads its objects in batches.
  init(
    context: ManagedObjectContext, entity: EntityDescription, objectIDs: [ObjectID], batchSize: Int, slots: SlotSet
  ) {
    self.context = context
    isChecked = context.coordinator.checksConcurrency
    self.entity = entity
    self.objectIDs = objectIDs
    self.batchSize = batchSize
    self.slots = slots
    objects = Array(repeating: nil, count: objectIDs.count)
  }

  /// The number of objects that have been loaded. O(n).
  public var loadedCount: Int {
    if isChecked { context.checkQueue() }
    return objects.count { $0 != nil }
  }

  /// Replaces the temporary IDs of objects that have received permanent IDs. O(n).
  func rekey(_ permanentIDs: PermanentIDs) {
    for index in objectIDs.indices where objectIDs[index].isTemporaryID {
      if let permanent = permanentIDs[objectIDs[index]] { objectIDs[index] = permanent }
    }
  }
}

extension FetchedObjects: RandomAccessCollection {
  /// The position of the first object, which is always 0.
  public var startIndex: Int { 0 }
  /// The number of objects in the list, loaded or not. O(1).
  public var endIndex: Int {
    if isChecked { context.checkQueue() }
    return objectIDs.count
  }

  /// Returns the object at a position. If its batch has not been loaded, one SELECT loads it.
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

  /// Loads the batches that have not been loaded. The SELECTs have up to 1,000 rows each and read them in the order of
  /// their keys, which takes less time than access to the objects one after the other.
  package func loadAll() {
    if isChecked { context.checkQueue() }
    var missing = objectIDs.indices.filter { objects[$0] == nil }
    missing.sort { objectIDs[$0].key < objectIDs[$1].key }
    for first in stride(from: 0, to: missing.count, by: 1_000) {
      load(missing[first..<Swift.min(first + 1_000, missing.count)])
    }
  }

  /// Calls a closure with the objects at positions, in order. Those that have not been loaded are read with one SELECT
  /// and released again, so that a long list does not stay loaded.
  package func forEachObject(at positions: Range<Int>, _ body: (ManagedObject) -> Void) {
    if isChecked { context.checkQueue() }
    let missing = positions.filter { objects[$0] == nil }
    if !missing.isEmpty { load(missing) }
    for position in positions { body(self[position]) }
    for position in missing { objects[position] = nil }
  }

  private func loadBatch(around position: Int) {
    let first = position - position % Swift.max(batchSize, 1)
    let end = Swift.min(first + Swift.max(batchSize, 1), objectIDs.count)
    load((first..<end).filter { objects[$0] == nil })
  }

  private func load(_ positions: some Collection<Int>) {
    let loaded = context.loadBatch(positions.map { objectIDs[$0] }, entity: entity, slots: slots)
    for (index, object) in zip(positions, loaded) {
      objects[index] = object
      objectIDs[index] = object.objectID
    }
  }
}

// MARK: - Following changes

extension FetchedObjects {
  /// Returns the positions of the given objects, without those that are not in the list. O(n). A bitmap is checked
  /// before each lookup, since nearly all elements of the list are not among the wanted ones.
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

  /// Returns the positions in this list of the objects of several lists. O(n), with a bitmap before each lookup.
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

  /// Returns the number of objects of the list that sort before `object`, which is at least `start`. The list must be
  /// in the given order. O(log n) comparisons.
  ///
  /// A comparison with a fault fires it and loads its batch. Objects whose rows are gone are skipped, since they have
  /// no values to compare.
  func gap(for object: ManagedObject, by order: ObjectOrder, from start: Int = 0) -> Int {
    gap(for: object, .unknown, by: order, from: start)
  }

  /// Returns the number of objects that sort before `object`, whose prefix is known. Prefixes that the search computes
  /// are kept with the list if it keeps prefixes.
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

  /// Continues a binary search by prefixes alone until it ends or an object has to be compared.
  ///
  /// - Returns: The number of comparisons that this took.
  private func narrow(_ low: inout Int, _ high: inout Int, by prefix: SortPrefix) -> Int {
    if prefixes.isEmpty { return 0 }
    return prefixes.withUnsafeBufferPointer { prefixes in
      var comparisonCount = 0
      while low < high {
        let middle = (low + high) / 2
        guard let isBefore = SortPrefix.isOrderedBefore(prefixes[middle], prefix) else { break }
        comparisonCount += 1
        // These are selections instead of branches, because the branches would be unpredictable.
        low = isBefore ? middle + 1 : low
        high = isBefore ? high : middle
      }
      return comparisonCount
    }
  }

  /// Makes the list keep the prefixes of its objects from now on, to speed up searches. O(n) once.
  func keepPrefixes() {
    if prefixes.isEmpty { prefixes = Array(repeating: .unknown, count: count) }
  }

  /// Makes the list keep the rows that it was sorted by, for searches. The context's row of an object can be older than
  /// that, if a merge is pending, or newer, if the row was read ahead of a merge. O(n).
  func keepSortingRows(_ rows: [StoreRow]) {
    if rows.count == count { sortingRows = rows.map { $0.row } }
  }

  /// Returns true if an object still has the values that determined its place. The slots that decide the order are
  /// given. If the values are the same, the object's current values determine the place from now on. Returns
  /// true without a comparison if the list has no sorting row for this position.
  func isInPlace(_ object: ManagedObject, at position: Int, slots: SlotSet) -> Bool {
    guard !sortingRows.isEmpty, let row = sortingRows[position] else { return true }
    let current = object.currentRow
    for slot in 0..<row.slotCount where slots.contains(slot) {
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

  /// Removes the objects at the given positions, which are in ascending order. O(n).
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

  /// Inserts objects. O(n).
  ///
  /// - Parameters:
  ///   - placed: The objects, which the caller keeps alive during the call.
  ///   - gaps: The number of objects already in the list that come before each object, in ascending order.
  ///   - newPrefixes: The prefixes, parallel to the objects, or an empty array if they are unknown.
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

  /// Lets `body` reorder references as plain words. Moving references within their array changes no reference count,
  /// and counting them would take longer than moving them. `body` must leave each word in the buffer exactly once.
  private static func withWords<Reference>(
    of references: inout [Reference?], _ body: (UnsafeMutableBufferPointer<UInt>) -> Void
  ) {
    references.withUnsafeMutableBufferPointer { buffer in
      buffer.withMemoryRebound(to: UInt.self, body)
    }
  }

  /// Removes all objects outside of a range of the list.
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
