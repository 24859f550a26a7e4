import ContextEngine
import MachineCore

// MARK: - Two coordinators on one file

extension Bench {
  /// Lets a worker change the title of a note that main shows. Both have a coordinator each, on one file with history.
  ///
  /// - Parameters:
  ///   - observation: The name of the title that main has in the end.
  ///   - follow: A closure that makes main follow the worker's save. It gets main, the worker and a closure that notes the
  ///     title and runs on main's queue in the end. It returns a token by which main stops to follow.
  /// - Throws: `PersistenceError` if the preparations fail, or an error of `rest()`.
  package func changeOnOtherCoordinator(
    observing observation: String,
    following follow: (
      _ main: ManagedObjectContext, _ worker: ManagedObjectContext, _ show: @escaping @Sendable () -> Void
    ) throws -> ObserverToken
  ) throws {
    let own = try makeCoordinator(usesLog: true, keepsHistory: true)
    let other = try makeCoordinator(usesLog: true, keepsHistory: true)
    let main = keep(ManagedObjectContext(.mainQueue, coordinator: own, name: "main"))
    let worker = keep(ManagedObjectContext(.privateQueue, coordinator: other, name: "worker"))
    try worker.storeNotes(0..<1)
    let shown = try main.performAndWait { try main.notes() }
    main.performAndWait { observe("title on the screen before", "“\(shown.map(\.title).joined())”") }
    let changed = try worker.performAndWait { try worker.notes() }
    let token = try follow(main, worker) { [self] in
      observe(observation, "“\(shown.map(\.title).joined())”", right: "“from the worker”")
    }
    begin()
    worker.perform { [self] in
      for changed in changed { changed["title"] = .string("from the worker") }
      note("sets the title to “from the worker”")
      attempt("the worker's save") { try worker.save() }
    }
    try rest()
    token.cancel()
  }

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
