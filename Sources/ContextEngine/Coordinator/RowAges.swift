import MachineCore
import Synchronization

/// The times at which the rows of a row cache were read or written, recorded from the moment that a context needs
/// them.
///
/// Coordinators without a positive staleness interval pay only for one load. Thread-safe.
final class RowAges: Sendable {
  private let machine: any Machine
  private let isKept = Atomic(false)
  private let instants = Guarded<[ObjectID: Instant]>([:])

  init(machine: any Machine) {
    self.machine = machine
  }

  /// Starts to record ages. Rows that were read before count as stale.
  func begin() {
    isKept.store(true, ordering: .releasing)
  }

  var areKept: Bool { isKept.load(ordering: .acquiring) }

  func note(_ objectIDs: some Sequence<ObjectID>) {
    guard areKept else { return }
    // The time is read before the lock is taken, because reading it may let another thread run.
    let now = machine.now
    instants.withLock { instants in
      for objectID in objectIDs { instants[objectID] = now }
    }
  }

  /// Removes the ages of rows that were removed from the row cache.
  func forget(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty, areKept else { return }
    instants.withLock { instants in
      for objectID in objectIDs { instants[objectID] = nil }
    }
  }

  /// Returns true if a cached row is older than an interval. The result is always false for a negative interval and
  /// always true for an interval of zero.
  func isStale(_ objectID: ObjectID, after interval: TimeSpan) -> Bool {
    if interval < .zero { return false }
    if interval == .zero { return true }
    let now = machine.now
    guard let instant = instants.withLock({ $0[objectID] }) else { return true }
    return now - instant > interval
  }
}

extension TimeSpan {
  /// A staleness interval that no age exceeds.
  static let unbounded = TimeSpan(nanoseconds: -1)
}
