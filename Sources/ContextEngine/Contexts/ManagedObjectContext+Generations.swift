import MachineCore

// MARK: - Pinning contexts

/// The state of the store that a context reads from.
enum GenerationPin {
  /// The newest committed rows at each read.
  case none
  /// The generation that is the newest when the context first reads.
  case newest
  /// A given generation. `isChosen` is true if a token selected it, and false if it is the newest one at the first
  /// read.
  case generation(QueryGeneration, isChosen: Bool)
}

extension ManagedObjectContext {
  /// The generation that the context reads from, or nil if it is not pinned. A child returns the token of its root
  /// context.
  public var queryGenerationToken: QueryGenerationToken? {
    if let parent { return parent.queryGenerationToken }
    switch generationPin {
    case .none: return nil
    case .newest: return .current
    case .generation(let generation, _): return QueryGenerationToken(generation: generation)
    }
  }

  /// Pins the context to a generation: from now on all that it reads is the state at one moment, regardless of later
  /// commits. If `token` is nil, the context reads the newest rows again.
  ///
  /// Realised objects are not refreshed. The context advances to the newest generation when it saves, merges or resets,
  /// but not by its batch requests. If a store cannot hold a state (one without a write-ahead log, or in memory), the
  /// call has no effect, as in Core Data; the token is not checked then.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` for a context below another, which reads through its
  ///   parent, even if `token` is nil; for a token of another coordinator; and for a token other than `current` if the
  ///   context merges automatically.
  public func setQueryGeneration(from token: QueryGenerationToken?) throws(PersistenceError) {
    checkQueue()
    guard parent == nil else {
      throw PersistenceError(
        .unsupportedRequest,
        "context \(name) has a parent context and reads through it; pin the context that is on the coordinator")
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
        .unsupportedRequest, "the query generation belongs to another coordinator than context \(name)")
    }
    guard !mergesAutomatically else {
      throw PersistenceError(
        .unsupportedRequest,
        "context \(name) merges automatically and cannot be pinned to a generation that is not the current one")
    }
    generationPin = .generation(generation, isChosen: true)
  }

  /// The coordinator that serves the reads of a context without a parent: its own, or that of the generation which it
  /// is pinned to. If the context is pinned to the newest generation and has not read yet, the getter pins that
  /// generation.
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

  /// Runs a save, a merge or a reset on the newest rows. A pinned context is pinned to the newest generation
  /// afterwards.
  func advancingGeneration<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if case .none = generationPin { return try body() }
    generationPin = .none
    defer { generationPin = .newest }
    return try body()
  }

  /// Traps if the context is pinned to a chosen generation. It is called when automatic merging begins.
  func checkMergesAutomatically() {
    guard case .generation(_, isChosen: true) = generationPin else { return }
    trapMisuse(
      "context \(name) is pinned to a generation that is not the current one and cannot merge automatically")
  }
}
