import MachineCore
import Synchronization

/// A map between temporary and permanent IDs, for objects that more than one level of contexts used before they were
/// saved: the lower levels keep their temporary IDs, and rows in memory still refer to them.
///
/// A pair is kept until a save has deleted its row and no context has the object registered. Temporary keys are
/// numbered in the same order as the rows of a table, so that the objects of a payload take one run for each entity as
/// a rule. Thread-safe.
package final class IdentityMap: Sendable {
  private struct State: Sendable {
    /// The pairs that arrived in order, for each entity.
    var runs: [IdentityRuns]
    /// The permanent IDs of the pairs that arrived out of order, by temporary key, which no two objects of a
    /// coordinator share. It is searched before the runs.
    var permanent = KeyTable<ObjectID>()
    /// The temporary IDs of the pairs that arrived out of order: for each entity a table by permanent key.
    var temporary: [KeyTable<ObjectID>] = []
    /// The additional temporary IDs of each permanent ID: the IDs of new objects that became part of a row which
    /// already had a temporary ID.
    var further: [ObjectID: [ObjectID]] = [:]
    /// The permanent IDs of deleted rows that contexts still have registered.
    var deleted: Set<ObjectID> = []

    mutating func record(_ temporary: ObjectID, as permanent: ObjectID) {
      if !deleted.isEmpty { deleted.remove(permanent) }
      if temporary.entity == permanent.entity, runs[permanent.entityIndex].append(temporary.key, as: permanent.key) {
        if self.permanent.count > 0 { removeFromTables(temporary, and: permanent) }
        return
      }
      self.permanent.withElement(of: temporary.key) { $0 = permanent }
      while self.temporary.count <= permanent.entityIndex { self.temporary.append(KeyTable()) }
      self.temporary[permanent.entityIndex].withElement(of: permanent.key) { $0 = temporary }
    }

    /// Records a new object that became part of another object's row. The temporary ID of the other object stays known.
    mutating func recordAbsorbed(_ temporary: ObjectID, into permanent: ObjectID) {
      guard let known = alias(of: permanent), known != temporary else { return record(temporary, as: permanent) }
      self.permanent.withElement(of: temporary.key) { $0 = permanent }
      further[permanent, default: []].append(temporary)
    }

    /// Removes all pairs of a permanent ID.
    mutating func forget(_ permanent: ObjectID) {
      for temporary in (further.removeValue(forKey: permanent) ?? []) + [alias(of: permanent)].compactMap(\.self) {
        removeFromTables(temporary, and: permanent)
      }
      runs[permanent.entityIndex].remove(permanent: permanent.key)
    }

    /// Removes the IDs of a pair from the tables of pairs that are out of order.
    private mutating func removeFromTables(_ temporary: ObjectID, and permanent: ObjectID) {
      self.permanent.withElement(of: temporary.key) { $0 = nil }
      guard permanent.entityIndex < self.temporary.count else { return }
      self.temporary[permanent.entityIndex].withElement(of: permanent.key) { $0 = nil }
    }

    func permanentID(of temporary: ObjectID) -> ObjectID? {
      if permanent.count > 0, let known = permanent[temporary.key] { return known }
      return runs[temporary.entityIndex].permanent(for: temporary.key)
        .map { ObjectID(entity: temporary.entityIndex, key: $0) }
    }

    func alias(of objectID: ObjectID) -> ObjectID? {
      if objectID.isTemporaryID { return permanentID(of: objectID) }
      if objectID.entityIndex < temporary.count, let known = temporary[objectID.entityIndex][objectID.key] {
        return known
      }
      return runs[objectID.entityIndex].temporary(for: objectID.key)
        .map { ObjectID(entity: objectID.entityIndex, key: $0) }
    }

    /// Returns the IDs of the same object other than this one and its alias. There are usually no such IDs.
    func furtherAliases(of objectID: ObjectID) -> [ObjectID] {
      if further.isEmpty { return [] }
      guard let permanent = objectID.isTemporaryID ? permanentID(of: objectID) : objectID,
        let temporaries = further[permanent]
      else { return [] }
      if !objectID.isTemporaryID { return temporaries }
      return (temporaries + [alias(of: permanent)].compactMap(\.self)).filter { $0 != objectID }
    }
  }

  /// A count of the temporary IDs of one table.
  private final class Counter: Sendable {
    let root: Int
    let count = Atomic<Int64>(0)

    init(root: Int) { self.root = root }
  }

  /// The counts of the entities' tables. The entities that inherit from one another share a table.
  private let counters: [Counter]
  private let state: Guarded<State>
  /// True if a pair was ever recorded. Stacks without nesting pay one load for it.
  private let hasRecords = Atomic(false)
  /// True if pairs of deleted rows wait until no context has them registered.
  private let keepsDeleted = Atomic(false)

  /// Creates an empty map.
  ///
  /// - Parameter roots: For each entity of the model, the index of the entity whose table it shares.
  package init(roots: [Int]) {
    let tables = roots.indices.map(Counter.init)
    counters = roots.map { tables[$0] }
    state = Guarded(State(runs: Array(repeating: IdentityRuns(), count: roots.count)))
  }

  /// Creates an ID that no other object of the coordinator has. Its key follows the last one of its table. O(1).
  package func makeTemporaryID(entity: Int) -> ObjectID {
    let counter = counters[entity]
    return ObjectID(
      entity: entity, temporaryNumber: counter.count.add(1, ordering: .relaxed).newValue, root: counter.root)
  }

  var isUsed: Bool { hasRecords.load(ordering: .acquiring) }

  package func record(_ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)]) {
    guard !permanentIDs.isEmpty else { return }
    hasRecords.store(true, ordering: .releasing)
    state.withLock { state in
      for (temporary, permanent) in permanentIDs {
        state.record(temporary, as: permanent)
      }
    }
  }

  /// Records new objects that became part of other objects' rows because of uniqueness constraints.
  package func recordAbsorbed(_ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)]) {
    guard !permanentIDs.isEmpty else { return }
    hasRecords.store(true, ordering: .releasing)
    state.withLock { state in
      for (temporary, permanent) in permanentIDs { state.recordAbsorbed(temporary, into: permanent) }
    }
  }

  /// Forgets the pairs of deleted rows, or keeps a pair until the object is unregistered if `isRegistered` returns true.
  func rowsWereDeleted(_ objectIDs: [ObjectID], isRegistered: (ObjectID) -> Bool) {
    guard isUsed else { return }
    state.withLock { state in
      for objectID in objectIDs where state.alias(of: objectID) != nil {
        if isRegistered(objectID) { state.deleted.insert(objectID) } else { state.forget(objectID) }
      }
      keepsDeleted.store(!state.deleted.isEmpty, ordering: .releasing)
    }
  }

  /// Indicates whether pairs wait for `wereUnregistered(_:)`.
  var isWaiting: Bool { keepsDeleted.load(ordering: .acquiring) }

  /// Forgets the pairs of those objects that no context has registered any more and whose rows were deleted.
  func wereUnregistered(_ objectIDs: [ObjectID]) {
    state.withLock { state in
      for objectID in objectIDs where state.deleted.remove(objectID) != nil { state.forget(objectID) }
      keepsDeleted.store(!state.deleted.isEmpty, ordering: .releasing)
    }
  }

  /// Returns the permanent ID that replaced a temporary one, or nil if no replacement is known.
  package func permanentID(for objectID: ObjectID) -> ObjectID? {
    guard objectID.isTemporaryID, isUsed else { return nil }
    return state.withLock { $0.permanentID(of: objectID) }
  }

  /// Calls `body` with the other IDs of an object, one after the other, and returns its first result that is not nil.
  ///
  /// An object usually has one other ID. An object that absorbed others has their temporary IDs too.
  package func firstAlias<Result>(of objectID: ObjectID, _ body: (ObjectID) -> Result?) -> Result? {
    guard isUsed else { return nil }
    let (alias, further) = state.withLock { ($0.alias(of: objectID), $0.furtherAliases(of: objectID)) }
    if let alias, let result = body(alias) { return result }
    for other in further {
      if let result = body(other) { return result }
    }
    return nil
  }

  /// Returns the other ID of the same object, temporary or permanent, or nil if no other ID is known.
  package func alias(of objectID: ObjectID) -> ObjectID? {
    guard isUsed else { return nil }
    return state.withLock { $0.alias(of: objectID) }
  }

  /// Returns true for each of the IDs if another ID of the same object is known. O(n).
  func hasAlias(_ objectIDs: [ObjectID]) -> [Bool] {
    guard isUsed else { return Array(repeating: false, count: objectIDs.count) }
    return state.withLock { state in objectIDs.map { state.alias(of: $0) != nil } }
  }

  /// Returns the permanent ID of the object if it is known, or else the ID itself.
  package func canonical(_ objectID: ObjectID) -> ObjectID {
    permanentID(for: objectID) ?? objectID
  }

  /// Returns the canonical ID of each object. O(n).
  package func canonical(_ objectIDs: [ObjectID]) -> [ObjectID] {
    guard isUsed else { return objectIDs }
    return state.withLock { state in
      objectIDs.map { $0.isTemporaryID ? state.permanentID(of: $0) ?? $0 : $0 }
    }
  }
}
