import Dispatch

/// Holds whoever passes until it is opened; it stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Blocks until the gate is open.
  func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}
