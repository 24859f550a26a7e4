import CSwiftRuntime
import MachineCore

/// The objects that a context has registered, each held weakly.
///
/// Objects may be destroyed on any thread (for example, where a notification that carried them is released), so the
/// table is protected by its own lock. The machine is never called while that lock is held. An object's `deinit`
/// removes the object and adds its ID to the departed ones, which the context collects at the end of a block. The
/// registry outlives its context as long as one of its objects exists, so that such a `deinit` never accesses freed
/// memory.
package final class Registry: Sendable {
  /// A reference that does not keep its object alive.
  // `@unchecked Sendable`: an address, followed under the lock only.
  private struct Entry: @unchecked Sendable {
    let reference: Unmanaged<ManagedObject>
  }

  private struct State: Sendable {
    /// One table per entity, from key to object. The references are unretained and followed under the lock only.
    var tables: [KeyTable<Entry>]
    /// The objects that were destroyed since they were last collected.
    var departed = Departed()

    mutating func enter(_ object: ManagedObject) {
      let objectID = object.objectID
      let entry = Entry(reference: .passUnretained(object))
      tables[objectID.entityIndex].withElement(of: objectID.key) { $0 = entry }
    }

    /// Removes an object, unless another one is registered under its ID by now.
    mutating func takeOut(_ object: ManagedObject) {
      let objectID = object.objectID
      let address = Unmanaged.passUnretained(object).toOpaque()
      tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
        if entry?.reference.toOpaque() == address { entry = nil }
      }
    }

    /// Removes the objects at the indexes for which `isLeaving` returns true. An entry stays if another object is
    /// registered under the same ID by now. O(n).
    @inline(__always)
    mutating func takeOut(
      _ objects: UnsafeBufferPointer<Unmanaged<ManagedObject>>, where isLeaving: (Int) -> Bool
    ) {
      objects.forEachRun(by: { $0._withUnsafeGuaranteedRef { $0.objectID.entity } }) { objects, range in
        let table = objects[range.lowerBound]._withUnsafeGuaranteedRef { $0.objectID.entityIndex }
        tables[table].withElements(of: range, key: { objects[$0]._withUnsafeGuaranteedRef { $0.objectID.key } }) {
          index, entry in
          if isLeaving(index), entry?.reference.toOpaque() == objects[index].toOpaque() { entry = nil }
        }
      }
    }

    /// Removes those of many objects to which the caller's references are the last ones. O(n).
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - isEnding: Receives true for each object to which the caller's reference is the last one.
    mutating func takeOutEnding(
      _ objects: UnsafeBufferPointer<Unmanaged<ManagedObject>>, isEnding: UnsafeMutableBufferPointer<Bool>
    ) {
      var leavingCount = 0
      for (index, reference) in objects.enumerated() {
        let isLast = swift_isUniquelyReferenced_nonNull_native(reference.toOpaque())
        isEnding.initializeElement(at: index, to: isLast)
        guard isLast else { continue }
        reference._withUnsafeGuaranteedRef { object in
          guard object.flags.isDisjoint(with: [.invalid, .gone]) else { return }
          object.flags.insert(.departed)
          leavingCount += 1
        }
      }
      guard leavingCount > 0 else { return }
      departed.reserve(leavingCount)
      takeOut(objects) { isEnding[$0] }
      for (index, reference) in objects.enumerated() where isEnding[index] {
        reference._withUnsafeGuaranteedRef { if $0.flags.contains(.departed) { departed.take($0) } }
      }
    }
  }

  /// The objects that have left the registry, with the bytes and rows to subtract from the footprint. They are
  /// subtracted when the context collects them and not when the last reference is released, since that moment depends
  /// on the optimiser.
  struct Departed: Sendable {
    fileprivate(set) var objectIDs: [ObjectID] = []
    fileprivate(set) var bytes = 0
    /// The rows of the objects. The caller of `takeDeparted()` subtracts them from the footprint and releases them.
    fileprivate(set) var rows: [HeldRow] = []

    fileprivate mutating func reserve(_ count: Int) {
      // Capacity is reserved in an empty array only: exact reservations for many small additions would move the array
      // each time.
      if objectIDs.isEmpty { objectIDs.reserveCapacity(count) }
    }

    /// Adds an object that is being destroyed, and takes its rows from it.
    fileprivate mutating func take(_ object: ManagedObject) {
      objectIDs.append(object.objectID)
      bytes += object.countedBytes
      if let row = object.snapshotRow { rows.append(row) }
      if let row = object.ownRow { rows.append(row) }
      object.snapshotRow = nil
      object.ownRow = nil
    }

    /// Adds an object that is gone and keeps its rows, because references to the object may still read them.
    fileprivate mutating func takeEnded(_ object: ManagedObject) {
      objectIDs.append(object.objectID)
      bytes += object.countedBytes
      if let row = object.snapshotRow { rows.append(row.retained()) }
      if let row = object.ownRow { rows.append(row.retained()) }
    }
  }

  private let state: Guarded<State>
  /// The context, unretained. An object checks its flags before it uses it, because the context may have been
  /// destroyed.
  // `nonisolated(unsafe)`: set once, before there is an object.
  nonisolated(unsafe) var owner: Unmanaged<ManagedObjectContext>?

  deinit {
    // These rows are from objects that outlived their context.
    for row in state.withLock({ $0.departed.rows }) { row.release() }
  }

  /// The model. It is kept alive for the objects, which do not retain their entities.
  private let model: ManagedObjectModel

  /// The coordinator's warnings, which objects write to even if they outlive their context.
  let warnings: WarningLog

  init(model: ManagedObjectModel, warnings: WarningLog) {
    self.model = model
    self.warnings = warnings
    state = Guarded(State(tables: Array(repeating: KeyTable(), count: model.entities.count)))
  }

  /// Returns the living object with exactly this ID, or nil. O(1).
  func object(for objectID: ObjectID) -> ManagedObject? {
    state.withLock { state in
      state.tables[objectID.entityIndex][objectID.key].flatMap(Self.retained)
    }
  }

  /// Returns true if there are no objects under exactly these IDs. O(n).
  func hasNone(of objectIDs: [ObjectID]) -> Bool {
    state.withLock { state in objectIDs.allSatisfy { state.tables[$0.entityIndex][$0.key] == nil } }
  }

  /// Returns the living objects among those with these IDs, in the order of the IDs. O(n), with almost no cost for
  /// entities without registered objects.
  func objects(among objectIDs: [ObjectID]) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    state.withLock { state in
      objectIDs.forEachRun(by: \.entity) { objectIDs, range in
        let table = state.tables[objectIDs[range.lowerBound].entityIndex]
        if table.count == 0 { return }
        for index in range {
          if let object = table[objectIDs[index].key].flatMap(Self.retained) { objects.append(object) }
        }
      }
    }
    return objects
  }

  /// Returns the living object for each of these IDs, or nil if there is no such object. O(n).
  func objects(for objectIDs: [ObjectID]) -> [ManagedObject?] {
    state.withLock { state in
      objectIDs.map { state.tables[$0.entityIndex][$0.key].flatMap(Self.retained) }
    }
  }

  /// Looks up the living objects with these IDs. For the other IDs it makes objects and enters them. O(n).
  ///
  /// The lock is taken once, and each ID is looked up once. `make` runs under the lock and must only make an object.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs to look up.
  ///   - isKnown: Receives, for each ID, true if an object was registered. It stays empty if there was no such object
  ///     at all.
  ///   - make: A function that makes an object for an ID.
  /// - Returns: The objects, parallel to the IDs.
  func objects(
    for objectIDs: [ObjectID], isKnown: inout [Bool], making make: (ObjectID) -> ManagedObject
  ) -> [ManagedObject] {
    // The empty array is shared by all threads, and creating it this way would write its count.
    if objectIDs.isEmpty { return [] }
    return [ManagedObject](unsafeUninitializedCapacity: objectIDs.count) { objects, count in
      state.withLock { state in
        objectIDs.forEachRun(by: \.entity) { objectIDs, range in
          state.tables[objectIDs[range.lowerBound].entityIndex].withElements(of: range, key: { objectIDs[$0].key }) {
            index, entry in
            if let known = entry.flatMap(Self.retained) {
              if isKnown.isEmpty { isKnown = Array(repeating: false, count: objectIDs.count) }
              isKnown[index] = true
              objects.initializeElement(at: index, to: known)
            } else {
              let object = make(objectIDs[index])
              entry = Entry(reference: .passUnretained(object))
              objects.initializeElement(at: index, to: object)
            }
          }
        }
      }
      count = objectIDs.count
    }
  }

  /// Enters an object under its ID. An earlier entry is that of an object which is being destroyed and will not remove
  /// the new entry.
  func register(_ object: ManagedObject) {
    state.withLock { $0.enter(object) }
  }

  /// Enters many objects. O(n).
  func register(_ objects: [ManagedObject]) {
    register(objects, under: objects.heldObjectIDs)
  }

  /// Enters many objects under the given IDs, so that the objects themselves need not be accessed. O(n).
  ///
  /// - Returns: Living objects that were replaced, with the positions of their replacements. The array is usually
  ///   empty.
  @discardableResult
  func register(
    _ objects: [ManagedObject], under objectIDs: [ObjectID]
  ) -> [(position: Int, displaced: ManagedObject)] {
    var displaced: [(position: Int, displaced: ManagedObject)] = []
    if objects.isEmpty { return displaced }
    objects.withHeldReferences { objects in
      state.withLock { state in
        objectIDs.forEachRun(by: \.entity) { objectIDs, range in
          state.tables[objectIDs[range.lowerBound].entityIndex].withElements(of: range, key: { objectIDs[$0].key }) {
            position, entry in
            if let known = entry.flatMap(Self.retained) { displaced.append((position, known)) }
            entry = Entry(reference: objects[position])
          }
        }
      }
    }
    return displaced
  }

  /// Moves objects from their old IDs to their current ones. O(n).
  func rekey(_ objects: [ManagedObject], from oldIDs: [ObjectID]) {
    objects.withHeldReferences { objects in
      state.withLock { state in
        oldIDs.forEachRun(by: \.entity) { oldIDs, range in
          let table = oldIDs[range.lowerBound].entityIndex
          state.tables[table].withElements(of: range, key: { oldIDs[$0].key }) { $1 = nil }
          state.tables[table].withElements(of: range, key: { objects[$0]._withUnsafeGuaranteedRef { $0.objectID.key } })
          {
            $1 = Entry(reference: objects[$0])
          }
        }
      }
    }
  }

  /// Removes an object that is gone. References to it may still read the values that it has.
  package func depart(_ object: ManagedObject) {
    depart([object])
  }

  /// Removes objects that are gone. References to them may still read the values that they have. O(n).
  func depart(_ objects: [ManagedObject]) {
    objects.withHeldReferences { objects in
      state.withLock { state in
        state.takeOut(objects) { _ in true }
        state.departed.reserve(objects.count)
        for reference in objects { reference._withUnsafeGuaranteedRef { state.departed.takeEnded($0) } }
      }
    }
  }

  /// Removes an object that is being destroyed. It is called by the object's `deinit` on any thread.
  func departDying(_ object: ManagedObject) {
    state.withLock { state in
      state.takeOut(object)
      state.departed.take(object)
    }
  }

  /// Releases one reference to each of many objects, and removes the objects for which it was the last one. O(n).
  ///
  /// All this takes the lock once, while otherwise the `deinit` of each object would take it: 8 % of an insert. Once an
  /// object is out of the table, new references to it cannot be obtained from there. A `weak` reference may be used on
  /// the context's queue only, on which this function runs.
  ///
  /// - Parameters:
  ///   - objects: The references to release.
  ///   - flags: The flags to remove from each object.
  func release(_ objects: [Unmanaged<ManagedObject>], leaving flags: ManagedObject.Flags = []) {
    if objects.isEmpty { return }
    objects.withUnsafeBufferPointer { objects in
      withUnsafeTemporaryAllocation(of: Bool.self, capacity: objects.count) { isEnding in
        state.withLock { state in
          for reference in objects {
            reference._withUnsafeGuaranteedRef { object in
              // An object that is gone keeps `.kept`, because touching it has no effect.
              object.flags.subtract(object.flags.contains(.gone) ? flags.subtracting(.kept) : flags)
            }
          }
          state.takeOutEnding(objects, isEnding: isEnding)
          // An object is released under the lock only if its `deinit` will not take the lock.
          for (index, reference) in objects.enumerated() where isEnding[index] { reference.release() }
        }
        for (index, reference) in objects.enumerated() where !isEnding[index] { reference.release() }
      }
    }
  }

  /// Releases a list and removes the objects that are destroyed with it. O(n).
  ///
  /// If the caller's reference to the list is the only one, the objects are not retained individually, which would take
  /// as long as the rest of the function.
  func release(_ objects: consuming [ManagedObject]) {
    if objects.isEmpty { return }
    guard swift_isUniquelyReferenced_nonNull_native(unsafeBitCast(objects, to: UnsafeMutableRawPointer.self)) else {
      let references = objects.map { Unmanaged.passRetained($0) }
      objects = []
      return release(references)
    }
    objects.withHeldReferences { objects in
      withUnsafeTemporaryAllocation(of: Bool.self, capacity: objects.count) { isEnding in
        state.withLock { $0.takeOutEnding(objects, isEnding: isEnding) }
      }
    }
  }

  /// Returns the objects that have left the registry since the last call, and empties their list. The IDs are in their
  /// order. O(d log d).
  func takeDeparted() -> Departed {
    var departed = state.withLock { state in
      let taken = state.departed
      state.departed = Departed()
      return taken
    }
    // Objects are usually destroyed in the order in which they were made.
    let isInOrder = departed.objectIDs.indices.dropFirst().allSatisfy { index in
      !(departed.objectIDs[index] < departed.objectIDs[index - 1])
    }
    if !isInOrder { departed.objectIDs.sort() }
    return departed
  }

  /// Returns every living object, in the order of their IDs. O(n log n).
  package func allObjects() -> [ManagedObject] {
    let objects = state.withLock { state in
      state.tables.flatMap { $0.elements.compactMap(Self.retained) }
    }
    return objects.sorted { $0.objectID < $1.objectID }
  }

  /// Empties the table and returns the living objects that it held, in the order of their IDs. O(n log n).
  func dropAll() -> [ManagedObject] {
    let objects = allObjects()
    state.withLock { state in
      for index in state.tables.indices { state.tables[index] = KeyTable() }
    }
    return objects
  }

  /// The number of entries, including objects that are being destroyed.
  package var count: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.count } }
  }

  private static func retained(_ entry: Entry) -> ManagedObject? {
    // This is equivalent to loading a `weak` reference, but without its side table.
    guard let retained = swift_tryRetain(entry.reference.toOpaque()) else { return nil }
    return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
  }
}
