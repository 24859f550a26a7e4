import MachineCore

/// A fetch that runs in the background while its context does other work, with a completion block.
public struct AsynchronousFetchRequest: Sendable {
  /// The fetch that is run.
  public var fetchRequest: FetchRequest
  /// The block that is called once, when the fetch has ended, as a separate block on the context's queue.
  public var completion: @Sendable (AsynchronousFetchResult) -> Void

  /// Creates a request to run a fetch and to call a block once when the fetch has ended.
  public init(_ fetchRequest: FetchRequest, completion: @escaping @Sendable (AsynchronousFetchResult) -> Void) {
    self.fetchRequest = fetchRequest
    self.completion = completion
  }
}

/// The state of an asynchronous fetch: its progress and, in the completion block, its result or its error.
public struct AsynchronousFetchResult: Sendable {
  /// The progress of the fetch, which can also cancel it.
  public let progress: FetchProgress
  /// The fetched objects, or nil before the completion block is called and if the fetch failed.
  public internal(set) var finalResult: FetchedObjects?
  /// The error with which the fetch failed, or nil. It is `userCancelled` if the fetch was cancelled.
  public internal(set) var operationError: PersistenceError?
}

// MARK: - Fetching

extension ManagedObjectContext {
  /// Starts a fetch and returns at once.
  ///
  /// A context on a coordinator has its rows read on the coordinator's fetch queue, which runs one fetch after the
  /// other, and registers the objects in a block on its own queue. A child context has its parent run the fetch in the
  /// same way and then registers the objects. Unsaved changes count as they are when the rows arrive. The batch size is
  /// ignored: all rows are read.
  ///
  /// - Throws: `.invalidPredicate` if the request does not fit its entity. Other errors are passed to the completion
  ///   block.
  @discardableResult
  public func execute(
    _ request: AsynchronousFetchRequest
  ) throws(PersistenceError) -> AsynchronousFetchResult {
    checkQueue()
    try request.fetchRequest.check(coordinator.model)
    let progress = FetchProgress(limit: request.fetchRequest.fetchLimit)
    let begun = AsynchronousFetchResult(progress: progress)
    let range = range(of: request.fetchRequest)
    fetchAsynchronously(request.fetchRequest, range: range, progress: progress) { outcome in
      var finished = begun
      switch outcome {
      case .success(let list):
        progress.finish(with: list.count)
        finished.finalResult = list
      case .failure(let error): finished.operationError = error
      }
      request.completion(finished)
    }
    return begun
  }

  /// Fetches in the background and calls `completion` in a block of this context.
  private func fetchAsynchronously(
    _ request: FetchRequest, range: FetchRange, progress: FetchProgress,
    completion: @escaping @Sendable (Result<FetchedObjects, PersistenceError>) -> Void
  ) {
    let asked = pendingObjects(request).widen(range)
    let takeIn = { @Sendable [self] (take: @escaping @Sendable () throws(PersistenceError) -> FetchedObjects) in
      perform { [self] in
        do throws(PersistenceError) {
          try progress.check()
          let list = try recorder.during(.fetch, in: name, body: take)
          // Applies the changes that are unsaved now. Those made since the request may have moved other objects into
          // the range.
          applyPendingChanges(pendingObjects(request), to: list, request: request, range: range)
          completion(.success(list))
        } catch {
          completion(.failure(error))
        }
      }
    }
    if let parent {
      var whole = request
      whole.propertiesToFetch = nil
      parent.perform { [self, whole] in
        parent.fetchAsynchronously(whole, range: asked, progress: progress) { outcome in
          // The list keeps the parent's objects alive until they are registered here.
          if case .success(let list) = outcome { parent.share(list.objectIDs) }
          takeIn { () throws(PersistenceError) in
            let above = try outcome.get()
            let objects = self.registerFaults(above.objectIDs)
            return FetchedObjects(
              context: self, entity: request.entity, objects: objects, objectIDs: objects.heldObjectIDs)
          }
        }
      }
      return
    }
    let source: PersistentStoreCoordinator
    do throws(PersistenceError) {
      source = try reader
    } catch {
      return takeIn { () throws(PersistenceError) in throw error }
    }
    coordinator.fetchQueue.async {
      let outcome = source.fetchInBackground(request, range: asked, progress: progress)
      takeIn { () throws(PersistenceError) in
        let rows = try outcome.get()
        let objects = try self.register(
          rows, objectIDs: rows.map(\.objectID), slots: request.slots, asFaults: request.returnsObjectsAsFaults)
        return FetchedObjects(
          context: self, entity: request.entity, objects: objects, objectIDs: objects.heldObjectIDs)
      }
    }
  }
}

extension PersistentStoreCoordinator {
  fileprivate func fetchInBackground(
    _ request: FetchRequest, range: FetchRange, progress: FetchProgress
  ) -> Result<[StoreRow], PersistenceError> {
    do throws(PersistenceError) {
      try progress.check()
      var asked = request.storeRequest(range)
      asked.progress = progress
      let rows = try machine.recorder.during(.fetch) { () throws(PersistenceError) -> [StoreRow] in try fetch(asked) }
      progress.advance(to: rows.count)
      try progress.check()
      return .success(rows)
    } catch {
      return .failure(error)
    }
  }
}
