import Foundation
import MachineCore

/// What stands for the queue of a context that has none: the thread, or the queue, on which that is used first.
///
/// Nothing can be posted to it.
final class ConfinedQueue: SerialQueue {
  let label: String
  private let coordinator: PersistentStoreCoordinator
  private let owner: Guarded<Owner?>

  private enum Owner: Sendable {
    case queue(any SerialQueue)
    case thread(UInt)

    /// Whether the calling thread is the owner, or holds it.
    var isCurrent: Bool {
      switch self {
      case .queue(let queue): queue.isCurrent
      case .thread(let identifier): identifier == Owner.callingThread
      }
    }

    static var callingThread: UInt { UInt(pthread_self()) }
  }

  /// - Parameter queue: the owner if it is known from the start.
  init(label: String, coordinator: PersistentStoreCoordinator, queue: (any SerialQueue)?) {
    self.label = label
    self.coordinator = coordinator
    owner = Guarded(queue.map(Owner.queue))
  }

  /// Whether the caller is the one that the context is bound to; the first who asks is.
  var isCurrent: Bool {
    // Found out before the lock is taken: it asks other queues.
    let caller = coordinator.currentQueue().map(Owner.queue) ?? .thread(Owner.callingThread)
    return owner.withLock { owner in
      if let owner { return owner.isCurrent }
      owner = caller
      return true
    }
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    refuse("perform")
  }

  func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
    refuse("perform")
  }

  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    refuse("performAndWait")
  }

  private func refuse(_ call: String) -> Never {
    trapMisuse("\(call) was called on context \(label), which is confined to a thread: use it there directly")
  }
}
