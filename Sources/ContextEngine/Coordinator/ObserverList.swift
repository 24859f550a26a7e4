import MachineCore

/// A list of closures that observe an event, called in the order in which they were added.
///
/// Adding and removing is thread-safe. The caller of `notify` runs the closures on its own queue, without holding the
/// list's lock.
final class ObserverList<Notification>: Sendable {
  private struct State: Sendable {
    var nextToken = 1
    var observers: [(token: Int, body: @Sendable (Notification) -> Void)] = []
  }

  private let state = Guarded(State())

  /// Adds an observer and returns the token that removes it.
  func add(_ body: @escaping @Sendable (Notification) -> Void) -> ObserverToken {
    let token = state.withLock { state in
      let token = state.nextToken
      state.nextToken += 1
      state.observers.append((token, body))
      return token
    }
    return ObserverToken { [weak self] in
      self?.state.withLock { $0.observers.removeAll { $0.token == token } }
    }
  }

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  func notify(_ notification: Notification) {
    let observers = state.withLock { $0.observers }
    for observer in observers { observer.body(notification) }
  }
}

/// A token that ends an observation. Cancelling it twice has no effect; if it is discarded, the observation continues.
public struct ObserverToken: Sendable {
  private let remove: @Sendable () -> Void

  init(_ remove: @escaping @Sendable () -> Void) {
    self.remove = remove
  }

  /// Removes the observer. A notification that is being delivered can still reach it.
  public func cancel() {
    remove()
  }
}
