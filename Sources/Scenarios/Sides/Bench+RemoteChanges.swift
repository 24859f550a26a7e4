import ContextEngine
import MachineCore

extension Bench {
  /// Merges what other coordinators write to the store from now on into a context, by the history of the store.
  ///
  /// - Parameters:
  ///   - context: The context, whose store keeps history.
  ///   - body: A closure that runs after each merge, on the context's queue.
  /// - Returns: A token that ends the merging when it is cancelled.
  /// - Throws: `PersistenceError` if the store keeps no history, or it cannot be read.
  package func mergeRemoteChanges(
    into context: ManagedObjectContext, then body: @escaping @Sendable () -> Void
  ) throws(PersistenceError) -> ObserverToken {
    let coordinator = context.coordinator
    let end = Guarded(try coordinator.currentPersistentHistoryToken())
    return try coordinator.observeRemoteChanges { [self] _ in
      attempt("reading the history") {
        let transactions = try coordinator.execute(.fetchHistory(after: end.withLock { $0 })).transactions
        guard let last = transactions.last else { return }
        end.withLock { $0 = last.token }
        context.perform { [self] in
          note("merges the new transactions of the history")
          attempt("the merge") {
            for transaction in transactions {
              try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: transaction.objectIDNotification(), into: [context])
            }
          }
          body()
        }
      }
    }
  }
}
