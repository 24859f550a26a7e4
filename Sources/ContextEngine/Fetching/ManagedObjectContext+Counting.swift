import MachineCore

// MARK: - Counting

extension ManagedObjectContext {
  /// Returns the number of objects that a fetch would find, unsaved changes included, without reading any row.
  ///
  /// One SELECT of a count runs, which every context up to the coordinator passes on. Each of these contexts tests its
  /// unsaved objects of the entity: O(unsaved objects) in addition to the work of SQLite.
  ///
  /// - Throws: `PersistenceError` with `invalidPredicate`, or with SQLite's error and the statement.
  public func count(for request: FetchRequest) throws(PersistenceError) -> Int {
    checkQueue()
    try request.check(coordinator.model)
    return try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> Int in
      range(of: request).cut(count: try countWhole(request))
    }
  }

  private func countWhole(_ request: FetchRequest) throws(PersistenceError) -> Int {
    let pending = pendingObjects(request)
    var asked = request
    if !pending.isEmpty {
      // Objects changed in this context count by their values here, so the parent must not count them.
      let changed = FetchPredicate.objectIsIn((pending.updated + pending.deleted).map(\.objectID))
      asked.predicate = .and((request.predicate.map { [$0] } ?? []) + [.not(changed)])
    }
    let below: Int
    if let parent {
      below = try inParentBlock(of: parent) { () throws(PersistenceError) -> Int in try parent.countWhole(asked) }
    } else {
      reportFootprint()
      below = try reader.count(asked.storeRequest())
    }
    guard !pending.isEmpty else { return below }
    let evaluator = PredicateEvaluator(request.predicate, identities: coordinator.identities)
    countObjectsTested(pending.updated.count + pending.inserted.count)
    return below + (pending.updated + pending.inserted).count(where: evaluator.matches)
  }
}

// MARK: - Dictionaries

extension ManagedObjectContext {
  /// Fetches values instead of objects: properties, and functions over all rows or over groups of rows.
  ///
  /// It registers no object and sees only what is saved in the store; the unsaved changes of this context and its
  /// parents do not count. It runs one SELECT, for which each context waits for its parent.
  ///
  /// - Throws: `PersistenceError` with `invalidPredicate`, or with SQLite's error and the statement.
  public func fetchDictionaries(_ request: FetchRequest) throws(PersistenceError) -> [FetchedDictionary] {
    checkQueue()
    let asked = try request.dictionaryRequest(coordinator.model)
    return try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> [FetchedDictionary] in
      let names = asked.columns.map(\.name)
      return try dictionaryRows(asked).map { FetchedDictionary(names: names, values: $0) }
    }
  }

  private func dictionaryRows(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    reportFootprint()
    guard let parent else { return try reader.dictionaries(request) }
    return try inParentBlock(of: parent) { () throws(PersistenceError) -> [[Value]] in
      try parent.dictionaryRows(request)
    }
  }

  /// Runs the request and returns the kind of result that its `resultType` asks for.
  ///
  /// - Throws: `PersistenceError`, as the fetch of that kind does.
  public func execute(_ request: FetchRequest) throws(PersistenceError) -> FetchResult {
    switch request.resultType {
    case .managedObjects: .managedObjects(try fetch(request))
    case .objectIDs: .objectIDs(try fetchObjectIDs(request))
    case .dictionaries: .dictionaries(try fetchDictionaries(request))
    case .count: .count(try count(for: request))
    }
  }
}

// MARK: - In the coordinator

extension PersistentStoreCoordinator {
  func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int {
    let request = permanent(request)
    return try reading { () throws(PersistenceError) -> Int in try store.count(request) }
  }

  func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    var request = request
    request.fetch = permanent(request.fetch)
    return try reading { () throws(PersistenceError) -> [[Value]] in try store.dictionaries(request) }
  }
}
