import CSwiftRuntime
import MachineCore

/// Which objects a context has registered, each held weakly.
///
/// Objects may die on any thread (a notification that carried them ends elsewhere), so the table is behind a lock of its
/// own, which no seam call is made under. An object's `deinit` takes itself out and leaves its ID among the departed,
/// which the context collects at the end of a block. The registry outlives its context as long as one of its objects
/// does, so that such a `deinit` never touches freed memory.
final class Registry: Sendable {
  /// An object that is not kept alive.
  // `@unchecked Sendable`: an address, followed under the lock only.
  private struct Entry: @unchecked Sendable {
    let reference: Unmanaged<ManagedObject>
  }

  private struct State: Sendable {
    /// One table per entity: key to the object, unretained; followed under the lock only.
    var tables: [KeyTable<Entry>]
    /// Objects that have died since they were last collected.
    var departed = Departed()

    mutating func enter(_ object: ManagedObject) {
      let objectID = object.objectID
      let entry = Entry(reference: .passUnretained(object))
      tables[objectID.entityIndex].withElement(of: objectID.key) { $0 = entry }
    }

    /// Takes an object out, unless another stands under its ID by now.
    mutating func takeOut(_ object: ManagedObject) {
      let objectID = object.objectID
      let address = Unmanaged.passUnretained(object).toOpaque()
      tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
        if entry?.reference.toOpaque() == address { entry = nil }
      }
    }

    /// Takes an object out that nobody but the caller has, whose reference is its last; says whether that is so.
    mutating func takeOutEnding(_ object: ManagedObject) -> Bool {
      guard swift_isUniquelyReferenced_nonNull_native(Unmanaged.passUnretained(object).toOpaque()) else { return false }
      guard object.flags.isDisjoint(with: [.invalid, .gone]) else { return true }
      object.flags.insert(.departed)
      takeOut(object)
      departed.take(object)
      return true
    }
  }

  /// Objects that have gone, and what they leave to be taken off the footprint: then, and not when the last reference to
  /// one dies, since that is up to the optimiser.
  struct Departed: Sendable {
    fileprivate(set) var objectIDs: [ObjectID] = []
    fileprivate(set) var bytes = 0
    /// Whoever took this lets them go and releases them.
    fileprivate(set) var rows: [HeldRow] = []

    fileprivate mutating func reserve(_ count: Int) {
      // Never less than doubled, or many small additions would move all each time.
      if objectIDs.isEmpty { objectIDs.reserveCapacity(count) }
    }

    /// Takes in an object that is being destroyed, with its rows.
    fileprivate mutating func take(_ object: ManagedObject) {
      objectIDs.append(object.objectID)
      bytes += object.countedBytes
      if let row = object.snapshotRow { rows.append(row) }
      if let row = object.ownRow { rows.append(row) }
      object.snapshotRow = nil
      object.ownRow = nil
    }

    /// Takes in an object that has ended and keeps its rows, which others may still read there.
    fileprivate mutating func takeEnded(_ object: ManagedObject) {
      objectIDs.append(object.objectID)
      bytes += object.countedBytes
      if let row = object.snapshot { rows.append(HeldRow(row)) }
      if let row = object.changedRow { rows.append(HeldRow(row)) }
    }
  }

  private let state: Guarded<State>
  /// The context. For its objects, which ask their flags first whether it is still there.
  // `nonisolated(unsafe)`: set once, before there is an object.
  @exclusivity(unchecked) nonisolated(unsafe) var owner: Unmanaged<ManagedObjectContext>?

  deinit {
    // Of objects that outlived their context.
    for row in state.withLock({ $0.departed.rows }) { row.release() }
  }

  /// For the objects, which do not keep their entities.
  private let model: ManagedObjectModel

  /// The coordinator's warnings, which objects write to even if they outlive their context.
  let warnings: WarningLog

  init(model: ManagedObjectModel, warnings: WarningLog) {
    self.model = model
    self.warnings = warnings
    state = Guarded(State(tables: Array(repeating: KeyTable(), count: model.entities.count)))
  }

  /// The living object with this very ID, or nil. O(1).
  func object(for objectID: ObjectID) -> ManagedObject? {
    state.withLock { state in
      state.tables[objectID.entityIndex][objectID.key].flatMap(Self.retained)
    }
  }

  /// Whether no object is registered under any of these very IDs. O(n).
  func hasNone(of objectIDs: [ObjectID]) -> Bool {
    state.withLock { state in objectIDs.allSatisfy { state.tables[$0.entityIndex][$0.key] == nil } }
  }

  /// The living objects among those with these IDs, in the order of the IDs. O(n), and next to nothing for entities of which
  /// there are none.
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

  /// The living objects with these IDs, nil where there is none. O(n).
  func objects(for objectIDs: [ObjectID]) -> [ManagedObject?] {
    state.withLock { state in
      objectIDs.map { state.tables[$0.entityIndex][$0.key].flatMap(Self.retained) }
    }
  }

  /// The living objects with these IDs, and where there is none a new one by `make`, entered. O(n).
  ///
  /// One lock and one search for an ID. `make` runs under the lock, and so makes an object and nothing else.
  ///
  /// - Parameter isKnown: gets, in step with the IDs, whether there was an object; stays empty where there was none at all.
  func objects(
    for objectIDs: [ObjectID], isKnown: inout [Bool], making make: (ObjectID) -> ManagedObject
  ) -> [ManagedObject] {
    // The array of nothing is one for all threads, and making it this way would write its count.
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

  /// Enters an object under its ID; what stood there is dying and will not take the new entry out.
  func register(_ object: ManagedObject) {
    state.withLock { $0.enter(object) }
  }

  /// Enters many objects. O(n).
  func register(_ objects: [ManagedObject]) {
    register(objects, under: objects.heldObjectIDs)
  }

  /// The same where their IDs are at hand, so that no object has to be looked at.
  ///
  /// - Returns: living objects in whose places others stand now, with the positions of those; none as a rule.
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

  /// Moves objects from the IDs that they had to those that they have now. O(n).
  func rekey(_ objects: [ManagedObject], from oldIDs: [ObjectID]) {
    state.withLock { state in
      var position = 0
      objects.forEachHeld { object in
        let old = oldIDs[position]
        state.tables[old.entityIndex].withElement(of: old.key) { $0 = nil }
        state.enter(object)
        position += 1
      }
    }
  }

  /// Takes out an object that has ended; whoever has a reference to it may still read the values that it has.
  func depart(_ object: ManagedObject) {
    state.withLock { state in
      state.takeOut(object)
      state.departed.takeEnded(object)
    }
  }

  /// Takes out an object that is being destroyed; called by its `deinit` on whichever thread that runs.
  func departDying(_ object: ManagedObject) {
    state.withLock { state in
      state.takeOut(object)
      state.departed.take(object)
    }
  }

  /// Gives up one reference to each of many objects and takes those out that end with it. O(n).
  ///
  /// All under one lock and in one pass, where the `deinit` of each would take the lock: 8 % of an insert. Nobody gets
  /// another reference to an object once it is out of the table; those who have a `weak` one may use it on the context's queue
  /// only, which this runs on.
  ///
  /// - Parameter leaving: what each object is no longer.
  func release(_ objects: [Unmanaged<ManagedObject>], leaving flags: ManagedObject.Flags = []) {
    if objects.isEmpty { return }
    var living: [Unmanaged<ManagedObject>] = []
    state.withLock { state in
      state.departed.reserve(objects.count)
      for reference in objects {
        let ends = reference._withUnsafeGuaranteedRef { object in
          // Touching an object that has ended has nothing to do.
          object.flags.subtract(object.flags.contains(.gone) ? flags.subtracting(.kept) : flags)
          return state.takeOutEnding(object)
        }
        // Under the lock only where that is no end which takes it.
        if ends { reference.release() } else { living.append(reference) }
      }
    }
    for reference in living { reference.release() }
  }

  /// Gives up a list and takes those objects out that end with it. O(n).
  ///
  /// Counts no reference of its own to each object, which would take as long as all else here, where nobody else has the
  /// list.
  func release(_ objects: consuming [ManagedObject]) {
    if objects.isEmpty { return }
    guard swift_isUniquelyReferenced_nonNull_native(unsafeBitCast(objects, to: UnsafeMutableRawPointer.self)) else {
      let references = objects.map { Unmanaged.passRetained($0) }
      objects = []
      return release(references)
    }
    state.withLock { state in
      state.departed.reserve(objects.count)
      objects.forEachHeld { _ = state.takeOutEnding($0) }
    }
  }

  /// The objects that died since the last call, in the order of their IDs. O(d log d).
  func takeDeparted() -> Departed {
    var departed = state.withLock { state in
      let taken = state.departed
      state.departed = Departed()
      return taken
    }
    // As a rule they die in the order in which they were made.
    let isInOrder = departed.objectIDs.indices.dropFirst().allSatisfy { index in
      !(departed.objectIDs[index] < departed.objectIDs[index - 1])
    }
    if !isInOrder { departed.objectIDs.sort() }
    return departed
  }

  /// Every living object, in the order of their IDs. O(n log n).
  func allObjects() -> [ManagedObject] {
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

  /// How many entries there are, dying objects included.
  var count: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.count } }
  }

  private static func retained(_ entry: Entry) -> ManagedObject? {
    // What loading a `weak` reference does, without its side table.
    guard let retained = swift_tryRetain(entry.reference.toOpaque()) else { return nil }
    return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
  }
}
