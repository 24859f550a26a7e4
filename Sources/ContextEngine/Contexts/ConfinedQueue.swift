import MachineCore

/// A stand-in for the queue of a context that has no queue: the thread, or the queue, on which the context is used
/// first.
///
/// Blocks cannot be posted to it.
final class ConfinedQueue: SerialQueue {
  let label: String
  private let coordinator: PersistentStoreCoordinator
  private let owner: Guarded<Owner?>

  private enum Owner: Sendable {
    case queue(any SerialQueue)
    case thread(UInt)

    /// Returns true if the calling thread is the owner or holds the owning queue.
    func isCurrent(on machine: any Machine) -> Bool {
      switch self {
      case .queue(let queue): queue.isCurrent
      case .thread(let identifier): identifier == machine.callingThread
      }
    }
  }

  /// Creates a stand-in for a context's queue. The given queue owns the context; if it is nil, the first caller becomes
  /// the owner.
  init(label: String, coordinator: PersistentStoreCoordinator, queue: (any SerialQueue)?) {
    self.label = label
    self.coordinator = coordinator
    owner = Guarded(queue.map(Owner.queue))
  }

  /// The queue that owns the context, or nil if a thread owns it or nothing has used it yet.
  var owningQueue: (any SerialQueue)? {
    owner.withLock { owner in
      if case .queue(let queue) = owner { queue } else { nil }
    }
  }

  /// True if the caller is the owner of the context. The first caller becomes the owner.
  var isCurrent: Bool {
    // The caller is determined before the lock is taken, because this queries other queues.
    let caller = coordinator.currentQueue().map(Owner.queue) ?? .thread(coordinator.machine.callingThread)
    return owner.withLock { owner in
      if let owner { return owner.isCurrent(on: coordinator.machine) }
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
