import MachineCore

/// A fetch that runs while its context does other things, and the block that hears of its end.
public struct AsynchronousFetchRequest: Sendable {
  public var fetchRequest: FetchRequest
  /// Called once, in a block of its own on the context's queue.
  public var completion: @Sendable (AsynchronousFetchResult) -> Void

  public init(_ fetchRequest: FetchRequest, completion: @escaping @Sendable (AsynchronousFetchResult) -> Void) {
    self.fetchRequest = fetchRequest
    self.completion = completion
  }
}

/// An asynchronous fetch that was begun: its progress, and in the completion block what it found or why it failed.
public struct AsynchronousFetchResult: Sendable {
  public let progress: FetchProgress
  /// What was found; nil until the completion block, or where the fetch failed.
  public internal(set) var finalResult: FetchedObjects?
  /// Why the fetch failed: `userCancelled` if it was given up.
  public internal(set) var operationError: PersistenceError?
}

// MARK: - Fetching

extension ManagedObjectContext {
  /// Begins a fetch and returns at once.
  ///
  /// A context on a coordinator has its rows read on a queue of the coordinator's, one fetch after the other, and takes
  /// them in by a block on its own queue; one below another context has the parent fetch likewise and takes the objects
  /// over. Unsaved changes count as they are when the rows arrive. Batches are not made: all rows are read.
  ///
  /// - Throws: `.invalidPredicate` where the request does not fit its entity. Other errors come with the completion block.
  @discardableResult
  public func execute(
    _ request: AsynchronousFetchRequest
  ) throws(PersistenceError) -> AsynchronousFetchResult {
    checkQueue()
    try request.fetchRequest.check(coordinator.model)
    let progress = FetchProgress(limit: request.fetchRequest.fetchLimit)
    let begun = AsynchronousFetchResult(progress: progress)
    let range = range(of: request.fetchRequest)
    fetchAsynchronously(request.fetchRequest, range, progress) { outcome in
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

  /// Fetches in the background; `completion` runs in a block of this context.
  private func fetchAsynchronously(
    _ request: FetchRequest, _ range: FetchRange, _ progress: FetchProgress,
    _ completion: @escaping @Sendable (Result<FetchedObjects, PersistenceError>) -> Void
  ) {
    let asked = pendingObjects(request).widen(range)
    let takeIn = { @Sendable [self] (take: @escaping @Sendable () throws(PersistenceError) -> FetchedObjects) in
      perform { [self] in
        do throws(PersistenceError) {
          try progress.check()
          let list = try machine.during(.fetch, in: name, take)
          // What became unsaved since the rows were asked for may have pushed others into the part that is wanted.
          applyPendingChanges(pendingObjects(request), to: list, request, range)
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
        parent.fetchAsynchronously(whole, asked, progress) { outcome in
          // The list holds the parent's objects until they are registered here.
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
      let outcome = source.fetchInBackground(request, asked, progress)
      takeIn { () throws(PersistenceError) in
        let rows = try outcome.get()
        let objects = try self.register(
          rows, rows.map(\.objectID), slots: request.slots, asFaults: request.returnsObjectsAsFaults)
        return FetchedObjects(
          context: self, entity: request.entity, objects: objects, objectIDs: objects.heldObjectIDs)
      }
    }
  }
}

extension PersistentStoreCoordinator {
  fileprivate func fetchInBackground(
    _ request: FetchRequest, _ range: FetchRange, _ progress: FetchProgress
  ) -> Result<[StoreRow], PersistenceError> {
    do throws(PersistenceError) {
      try progress.check()
      var asked = request.storeRequest(range)
      asked.progress = progress
      let rows = try machine.during(.fetch) { () throws(PersistenceError) -> [StoreRow] in try fetch(asked) }
      progress.advance(to: rows.count)
      try progress.check()
      return .success(rows)
    } catch {
      return .failure(error)
    }
  }
}
