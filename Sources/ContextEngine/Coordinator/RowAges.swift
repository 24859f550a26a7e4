import MachineCore
import Synchronization

/// When the rows of a row cache were read or written, kept from the moment that a context asks for it on.
///
/// Coordinators without a positive staleness interval pay for one load. Thread-safe.
final class RowAges: Sendable {
  private let machine: any Machine
  private let isKept = Atomic(false)
  private let instants = Guarded<[ObjectID: Instant]>([:])

  init(machine: any Machine) {
    self.machine = machine
  }

  /// From now on ages are kept; rows that were read before count as too old.
  func begin() {
    isKept.store(true, ordering: .releasing)
  }

  var areKept: Bool { isKept.load(ordering: .acquiring) }

  func note(_ objectIDs: some Sequence<ObjectID>) {
    guard areKept else { return }
    // Not under the lock: asking the time may let another thread run.
    let now = machine.now
    instants.withLock { instants in
      for objectID in objectIDs { instants[objectID] = now }
    }
  }

  /// Rows left the row cache.
  func forget(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty, areKept else { return }
    instants.withLock { instants in
      for objectID in objectIDs { instants[objectID] = nil }
    }
  }

  /// Whether a cached row is older than an interval; never for a negative one, always for none.
  func isStale(_ objectID: ObjectID, after interval: Span) -> Bool {
    if interval < .zero { return false }
    if interval == .zero { return true }
    let now = machine.now
    guard let instant = instants.withLock({ $0[objectID] }) else { return true }
    return now - instant > interval
  }
}

extension Span {
  /// A staleness interval that no age exceeds.
  static let unbounded = Span(nanoseconds: -1)
}
