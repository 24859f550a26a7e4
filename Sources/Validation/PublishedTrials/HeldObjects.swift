import ContextEngine
import MachineCore

/// The objects that a row's steps hold, by the context that they belong to.
// `@unchecked Sendable`: the objects of a context are touched on its queue only, and the lists of the two contexts are
// behind a lock.
final class HeldObjects: @unchecked Sendable {
  private let state = Guarded(State())

  private struct State: @unchecked Sendable {
    var lists: [PublishedTable.Party: [[ManagedObject]]] = [:]
  }

  func hold(_ objects: [ManagedObject], of party: PublishedTable.Party) {
    state.withLock { $0.lists[party, default: []].append(objects) }
  }

  /// Returns the objects that are held for a context, in the order of the steps.
  func objects(of party: PublishedTable.Party) -> [ManagedObject] {
    state.withLock { $0.lists[party]?.flatMap(\.self) ?? [] }
  }

  /// Releases the objects that are held for a context. Call it on the context's queue.
  func release(_ party: PublishedTable.Party) {
    // The objects are deallocated here, outside the lock.
    let released = state.withLock { $0.lists.removeValue(forKey: party) }
    withExtendedLifetime(released) {}
  }
}
