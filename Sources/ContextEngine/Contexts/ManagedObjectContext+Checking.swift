import MachineCore

// MARK: - Checking queues

extension ManagedObjectContext {
  /// Traps if the caller is not on the context's queue and the coordinator checks queues.
  func checkQueue() {
    guard coordinator.checksConcurrency, !queue.isCurrent else { return }
    if isInParentBlock, let parent, parent.queue.isCurrent { return }
    let current = coordinator.currentQueue().map { "the queue “\($0.label)”" } ?? "no context's queue"
    let own =
      concurrencyType == .confinement
      ? "is confined to the thread or queue that used it first" : "belongs to the queue “\(queue.label)”"
    trapMisuse("context \(name), or an object of it, was used on \(current); it \(own)")
  }
}
