import ContextEngine
import MachineCore

// MARK: - Deleting by SQL

extension SQLiteStore {
  func delete(
    _ deletion: StoreBatchDeletion, from origin: TransactionOrigin, _ connection: SQLiteConnection
  ) throws(PersistenceError) -> StoreBatchOutcome {
    var outcome = StoreBatchOutcome()
    try inTransaction(connection, &outcome) { outcome, external throws(PersistenceError) in
      let objectIDs: [ObjectID]
      switch deletion.target {
      case .matches(let request): objectIDs = try self.objectIDs(matching: request, connection)
      case .objectIDs(let wanted): objectIDs = try existing(wanted, connection)
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

  /// Writes a transaction of history: each row whose keys were emptied, each that derives from others, then each that is gone.
  private func writeHistory(
    of run: BatchDeletion, derived: [ObjectID: UInt64], from origin: TransactionOrigin, _ connection: SQLiteConnection
  ) throws(PersistenceError) {
    guard let history else { return }
    var records = run.nullified.map {
      SQLiteHistory.Record(objectID: $0.objectID, type: .update, slots: $0.slots | derived[$0.objectID, default: 0])
    }
    records += followers(in: derived, besides: run.nullified.map(\.objectID) + run.deleted)
    records += run.deleted.map { .init(objectID: $0, type: .delete, tombstone: run.tombstones[$0] ?? []) }
    _ = try history.write(records, from: origin, in: tables, connection)
  }

  /// Those of the IDs that have a row, each once, in order.
  private func existing(
    _ wanted: [ObjectID], _ connection: SQLiteConnection
  ) throws(PersistenceError) -> [ObjectID] {
    var found: [ObjectID] = []
    for run in Set(wanted).sorted().runs(by: \.entityIndex) {
      let table = table(of: run[run.startIndex])
      let known = Set(run)
      // What has one of the keys may be of another entity of the family.
      found += try objectIDs(in: table, SQLiteQuery(table.keySelection, keys: run.map(\.key)), connection)
        .filter(known.contains).sorted()
    }
    return found
  }
}

/// One batch deletion on its way through the delete rules.
///
/// Set by set, not row by row: what one step deletes of an entity is one statement for each relationship and one for the
/// rows. A row is deleted once, whatever circles the cascades make.
private struct BatchDeletion {
  let store: SQLiteStore
  let connection: SQLiteConnection
  /// Nil where no row can refer to files.
  private let external: ExternalChanges?
  private(set) var deleted: [ObjectID] = []
  /// What history keeps of the deleted rows.
  private(set) var tombstones: [ObjectID: [Value]] = [:]
  /// Rows whose keys were emptied, each once, and the keys' slots as bits.
  private var emptied: [ObjectID] = []
  private var emptiedSlots: [ObjectID: UInt64] = [:]
  /// Rows that a rule does not let go without.
  private var protecting: [ObjectID] = []
  private var seen: Set<ObjectID> = []
  private var derivation: BatchDerivation

  init(store: SQLiteStore, connection: SQLiteConnection, external: ExternalChanges?) {
    self.external = external
    self.store = store
    self.connection = connection
    derivation = BatchDerivation(store, connection)
  }

  /// Rows whose keys were emptied, with the keys' slots as bits; those left out that were deleted after it.
  var nullified: [(objectID: ObjectID, slots: UInt64)] {
    emptied.filter { !seen.contains($0) }.map { ($0, emptiedSlots[$0] ?? 0) }
  }

  /// - Throws: `validationRelationshipDeniedDelete` where a row that a rule protects is left.
  func checkNothingIsProtected() throws(PersistenceError) {
    let left = protecting.filter { !seen.contains($0) }
    guard let first = left.first else { return }
    let name = store.model.entities[first.entityIndex].name
    throw PersistenceError(
      .validationRelationshipDeniedDelete,
      "a batch deletion was refused: \(left.count) objects, \(name) \(first.key) the first, are at the other end of "
        + "a relationship with the delete rule deny", objectIDs: left)
  }

  /// Computes the derived attributes that come from rows which are gone or whose keys were emptied.
  mutating func derive() throws(PersistenceError) -> [ObjectID: UInt64] { try derivation.finish() }

  mutating func delete(_ objectIDs: [ObjectID]) throws(PersistenceError) {
    var waiting = [objectIDs]
    while let next = waiting.popLast() {
      let fresh = next.filter { seen.insert($0).inserted }.sorted()
      for run in fresh.runs(by: \.entityIndex) { waiting += try deleteRows(Array(run)) }
    }
  }

  /// Deletes rows of one entity that were not met before.
  ///
  /// - Returns: what a cascade deletes besides.
  private mutating func deleteRows(_ fresh: [ObjectID]) throws(PersistenceError) -> [[ObjectID]] {
    let entity = store.model.entities[fresh[0].entityIndex]
    let keys = fresh.map(\.key)
    tombstones.merge(try store.tombstones(of: fresh, connection)) { first, _ in first }
    try store.dropExternalData(of: fresh, external, connection)
    try derivation.leaving(fresh)
    let cascading = try applyRules(of: entity, keys)
    try run("DELETE FROM \(store.table(of: entity).name) WHERE Z_PK IN \(Self.list)", keys)
    deleted += fresh
    return cascading
  }

  /// Carries the rules of an entity's relationships out for these of its rows.
  ///
  /// - Returns: what a cascade deletes besides, entity by entity.
  private mutating func applyRules(
    of entity: EntityDescription, _ keys: [Int64]
  ) throws(PersistenceError) -> [[ObjectID]] {
    var cascading: [[ObjectID]] = []
    for toMany in entity.toManys {
      if let end = store.model.joinTableEnd(of: toMany) {
        cascading += try applyRule(of: toMany, store.joinTables[end.table], end, keys)
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
      case .nullify where toOne.inverse.kind == .toOne:
        // Of one to one both rows have a key.
        try empty(toOne.inverse.slot, of: rows(of: toOne.destination, whose: toOne.inverse.slot, leadsTo: keys))
      case .nullify, .noAction: break
      }
    }
    return cascading
  }

  /// Carries the rule of a many-to-many relationship out: the pairs go, unless the rule says otherwise.
  private mutating func applyRule(
    of toMany: EntityDescription.ToMany, _ joinTable: JoinTable, _ end: JoinTableEnd, _ keys: [Int64]
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
    try run("DELETE FROM \(joinTable.name) WHERE \(near) IN \(Self.list)", keys)
    // Of a relationship that is its own inverse each pair stands there both ways round.
    if joinTable.target.name == "REFLEXIVE" {
      try run("DELETE FROM \(joinTable.name) WHERE \(far) IN \(Self.list)", keys)
    }
    return toMany.deleteRule == .cascade ? [related] : []
  }

  /// The rows of an entity, and of those that inherit from it, whose to-one relationship at `slot` leads to one of these
  /// keys; those left out that are deleted already.
  private func rows(
    of entity: Int, whose slot: Int, leadsTo keys: [Int64]
  ) throws(PersistenceError) -> [ObjectID] {
    let table = store.table(of: store.model.entities[entity])
    let sql = "SELECT Z_PK FROM \(table.name) WHERE \(table.columns[slot].name) IN \(Self.list) ORDER BY Z_PK"
    return try objectIDs(in: table, connection.keys(sql, from: keys)).filter { !seen.contains($0) }
  }

  /// Where the to-one relationship at `slot` leads from these rows.
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

  /// The rows of a table that have these keys, each with its own entity.
  private func objectIDs(in table: EntityTable, _ keys: [Int64]) throws(PersistenceError) -> [ObjectID] {
    if keys.isEmpty { return [] }
    guard table.isShared else { return keys.map { ObjectID(entity: table.index, key: $0) } }
    return try store.objectIDs(in: table, SQLiteQuery(table.keySelection, keys: keys), connection)
  }

  /// Empties a to-one relationship of some rows and raises their versions.
  private mutating func empty(_ slot: Int, of objectIDs: [ObjectID]) throws(PersistenceError) {
    guard let first = objectIDs.first else { return }
    // Those that inherit from one another share the table and the column.
    let table = store.table(of: first)
    let columns = table.columns[slot].names.map { "\($0) = NULL, " }.joined()
    try run(
      "UPDATE \(table.name) SET \(columns)Z_OPT = (Z_OPT + 1) WHERE Z_PK IN \(Self.list)", objectIDs.map(\.key))
    try derivation.updated(objectIDs, slots: 1 << UInt64(slot))
    for objectID in objectIDs {
      if emptiedSlots[objectID] == nil { emptied.append(objectID) }
      emptiedSlots[objectID, default: 0] |= 1 << UInt64(slot)
    }
  }

  private static let list = SQLiteListTable.selection

  private func run(_ sql: String, _ keys: [Int64]) throws(PersistenceError) {
    let statement = try connection.statement(sql)
    defer { statement.finish() }
    try statement.bind(SQLiteList(keys: keys), at: 1)
    try connection.runCountingRows(statement)
  }
}
