import MachineCore
import Synchronization

/// Which permanent ID each temporary one became, for objects that more than one level of contexts knew before they were
/// saved: those below keep their temporary IDs, and rows in memory still refer to them.
///
/// It grows with the saves that bring objects which children created or saw, at worst with these objects, and lives as long as its coordinator, as the book-keeping of nested
/// contexts does in Core Data. Thread-safe.
final class IdentityMap: Sendable {
  private struct State: Sendable {
    /// What came in order.
    var runs = IdentityRuns()
    /// What did not, which comes first: by the temporary key, which no two objects of a coordinator share.
    var permanent = KeyTable<ObjectID>()
    /// For each entity, by the permanent key.
    var temporary: [KeyTable<ObjectID>] = []
    /// By the permanent ID, temporary ones of new objects that became part of a row which has one already.
    var further: [ObjectID: [ObjectID]] = [:]

    mutating func record(_ temporary: ObjectID, _ permanent: ObjectID) {
      if runs.append(temporary, permanent) {
        if self.permanent.count > 0 { forget(temporary, permanent) }
        return
      }
      self.permanent.withElement(of: temporary.key) { $0 = permanent }
      while self.temporary.count <= permanent.entityIndex { self.temporary.append(KeyTable()) }
      self.temporary[permanent.entityIndex].withElement(of: permanent.key) { $0 = temporary }
    }

    /// The same for a new object that became part of another one's row: the temporary ID of that stays known.
    mutating func recordAbsorbed(_ temporary: ObjectID, _ permanent: ObjectID) {
      guard let known = alias(of: permanent), known != temporary else { return record(temporary, permanent) }
      self.permanent.withElement(of: temporary.key) { $0 = permanent }
      further[permanent, default: []].append(temporary)
    }

    /// Takes out what the tables say of two IDs, which the runs know better from now on.
    private mutating func forget(_ temporary: ObjectID, _ permanent: ObjectID) {
      self.permanent.withElement(of: temporary.key) { $0 = nil }
      guard permanent.entityIndex < self.temporary.count else { return }
      self.temporary[permanent.entityIndex].withElement(of: permanent.key) { $0 = nil }
    }

    func permanentID(of key: Int64) -> ObjectID? {
      if permanent.count > 0, let known = permanent[key] { return known }
      return runs.permanent(for: key)
    }

    func alias(of objectID: ObjectID) -> ObjectID? {
      if objectID.isTemporaryID { return permanentID(of: objectID.key) }
      if objectID.entityIndex < temporary.count, let known = temporary[objectID.entityIndex][objectID.key] {
        return known
      }
      return runs.temporary(for: objectID)
    }

    /// The IDs of the same object besides this one and its alias; none as a rule.
    func furtherAliases(of objectID: ObjectID) -> [ObjectID] {
      if further.isEmpty { return [] }
      guard let permanent = objectID.isTemporaryID ? permanentID(of: objectID.key) : objectID,
        let temporaries = further[permanent]
      else { return [] }
      if !objectID.isTemporaryID { return temporaries }
      return (temporaries + [alias(of: permanent)].compactMap(\.self)).filter { $0 != objectID }
    }
  }

  private let lastTemporaryKey = Atomic<Int64>(0)
  private let state = Guarded(State())
  /// Whether anything was ever recorded, so that stacks without nesting pay one load.
  private let hasRecords = Atomic(false)

  /// An ID that no other object of the coordinator has.
  func makeTemporaryID(entity: Int) -> ObjectID {
    ObjectID(entity: entity, key: lastTemporaryKey.wrappingSubtract(1, ordering: .relaxed).newValue)
  }

  var isUsed: Bool { hasRecords.load(ordering: .acquiring) }

  func record(_ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)]) {
    guard !permanentIDs.isEmpty else { return }
    hasRecords.store(true, ordering: .releasing)
    state.withLock { state in
      for (temporary, permanent) in permanentIDs {
        state.record(temporary, permanent)
      }
    }
  }

  /// Records new objects that uniqueness constraints made part of other ones' rows.
  func recordAbsorbed(_ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)]) {
    guard !permanentIDs.isEmpty else { return }
    hasRecords.store(true, ordering: .releasing)
    state.withLock { state in
      for (temporary, permanent) in permanentIDs { state.recordAbsorbed(temporary, permanent) }
    }
  }

  /// The permanent ID that a temporary one became; nil if it is not known to have become one.
  func permanentID(for objectID: ObjectID) -> ObjectID? {
    guard objectID.isTemporaryID, isUsed else { return nil }
    return state.withLock { $0.permanentID(of: objectID.key) }
  }

  /// What `body` makes of the first of the other IDs of an object for which it makes anything. There is one as a rule; an
  /// object that others became part of has their temporary IDs too.
  func firstAlias<Result>(of objectID: ObjectID, _ body: (ObjectID) -> Result?) -> Result? {
    guard isUsed else { return nil }
    let (alias, further) = state.withLock { ($0.alias(of: objectID), $0.furtherAliases(of: objectID)) }
    if let alias, let result = body(alias) { return result }
    for other in further {
      if let result = body(other) { return result }
    }
    return nil
  }

  /// The other ID of the same object, temporary or permanent.
  func alias(of objectID: ObjectID) -> ObjectID? {
    guard isUsed else { return nil }
    return state.withLock { $0.alias(of: objectID) }
  }

  /// The permanent ID if there is one, else the ID itself.
  func canonical(_ objectID: ObjectID) -> ObjectID {
    permanentID(for: objectID) ?? objectID
  }

  /// The same for many. O(n).
  func canonical(_ objectIDs: [ObjectID]) -> [ObjectID] {
    guard isUsed else { return objectIDs }
    return state.withLock { state in
      objectIDs.map { $0.isTemporaryID ? state.permanentID(of: $0.key) ?? $0 : $0 }
    }
  }
}
