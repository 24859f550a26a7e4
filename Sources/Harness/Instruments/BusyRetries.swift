import Synchronization

/// A count of the statements that met a lock of another connection, waited and were tried again. Thread-safe.
package final class BusyRetries: Sendable {
  private let number = Atomic(0)

  package init() {}

  package var count: Int { number.load(ordering: .relaxed) }

  /// Counts one statement. Never blocks.
  package func add() {
    number.wrappingAdd(1, ordering: .relaxed)
  }
}
