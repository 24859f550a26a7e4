import Foundation
import MachineCore

/// Reports the remote changes of one store to one observer.
///
/// The feed reads the number of the last history transaction on a separate queue: after each write of this process,
/// and at intervals to find the writes of other processes.
final class RemoteChangeFeed: RemoteChangeObserver {
  private struct State: Sendable {
    /// The last transaction that was reported.
    var reported: Int64
    var isCancelled = false
  }

  private let machine: any Machine
  private let store: any PersistentStore
  private let queue: any SerialQueue
  private let interval: TimeSpan?
  private let body: @Sendable (RemoteChange) -> Void
  private let state: Guarded<State>

  var url: URL { store.url }

  /// Creates a feed. The interval is the time between two checks for writes of other processes, or nil to not check for
  /// them.
  init(
    machine: any Machine, store: any PersistentStore, reported: Int64, interval: TimeSpan?,
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

  /// Checks the store's history in a later block of the feed's queue.
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

  /// Reports transactions that were written since the last report. Runs on the feed's queue, with one SELECT.
  private func look() {
    guard !state.withLock({ $0.isCancelled }) else { return }
    // If the store is being closed or another process keeps it locked, the next check reports its changes.
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
