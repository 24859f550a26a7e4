import ContextEngine
import MachineCore

/// The stage of a merge of history that other coordinators have written.
package enum RemoteMergeStage: Sendable {
  /// The merge has been posted to the context's queue.
  case posted
  case begun
  /// The merge has ended. The context has all changes up to this token.
  case ended(PersistentHistoryToken)
}

/// Merges the transactions of other coordinators from the store's history into one context.
///
/// The history is read on the queue on which remote changes are reported, and merged on the context's queue.
final class RemoteMerges: Sendable {
  private let context: ManagedObjectContext
  private let author: String
  private let report: @Sendable (RemoteMergeStage) -> Void
  private let didFail: @Sendable (PersistenceError) -> Void
  private let state = Guarded(State())

  private struct State {
    /// The end of the history that has been read.
    var read: PersistentHistoryToken?
    /// The end of the history that has been read and merged.
    var merged: PersistentHistoryToken?
    var observation: ObserverToken?
  }

  /// Creates merges that do not begin yet. `author` is the author of the coordinator's own transactions, which are not
  /// merged. `report` and `didFail` are called on the queue of the remote changes or of the context.
  init(
    into context: ManagedObjectContext, author: String, report: @escaping @Sendable (RemoteMergeStage) -> Void,
    didFail: @escaping @Sendable (PersistenceError) -> Void
  ) {
    self.context = context
    self.author = author
    self.report = report
    self.didFail = didFail
  }

  /// Begins to observe remote changes.
  ///
  /// - Throws: `PersistenceError` if the store keeps no history, or it cannot be read.
  func start() throws(PersistenceError) {
    let end = try context.coordinator.currentPersistentHistoryToken()
    state.withLock { ($0.read, $0.merged) = (end, end) }
    let observation = try context.coordinator.observeRemoteChanges { [weak self] _ in self?.read() }
    state.withLock { $0.observation = observation }
  }

  /// Stops observing. A merge that was posted before still runs.
  func stop() {
    state.withLock { $0.observation }?.cancel()
  }

  /// Returns true if every transaction of the history has been merged. Runs one SELECT.
  ///
  /// - Throws: `PersistenceError` if the store cannot be read.
  func isUpToDate() throws(PersistenceError) -> Bool {
    guard let end = try context.coordinator.currentPersistentHistoryToken() else { return true }
    return state.withLock { state in state.merged.map { !end.isLater(than: $0) } ?? false }
  }

  /// Reads the new transactions and posts their merge.
  private func read() {
    do throws(PersistenceError) {
      let known = state.withLock { $0.read }
      let transactions = try context.coordinator.execute(.fetchHistory(after: known)).transactions
      guard let end = transactions.last?.token else { return }
      state.withLock { $0.read = end }
      let foreign = transactions.filter { $0.author != author }
      if !foreign.isEmpty { report(.posted) }
      context.post { [self] in merge(foreign, upTo: end) }
    } catch {
      didFail(error)
    }
  }

  private func merge(_ transactions: [PersistentHistoryTransaction], upTo end: PersistentHistoryToken) {
    guard !transactions.isEmpty else { return state.withLock { $0.merged = end } }
    report(.begun)
    do throws(PersistenceError) {
      for transaction in transactions {
        try ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: transaction.objectIDNotification(), into: [context])
      }
    } catch {
      didFail(error)
    }
    report(.ended(end))
    state.withLock { $0.merged = end }
  }
}
