import Dispatch

/// A gate that blocks threads until it is opened, and then stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Blocks until the gate is open.
  func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}
