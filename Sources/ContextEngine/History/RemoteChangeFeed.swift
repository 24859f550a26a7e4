import Foundation
import MachineCore

/// The remote changes of one store as one observer hears of them.
///
/// Looks, on a queue of its own, how far the store's history has come: when somebody in this process has written, and at
/// intervals for the sake of other processes.
final class RemoteChangeFeed: RemoteChangeObserver {
  private struct State: Sendable {
    /// The last transaction that was reported.
    var reported: Int64
    var isCancelled = false
  }

  private let machine: any Machine
  private let store: any PersistentStore
  private let queue: any SerialQueue
  private let interval: Span?
  private let body: @Sendable (RemoteChange) -> Void
  private let state: Guarded<State>

  var url: URL { store.url }

  /// - Parameter interval: between two looks for what other processes have written; nil = none.
  init(
    machine: any Machine, store: any PersistentStore, reported: Int64, interval: Span?,
    body: @escaping @Sendable (RemoteChange) -> Void
  ) {
    self.machine = machine
    self.store = store
    self.interval = interval
    self.body = body
    queue = machine.makeSerialQueue(label: "remote changes of \(store.identifier)")
    state = Guarded(State(reported: reported))
  }

  func start() {
    RemoteChangeCenter.shared.add(self)
    scheduleLook()
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    RemoteChangeCenter.shared.remove(self)
  }

  /// Looks at the store's history in a later block of the feed's queue.
  func storeChanged() {
    queue.async { [weak self] in self?.look() }
  }

  private func scheduleLook() {
    guard let interval, !state.withLock({ $0.isCancelled }) else { return }
    queue.async(at: machine.now + interval) { [weak self] in
      self?.look()
      self?.scheduleLook()
    }
  }

  /// Reports what was written since the last time; on the feed's queue. One SELECT.
  private func look() {
    guard !state.withLock({ $0.isCancelled }) else { return }
    // A store that is being closed, or that another process keeps locked, is looked at again later.
    guard let last = try? store.lastTransactionNumber() else { return }
    let isNews = state.withLock { state in
      guard last > state.reported, !state.isCancelled else { return false }
      state.reported = last
      return true
    }
    guard isNews else { return }
    body(RemoteChange(storeID: store.identifier, historyToken: PersistentHistoryToken([store.identifier: last])))
  }
}
