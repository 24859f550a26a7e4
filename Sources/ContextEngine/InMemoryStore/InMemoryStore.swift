import Foundation
import MachineCore

/// A persistent store that keeps its rows in memory, as Core Data's `NSInMemoryStoreType` does.
///
/// Keys, versions, conflicts, predicates and order follow the same rules as in an SQLite store, without SQL and
/// without a file. The rows are deleted when the store is closed or released. The store does not support batch
/// requests, history and query generations; requests for them throw `unsupportedRequest`.
///
/// The store may be used from any thread. A read returns the state after the last save and is not affected by later
/// saves. As in Core Data, requests are served one at a time. Values that an SQLite column cannot store are kept: NaN,
/// which has no position in an order, and minus zero.
///
/// A store in memory suits tests, since it leaves nothing behind:
///
/// ```swift
/// let store = InMemoryStore(machine, model: model)
/// let coordinator = PersistentStoreCoordinator(machine: machine, inMemoryStore: store)
/// // Later, after the last use of the rows:
/// try store.close()
/// ```
public final class InMemoryStore: PersistentStore {
  /// The UUID in the store's metadata.
  public let identifier: String
  /// The model of the store's objects.
  public let model: ManagedObjectModel

  let machine: any Machine
  private let onRequest: (@Sendable (_ request: String) -> Void)?
  /// The lock that a save holds from its first check of versions to its end.
  private let writersTurn: any MachineLock
  /// The store's contents. No work is reported and no closure is called while they are locked.
  private let state: Guarded<State>
  /// The index of each entity's root entity, whose table has the entity's rows, by the entity's index.
  private let roots: [Int]

  struct State: Sendable {
    /// The tables by the index of the entity. Only the tables of root entities are used; each has the rows of the
    /// root's family.
    var tables: [InMemoryTable]
    /// The relationship data that rows do not hold.
    var relationships: InMemoryRelationships
    var uniqueness: InMemoryUniqueness
    var isClosed = false
    /// The number of saves.
    var saveCount: Int64 = 0
  }

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - machine: the queues, locks and clock that the store's coordinator uses too.
  ///   - model: the model of the store's objects.
  ///   - identifier: the UUID in the store's metadata, or nil for a random one.
  ///   - onRequest: a closure that is called on the executing thread with the name of each request, before the request
  ///     is carried out.
  public init(
    _ machine: any Machine, model: ManagedObjectModel, identifier: String? = nil,
    onRequest: (@Sendable (_ request: String) -> Void)? = nil
  ) {
    self.machine = machine
    self.model = model
    self.identifier = identifier ?? UUID().uuidString
    self.onRequest = onRequest
    writersTurn = machine.makeLock(label: "writer's turn in memory")
    roots = model.entities.map(\.root.index)
    state = Guarded(
      State(
        tables: model.entities.map { InMemoryTable(of: $0.family.map { index in model.entities[index] }) },
        relationships: InMemoryRelationships(model), uniqueness: InMemoryUniqueness(model)))
  }

  package var connectionPoolSize: Int { 1 }

  package func changeToken() throws(PersistenceError) -> [Int64]? { state.withLock { [$0.saveCount] } }

  /// Removes every row. Later requests throw `storeOpen`.
  public func close() throws(PersistenceError) {
    state.withLock {
      $0 = State(tables: [], relationships: $0.relationships, uniqueness: $0.uniqueness, isClosed: true)
    }
  }

  /// Returns the current contents of the store.
  ///
  /// - Throws: `storeOpen` if the store was closed.
  func contents(for request: @autoclosure () -> String) throws(PersistenceError) -> State {
    onRequest?(request())
    let state = state.withLock { $0 }
    guard !state.isClosed else { throw Self.closed }
    return state
  }

  private func table(
    of entity: EntityDescription, for request: @autoclosure () -> String
  ) throws(PersistenceError) -> InMemoryTable {
    try view(of: entity, for: request()).table(of: entity.index)
  }

  /// Returns a view of the current contents for a request of an entity. Traps if the entity is not of the store's
  /// model.
  private func view(
    of entity: EntityDescription, for request: @autoclosure () -> String
  ) throws(PersistenceError) -> InMemoryView {
    guard model.entities.indices.contains(entity.index), model.entities[entity.index] === entity else {
      trapMisuse("entity \(entity.name) does not belong to the model of the store \(identifier)")
    }
    return InMemoryView(model: model, contents: try contents(for: request()), roots: roots)
  }

  private static var closed: PersistenceError {
    PersistenceError(.storeOpen, "the store in memory was used after it had been closed")
  }
}

// MARK: - Reading

extension InMemoryStore {
  package func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let view = try view(of: request.entity, for: "fetch \(request.entity.name)")
    let slots = Self.normalised(request.slots, of: request.entity)
    let rows = subjects(request, in: view).map { StoreRow(objectID: $0.objectID, row: $0.row.reduced(to: slots)) }
    report(stepped: rows)
    return rows
  }

  package func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    let view = try view(of: request.entity, for: "fetch the keys of \(request.entity.name)")
    let objectIDs = subjects(request, in: view).map(\.objectID)
    report(steppedKeyCount: objectIDs.count)
    return objectIDs
  }

  package func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int {
    let view = try view(of: request.entity, for: "count \(request.entity.name)")
    return subjects(request.unordered, in: view).count
  }

  package func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    let entity = request.fetch.entity
    let view = try view(of: entity, for: "fetch dictionaries of \(entity.name)")
    let rows = DictionaryAssembly(request).rows(of: subjects(request.fetch.unordered, in: view))
    if !rows.isEmpty {
      machine.account(Work(.rowStepped, count: rows.count, bytes: 8 * rows.count * request.columns.count))
    }
    return rows
  }

  package func rows(
    of entity: EntityDescription, keys: [Int64], slots: SlotSet
  ) throws(PersistenceError) -> [StoreRow] {
    if keys.isEmpty { return [] }
    let table = try table(of: entity, for: "read \(entity.name) by key")
    let slots = Self.normalised(slots, of: entity)
    let positions = keys.compactMap(table.position).filter { entity.includes(table.objectID(at: $0).entityIndex) }
    let rows = positions.map { position in
      StoreRow(objectID: table.objectID(at: position), row: table.row(at: position).reduced(to: slots))
    }
    report(stepped: rows)
    return rows
  }

  package func row(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    let entity = model.entities[objectID.entityIndex]
    let row = try table(of: entity, for: "read one \(entity.name)").row(of: objectID)
    if let row { report(stepped: [StoreRow(objectID: objectID, row: row)]) }
    return row
  }

  /// Returns the objects that a request selects, in its order. Rows with equal sort keys are in the order of their
  /// keys.
  private func subjects(_ request: StoreFetchRequest, in view: InMemoryView) -> [InMemorySubject] {
    let evaluator = PredicateEvaluator(request.predicate)
    let all = view.subjects(of: request.entity)
    var found = all.filter { request.covers($0.objectID.entityIndex) && evaluator.matches(subject: $0) }
    let passedOver = all.count - found.count
    if passedOver > 0 { machine.account(Work(.rowScanned, count: passedOver)) }
    if !request.sortDescriptors.isEmpty, !found.isEmpty {
      let order = ObjectOrder(request.sortDescriptors)
      found.sort { left, right in
        let result = order.compare(left, right)
        return result == 0 ? left.objectID.key < right.objectID.key : result < 0
      }
      machine.account(Work(.rowSorted, count: found.count))
    }
    return request.range.cut(found)
  }

  /// Returns the slots to read of an entity: `.all` if `slots` contains all slots and no entity inherits from
  /// it.
  private static func normalised(_ slots: SlotSet, of entity: EntityDescription) -> SlotSet {
    // Rows of entities that inherit from this one have more slots.
    if entity.hasSubentities, !slots.isAll { return slots.intersection(entity.everySlot) }
    return slots.isSuperset(of: entity.everySlot) ? .all : slots.intersection(entity.everySlot)
  }
}

// MARK: - Writing

extension InMemoryStore {
  package func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64] {
    if requests.isEmpty { return [] }
    onRequest?("reserve keys")
    let firstKeys = try state.withLock { state throws(PersistenceError) -> [Int64] in
      guard !state.isClosed else { throw Self.closed }
      return requests.map { state.tables[roots[$0.entity.index]].reserveKeys($0.count) }
    }
    machine.account(Work(.commit))
    return firstKeys
  }

  package func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome {
    onRequest?("save")
    return try writersTurn.withLock { () throws(PersistenceError) -> SaveOutcome in
      let (conflicts, taken, isBroken) = try state.withLock {
        state throws(PersistenceError) -> ([VersionConflict], [ObjectID], Bool) in
        guard !state.isClosed else { throw Self.closed }
        return (
          self.conflicts(of: changes, with: state.tables), takenKeys(of: changes, in: state.tables),
          state.uniqueness.isBroken(by: changes, roots: roots)
        )
      }
      guard taken.isEmpty else {
        throw PersistenceError(
          .saveConflicts, "\(taken.count) new rows have keys that are already used in the store in memory",
          objectIDs: taken)
      }
      if conflicts.isEmpty, isBroken { return .notUnique }
      guard conflicts.isEmpty, try beforeCommit() else { return .conflicting(conflicts) }
      try state.withLock { state throws(PersistenceError) in
        guard !state.isClosed else { throw Self.closed }
        if !state.uniqueness.isEmpty {
          let replaced = (changes.deletions.map(\.objectID) + changes.updates.map(\.objectID)).compactMap { objectID in
            state.tables[roots[objectID.entityIndex]].row(of: objectID).map { (objectID: objectID, row: $0) }
          }
          state.uniqueness.write(changes, replacing: replaced, roots: roots)
        }
        write(changes, to: &state.tables)
        Self.writeRelationships(changes, model: model, to: &state)
        state.saveCount += 1
      }
      report(written: changes)
      machine.account(Work(.commit))
      return .committed(at: machine.now, token: nil)
    }
  }

  /// Returns the updated and deleted objects whose rows have another version than the changes were based on, or were
  /// deleted.
  private func conflicts(of changes: StoreChanges, with tables: [InMemoryTable]) -> [VersionConflict] {
    let bases =
      changes.updates.map { ($0.objectID, $0.baseVersion) } + changes.deletions.map { ($0.objectID, $0.baseVersion) }
    return bases.compactMap { objectID, baseVersion in
      let row = tables[roots[objectID.entityIndex]].row(of: objectID)
      return row?.version == baseVersion ? nil : VersionConflict(objectID: objectID, persisted: row)
    }.sorted { $0.objectID < $1.objectID }
  }

  private func takenKeys(of changes: StoreChanges, in tables: [InMemoryTable]) -> [ObjectID] {
    changes.insertions.map(\.objectID).filter { tables[roots[$0.entityIndex]].position(of: $0.key) != nil }
  }

  /// Writes the rows of a save to the tables. The rows become shared.
  private func write(_ changes: StoreChanges, to tables: inout [InMemoryTable]) {
    for insertion in changes.insertions {
      insertion.row.becomeShared()
      guard !insertion.objectID.isTemporaryID else {
        trapMisuse("a save was given the temporary ID \(insertion.objectID)")
      }
      tables[roots[insertion.objectID.entityIndex]].insert(insertion.row, of: insertion.objectID)
    }
    for update in changes.updates {
      update.row.becomeShared()
      tables[roots[update.objectID.entityIndex]].update(update.row, of: update.objectID)
    }
    var deleted: [Int: [Int64]] = [:]
    for deletion in changes.deletions {
      deleted[roots[deletion.objectID.entityIndex], default: []].append(deletion.objectID.key)
    }
    for root in deleted.keys { tables[root].delete((deleted[root] ?? []).sorted()) }
  }
}

extension Row {
  /// Returns the row with only the given slots.
  fileprivate func reduced(to slots: SlotSet) -> Row {
    guard !slots.isAll else { return self }
    let values = values.enumerated().map { slots.contains($0) ? $1 : .null }
    return Row(version: version, values: values, slots: slots)
  }
}
