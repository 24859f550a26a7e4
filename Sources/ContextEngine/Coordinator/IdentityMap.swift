import MachineCore
import Synchronization

/// Which permanent ID each temporary one became, for objects that more than one level of contexts knew before they were
/// saved: those below keep their temporary IDs, and rows in memory still refer to them.
///
/// It grows with the objects that children create or see and lives as long as its coordinator, as the book-keeping of nested
/// contexts does in Core Data. Thread-safe.
final class IdentityMap: Sendable {
  private struct State: Sendable {
    var permanent: [ObjectID: ObjectID] = [:]
    var temporary: [ObjectID: ObjectID] = [:]
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
        state.permanent[temporary] = permanent
        state.temporary[permanent] = temporary
      }
    }
  }

  /// The permanent ID that a temporary one became; nil if it is not known to have become one.
  func permanentID(for objectID: ObjectID) -> ObjectID? {
    guard objectID.isTemporaryID, isUsed else { return nil }
    return state.withLock { $0.permanent[objectID] }
  }

  /// The other ID of the same object, temporary or permanent.
  func alias(of objectID: ObjectID) -> ObjectID? {
    guard isUsed else { return nil }
    return state.withLock { state in
      objectID.isTemporaryID ? state.permanent[objectID] : state.temporary[objectID]
    }
  }

  /// The permanent ID if there is one, else the ID itself.
  func canonical(_ objectID: ObjectID) -> ObjectID {
    permanentID(for: objectID) ?? objectID
  }

  /// How many temporary IDs are remembered.
  var count: Int { state.withLock { $0.permanent.count } }
}
