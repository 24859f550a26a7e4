import MachineCore

// MARK: - Pinning contexts

/// What a context reads from.
enum GenerationPin {
  /// The newest committed rows, each time.
  case none
  /// The newest generation when it first reads.
  case newest
  /// One generation. `isChosen` = by its token, not by reading.
  case generation(QueryGeneration, isChosen: Bool)
}

extension ManagedObjectContext {
  /// The generation that the context reads from; nil where it is not pinned. A child has its root's.
  public var queryGenerationToken: QueryGenerationToken? {
    if let parent { return parent.queryGenerationToken }
    switch generationPin {
    case .none: return nil
    case .newest: return .current
    case .generation(let generation, _): return QueryGenerationToken(generation: generation)
    }
  }

  /// Pins the context to a generation: all that it reads from now on is of one moment, whatever others commit; nil = it
  /// reads what is newest again.
  ///
  /// Objects that are realised are not refreshed. The context goes on to the newest generation when it saves, merges or
  /// resets, and not by its batch requests. Where a store cannot hold a state (one without a write-ahead log, or in
  /// memory), nothing happens, as in Core Data.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` for a context below another, which reads through that; for a
  ///   token of another coordinator; and for another token than `current` where the context merges automatically.
  public func setQueryGeneration(from token: QueryGenerationToken?) throws(PersistenceError) {
    checkQueue()
    guard parent == nil else {
      throw PersistenceError(
        .unsupportedRequest,
        "context \(name) is below another and reads through it; pin the context on the coordinator")
    }
    guard let token else {
      generationPin = .none
      return
    }
    guard coordinator.supportsQueryGenerations else { return }
    guard let generation = token.generation else {
      generationPin = .newest
      return
    }
    guard generation.origin === coordinator else {
      throw PersistenceError(
        .unsupportedRequest, "the query generation is of another coordinator than that of context \(name)")
    }
    guard !mergesAutomatically else {
      throw PersistenceError(
        .unsupportedRequest,
        "context \(name) merges automatically and cannot be pinned to a generation that is not the current one")
    }
    generationPin = .generation(generation, isChosen: true)
  }

  /// What serves this context's reads: its coordinator, or that of the generation which it is pinned to, and which it
  /// takes hold of here if it has none yet. For contexts on a coordinator.
  var reader: PersistentStoreCoordinator {
    get throws(PersistenceError) {
      switch generationPin {
      case .none: return coordinator
      case .generation(let generation, _): return generation.reader
      case .newest:
        let generation = try coordinator.pinNewestGeneration()
        generationPin = .generation(generation, isChosen: false)
        return generation.reader
      }
    }
  }

  /// Runs a save, a merge or a reset: it works on what is newest, and a pinned context is pinned to that afterwards.
  func advancingGeneration<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if case .none = generationPin { return try body() }
    generationPin = .none
    defer { generationPin = .newest }
    return try body()
  }

  /// Traps where automatic merging begins in a context that is pinned to a chosen generation.
  func checkMergesAutomatically() {
    guard case .generation(_, isChosen: true) = generationPin else { return }
    trapMisuse(
      "context \(name) is pinned to a generation that is not the current one and cannot merge automatically")
  }
}
