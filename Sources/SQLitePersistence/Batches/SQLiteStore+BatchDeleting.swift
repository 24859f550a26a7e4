import ContextEngine
import MachineCore

// MARK: - Deleting by SQL

extension SQLiteStore {
  func delete(
    _ deletion: StoreBatchDeletion, from origin: TransactionOrigin, on connection: SQLiteConnection
  ) throws(PersistenceError) -> StoreBatchOutcome {
    var outcome = StoreBatchOutcome()
    try inTransaction(connection, outcome: &outcome) { outcome, external throws(PersistenceError) in
      if !deletion.listsRows, case .matches(let request) = deletion.target, isDeletedAlone(request), external == nil {
        let table = table(of: request.entity)
        outcome.unlistedCount = try write(
          "DELETE FROM \(table.name)", parameters: [], keys: keys(matching: request), on: connection)
        return
      }
      let objectIDs: [ObjectID]
      switch deletion.target {
      case .matches(let request): objectIDs = try self.objectIDs(matching: request, connection)
      case .objectIDs(let wanted): objectIDs = try existing(wanted, on: connection)
      }
      var run = BatchDeletion(store: self, connection: connection, external: external)
      try run.delete(objectIDs)
      try run.checkNothingIsProtected()
      let derived = try run.derive()
      outcome.deleted = run.deleted
      outcome.updated = run.nullified.map(\.objectID)
      try writeHistory(of: run, derived: derived, from: origin, connection)
    }
    return outcome
  }

  /// Returns a Boolean value that indicates whether nothing but the selected rows has to be written or read for their
  /// deletion: the store has no history, no attribute is derived, and no delete rule concerns other rows.
  private func isDeletedAlone(_ request: StoreFetchRequest) -> Bool {
    guard history == nil, model.derivations.isEmpty else { return false }
    let family = model.entities.filter { entity in
      request.includesSubentities
        ? entity.isKind(ofIndex: request.entity.index) : entity.index == request.entity.index
    }
    return family.allSatisfy { entity in
      entity.toManys.allSatisfy { $0.deleteRule == .noAction }
        && entity.slots.allSatisfy { slot in
          guard case .toOne(let toOne) = slot else { return true }
          // The row of a to-one relationship has the key, so that its deletion also removes it from a to-many inverse.
          return toOne.deleteRule == .noAction || toOne.deleteRule == .nullify && toOne.inverse?.kind != .toOne
        }
    }
  }

  /// Writes a transaction of history. It has one change for each row whose keys were set to NULL, then one for each row
  /// that only derives from other rows, then one for each deleted row.
  private func writeHistory(
    of run: BatchDeletion, derived: [ObjectID: SlotSet], from origin: TransactionOrigin, _ connection: SQLiteConnection
  ) throws(PersistenceError) {
    guard let history else { return }
    var records = run.nullified.map {
      SQLiteHistory.Record(
        objectID: $0.objectID, type: .update, slots: $0.slots.union(derived[$0.objectID, default: []]))
    }
    records += followers(in: derived, besides: run.nullified.map(\.objectID) + run.deleted)
    records += run.deleted.map { .init(objectID: $0, type: .delete, tombstone: run.tombstones[$0] ?? []) }
    _ = try history.write(records, from: origin, in: tables, on: connection)
  }

  /// Returns the given IDs that have a row, each once, in ascending order.
  private func existing(
    _ wanted: [ObjectID], on connection: SQLiteConnection
  ) throws(PersistenceError) -> [ObjectID] {
    var found: [ObjectID] = []
    for run in Set(wanted).sorted().runs(by: \.entityIndex) {
      let table = table(of: run[run.startIndex])
      let known = Set(run)
      // A row with one of the keys may belong to another entity that shares the table.
      found += try objectIDs(in: table, query: SQLiteQuery(table.keySelection, keys: run.map(\.key)), on: connection)
        .filter(known.contains).sorted()
    }
    return found
  }
}

/// One batch deletion and the delete rules that it applies.
///
/// Rows are deleted in sets, not one by one: the rows of one entity that a step deletes take one statement for each
/// relationship and one for the rows. A row is deleted once, even if cascades form a cycle.
private struct BatchDeletion {
  let store: SQLiteStore
  let connection: SQLiteConnection
  /// The changes to external files, or nil if no attribute of the model allows external storage.
  private let external: ExternalChanges?
  private(set) var deleted: [ObjectID] = []
  /// The values of the deleted rows that history keeps.
  private(set) var tombstones: [ObjectID: [Value]] = [:]
  /// The rows whose keys were set to NULL, each once. `emptiedSlots` has the slots of the keys.
  private var emptied: [ObjectID] = []
  private var emptiedSlots: [ObjectID: SlotSet] = [:]
  /// The rows at the other end of relationships with the delete rule deny. The request fails if any of them is left.
  private var protecting: [ObjectID] = []
  private var seen: Set<ObjectID> = []
  private var derivation: BatchDerivation

  init(store: SQLiteStore, connection: SQLiteConnection, external: ExternalChanges?) {
    self.external = external
    self.store = store
    self.connection = connection
    derivation = BatchDerivation(store: store, connection: connection)
  }

  /// The rows whose keys were set to NULL, with the slots of the keys. Rows that were deleted later are left
  /// out.
  var nullified: [(objectID: ObjectID, slots: SlotSet)] {
    emptied.filter { !seen.contains($0) }.map { ($0, emptiedSlots[$0] ?? []) }
  }

  /// Checks that no row is left at the other end of a relationship with the delete rule deny.
  ///
  /// - Throws: `validationRelationshipDeniedDelete` if there is such a row.
  func checkNothingIsProtected() throws(PersistenceError) {
    let left = protecting.filter { !seen.contains($0) }
    guard let first = left.first else { return }
    let name = store.model.entities[first.entityIndex].name
    throw PersistenceError(
      .validationRelationshipDeniedDelete,
      "a batch deletion was refused: \(left.count) objects, \(name) \(first.key) the first, are at the other end of "
        + "a relationship with the delete rule deny", objectIDs: left)
  }

  /// Computes the derived attributes that depend on rows that were deleted or whose keys were set to NULL.
  mutating func derive() throws(PersistenceError) -> [ObjectID: SlotSet] { try derivation.finish() }

  mutating func delete(_ objectIDs: [ObjectID]) throws(PersistenceError) {
    var waiting = [objectIDs]
    while let next = waiting.popLast() {
      let fresh = next.filter { seen.insert($0).inserted }.sorted()
      for run in fresh.runs(by: \.entityIndex) { waiting += try deleteRows(Array(run)) }
    }
  }

  /// Deletes rows of one entity that this deletion has not seen before.
  ///
  /// - Returns: the rows that cascades delete next.
  private mutating func deleteRows(_ fresh: [ObjectID]) throws(PersistenceError) -> [[ObjectID]] {
    let entity = store.model.entities[fresh[0].entityIndex]
    let keys = fresh.map(\.key)
    tombstones.merge(try store.tombstones(of: fresh, connection)) { first, _ in first }
    try store.dropExternalData(of: fresh, external: external, on: connection)
    try derivation.leaving(fresh)
    let cascading = try applyRules(of: entity, keys)
    try run("DELETE FROM \(store.table(of: entity).name) WHERE Z_PK IN \(Self.list)", keys: keys)
    deleted += fresh
    return cascading
  }

  /// Applies the delete rules of an entity's relationships to rows that are about to be deleted.
  ///
  /// - Returns: the rows that cascades delete next, one array for each relationship.
  private mutating func applyRules(
    of entity: EntityDescription, _ keys: [Int64]
  ) throws(PersistenceError) -> [[ObjectID]] {
    var cascading: [[ObjectID]] = []
    for toMany in entity.toManys {
      if let end = store.model.joinTableEnd(of: toMany) {
        cascading += try applyRule(of: toMany, joinTable: store.joinTables[end.table], end: end, keys: keys)
        continue
      }
      let related = try rows(of: toMany.destination, whose: toMany.inverse.slot, leadsTo: keys)
      switch toMany.deleteRule {
      case .cascade: cascading.append(related)
      case .nullify: try empty(toMany.inverse.slot, of: related)
      case .deny: protecting += related
      case .noAction: break
      }
    }
    for (slot, description) in entity.slots.enumerated() {
      guard case .toOne(let toOne) = description else { continue }
      switch toOne.deleteRule {
      case .cascade: cascading.append(try targets(of: entity, keys, slot: slot, destination: toOne.destination))
      case .deny: protecting += try targets(of: entity, keys, slot: slot, destination: toOne.destination)
      case .nullify:
        // Both rows of a one-to-one relationship have a key.
        guard let inverse = toOne.inverse, inverse.kind == .toOne else { continue }
        try empty(inverse.slot, of: rows(of: toOne.destination, whose: inverse.slot, leadsTo: keys))
      case .noAction: break
      }
    }
    return cascading
  }

  /// Applies the delete rule of a many-to-many relationship. The pairs are deleted unless the rule is no action.
  ///
  /// - Returns: the rows that a cascade deletes next.
  private mutating func applyRule(
    of toMany: EntityDescription.ToMany, joinTable: JoinTable, end: JoinTableEnd, keys: [Int64]
  ) throws(PersistenceError) -> [[ObjectID]] {
    if toMany.deleteRule == .noAction { return [] }
    let (near, far) = (joinTable.near(end).name, joinTable.far(end).name)
    var related: [ObjectID] = []
    if toMany.deleteRule != .nullify {
      let sql = "SELECT DISTINCT \(far) FROM \(joinTable.name) WHERE \(near) IN \(Self.list) ORDER BY \(far)"
      let destination = store.table(of: store.model.entities[toMany.destination])
      related = try objectIDs(in: destination, connection.keys(sql, from: keys))
    }
    if toMany.deleteRule == .deny { protecting += related }
    try run("DELETE FROM \(joinTable.name) WHERE \(near) IN \(Self.list)", keys: keys)
    // A relationship that is its own inverse stores each pair in both directions.
    if joinTable.target.name == "REFLEXIVE" {
      try run("DELETE FROM \(joinTable.name) WHERE \(far) IN \(Self.list)", keys: keys)
    }
    return toMany.deleteRule == .cascade ? [related] : []
  }

  /// Returns the rows of an entity and its subentities whose to-one relationship at `slot` refers to one of the given
  /// keys. Rows that this deletion has already seen are left out.
  private func rows(
    of entity: Int, whose slot: Int, leadsTo keys: [Int64]
  ) throws(PersistenceError) -> [ObjectID] {
    let table = store.table(of: store.model.entities[entity])
    let sql = "SELECT Z_PK FROM \(table.name) WHERE \(table.columns[slot].name) IN \(Self.list) ORDER BY Z_PK"
    return try objectIDs(in: table, connection.keys(sql, from: keys)).filter { !seen.contains($0) }
  }

  /// Returns the objects to which the to-one relationship at `slot` of the given rows refers, each once.
  private func targets(
    of entity: EntityDescription, _ keys: [Int64], slot: Int, destination: Int
  ) throws(PersistenceError) -> [ObjectID] {
    let table = store.table(of: entity)
    let column = table.columns[slot].name
    let sql =
      "SELECT DISTINCT \(column) FROM \(table.name) WHERE Z_PK IN \(Self.list) AND \(column) IS NOT NULL "
      + "ORDER BY \(column)"
    return try objectIDs(in: store.table(of: store.model.entities[destination]), connection.keys(sql, from: keys))
  }

  /// Returns the object IDs of the rows with the given keys, each with the row's own entity.
  private func objectIDs(in table: EntityTable, _ keys: [Int64]) throws(PersistenceError) -> [ObjectID] {
    if keys.isEmpty { return [] }
    guard table.isShared else { return keys.map { ObjectID(entity: table.index, key: $0) } }
    return try store.objectIDs(in: table, query: SQLiteQuery(table.keySelection, keys: keys), on: connection)
  }

  /// Sets a to-one relationship of some rows to NULL and increments their versions.
  private mutating func empty(_ slot: Int, of objectIDs: [ObjectID]) throws(PersistenceError) {
    guard let first = objectIDs.first else { return }
    // Entities that inherit from one another share the table and the column.
    let table = store.table(of: first)
    let columns = table.columns[slot].names.map { "\($0) = NULL, " }.joined()
    try run(
      "UPDATE \(table.name) SET \(columns)Z_OPT = (Z_OPT + 1) WHERE Z_PK IN \(Self.list)", keys: objectIDs.map(\.key))
    try derivation.updated(objectIDs, slots: SlotSet(slot))
    for objectID in objectIDs {
      if emptiedSlots[objectID] == nil { emptied.append(objectID) }
      emptiedSlots[objectID, default: []].insert(slot)
    }
  }

  private static let list = SQLiteListTable.selection

  private func run(_ sql: String, keys: [Int64]) throws(PersistenceError) {
    let statement = try connection.statement(sql)
    defer { statement.finish() }
    try statement.bind(SQLiteList(keys: keys), at: 1)
    try connection.runCountingRows(statement)
  }
}
