import ContextEngine
import MachineCore

/// Computes the derived attributes that depend on what a batch request writes, by SQL inside the request's transaction.
///
/// Core Data's files have triggers for this (`Z_DA_…`, which run after an insertion, a deletion or an update of a
/// source). Here one UPDATE computes an attribute for all rows whose value may have changed. A row that the request
/// writes gets all derived attributes that its new values affect, including the time of `now()`. A row that only
/// derives from a written row is updated without a new version. An attribute whose value may be stored in an external
/// file is not computed here but at the next save of its object, since a file belongs to one row.
struct BatchDerivation {
  private let store: SQLiteStore
  private let connection: SQLiteConnection
  private let derivations: Derivations
  private var pending: [Target: Set<Int64>] = [:]

  /// One derived attribute of the rows of one entity.
  private struct Target: Hashable {
    var entity: Int
    /// The index of the attribute among the entity's derivations.
    var place: Int
  }

  init(store: SQLiteStore, connection: SQLiteConnection) {
    self.store = store
    self.connection = connection
    derivations = store.model.derivations
  }

  // MARK: Recording changes

  /// Records new rows, to which no other row refers yet. Only their own attributes are computed.
  mutating func inserted(_ objectIDs: [ObjectID]) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      for place in derivations[entity].indices {
        pending[Target(entity: entity, place: place), default: []].formUnion(run.lazy.map(\.key))
      }
    }
  }

  /// Records rows that were updated with a new version. `slots` has the slots whose values may have changed.
  mutating func updated(_ objectIDs: [ObjectID], slots: SlotSet) throws(PersistenceError) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      let keys = run.map(\.key)
      for (place, derivation) in derivations[entity].enumerated() {
        let isOwn =
          switch derivation.formula {
          case .now: true
          case .attribute(let toOnes, let slot, _): slots.contains(toOnes.first ?? slot)
          case .count, .sum: false
          }
        if isOwn { pending[Target(entity: entity, place: place), default: []].formUnion(keys) }
      }
      try forEachSource { target, source throws(PersistenceError) in
        guard let slot = source.slot, slots.contains(slot), isKind(entity, of: source.entity) else { return }
        pending[target, default: []].formUnion(try ownersOf(keys, source: source, target: target))
      }
    }
  }

  /// Records the rows that derive from rows that are about to be deleted. Must be called while the references between
  /// them still exist.
  mutating func leaving(_ objectIDs: [ObjectID]) throws(PersistenceError) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      let keys = run.map(\.key)
      try forEachSource { target, source throws(PersistenceError) in
        guard isKind(entity, of: source.entity) else { return }
        pending[target, default: []].formUnion(try ownersOf(keys, source: source, target: target))
      }
    }
  }

  private func isKind(_ entity: Int, of other: Int) -> Bool { store.model.entities[entity].isKind(ofIndex: other) }
}

// MARK: - Sources of derived attributes

extension BatchDerivation {
  /// The related rows that an attribute is derived from.
  private struct Source {
    /// The index of the entity of the rows.
    var entity: Int
    /// The slot that is read from the rows, or nil if only the existence of a row matters.
    var slot: Int?
    /// The relationships that lead to the rows.
    var way: Way

    enum Way {
      /// The slots of to-one relationships, which are followed one after another.
      case toOnes([Int])
      case toMany(Int)
    }
  }

  /// Calls `body` with each source of each derived attribute that can be computed here, in the order of the entities.
  private func forEachSource(
    _ body: (Target, Source) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    for entity in store.model.entities where !entity.isAbstract {
      for (place, derivation) in derivations[entity.index].enumerated() where isComputable(derivation, of: entity) {
        let target = Target(entity: entity.index, place: place)
        switch derivation.formula {
        case .now: break
        case .attribute(let toOnes, let slot, _):
          for (step, destination) in destinations(from: entity, along: toOnes).enumerated() {
            let isLast = step + 1 == toOnes.count
            let way = Source.Way.toOnes(Array(toOnes[...step]))
            try body(target, Source(entity: destination.index, slot: isLast ? slot : nil, way: way))
          }
        case .count(let toMany):
          try body(target, Source(entity: entity.toManys[toMany].destination, slot: nil, way: .toMany(toMany)))
        case .sum(let toMany, let slot):
          try body(target, Source(entity: entity.toManys[toMany].destination, slot: slot, way: .toMany(toMany)))
        }
      }
    }
  }

  /// Returns the entities that a path of to-one relationships passes through, one for each step.
  private func destinations(from entity: EntityDescription, along toOnes: [Int]) -> [EntityDescription] {
    var destinations: [EntityDescription] = []
    for slot in toOnes {
      guard case .toOne(let toOne) = (destinations.last ?? entity).slots[slot] else { break }
      destinations.append(store.model.entities[toOne.destination])
    }
    return destinations
  }

  /// Returns the keys of the target's rows that reach any of the given rows over the source's relationships. Runs one
  /// SELECT.
  private func ownersOf(
    _ keys: [Int64], source: Source, target: Target
  ) throws(PersistenceError) -> [Int64] {
    let entity = store.model.entities[target.entity]
    let table = store.table(of: entity)
    let condition: String
    switch source.way {
    case .toOnes(let slots):
      let tables = ([entity] + destinations(from: entity, along: slots)).map(store.table)
      condition = slots.indices.reversed().reduce(Self.list) { inner, step in
        let column = tables[step].columns[slots[step]].name
        return step == 0
          ? "t0.\(column) IN \(inner)" : "(SELECT Z_PK FROM \(tables[step].name) WHERE \(column) IN \(inner))"
      }
    case .toMany(let place):
      let members = Members(of: entity.toManys[place], in: store)
      condition = "t0.Z_PK IN (SELECT \(members.near) FROM \(members.table) WHERE \(members.key) IN \(Self.list))"
    }
    let own = table.ownCondition.map { "\($0) AND " } ?? ""
    return try connection.keys("SELECT t0.Z_PK FROM \(table.name) t0 WHERE \(own)\(condition)", from: keys)
  }

  private static let list = SQLiteListTable.selection

  /// The table and columns that relate the owners of a to-many relationship to its members.
  private struct Members {
    let table: String
    /// The column with the keys of the owners.
    let near: String
    /// The column with the keys of the members.
    let key: String

    init(of relationship: EntityDescription.ToMany, in store: SQLiteStore) {
      let destination = store.table(of: store.model.entities[relationship.destination])
      if let end = store.model.joinTableEnd(of: relationship) {
        let joinTable = store.joinTables[end.table]
        (table, near, key) = (joinTable.name, joinTable.near(end).name, joinTable.far(end).name)
      } else {
        (table, near, key) = (destination.name, destination.columns[relationship.inverse.slot].name, "Z_PK")
      }
    }
  }
}

// MARK: - Computing

extension BatchDerivation {
  /// Computes the attributes that were recorded, with one UPDATE for each derived attribute of each entity.
  ///
  /// - Returns: the rows for which an attribute was computed, with the slots; empty if the store keeps no
  ///   history.
  /// - Throws: `.managedObjectConstraintValidation` if a derived value is under a uniqueness constraint and another row
  ///   has the same value.
  mutating func finish() throws(PersistenceError) -> [ObjectID: SlotSet] {
    var computed: [ObjectID: SlotSet] = [:]
    let targets = pending.keys.sorted { ($0.entity, $0.place) < ($1.entity, $1.place) }
    for target in targets {
      let entity = store.model.entities[target.entity]
      let derivation = derivations[target.entity][target.place]
      guard let keys = pending[target]?.sorted(), !keys.isEmpty, isComputable(derivation, of: entity) else { continue }
      try compute(derivation, of: entity, keys: keys)
      if store.history == nil { continue }
      for key in keys { computed[ObjectID(entity: target.entity, key: key), default: []].insert(derivation.slot) }
    }
    pending = [:]
    return computed
  }

  private func isComputable(_ derivation: Derivation, of entity: EntityDescription) -> Bool {
    if store.table(of: entity).columns[derivation.slot].isExternal { return false }
    guard case .attribute(let toOnes, let slot, _) = derivation.formula else { return true }
    let source = destinations(from: entity, along: toOnes).last ?? entity
    return !store.table(of: source).columns[slot].isExternal
  }

  private func compute(
    _ derivation: Derivation, of entity: EntityDescription, keys: [Int64]
  ) throws(PersistenceError) {
    let table = store.table(of: entity)
    let expression = sql(for: derivation, of: entity, table)
    let column = table.columns[derivation.slot].name
    let statement = try connection.statement(
      "UPDATE \(table.name) SET \(column) = \(expression ?? "?") WHERE Z_PK IN \(Self.list)")
    defer { statement.finish() }
    if expression == nil {
      try statement.bind(store.clockEpoch + Double(store.machine.now.nanoseconds) / 1_000_000_000, at: 1)
    }
    try statement.bind(SQLiteList(keys: keys), at: expression == nil ? 2 : 1)
    do throws(PersistenceError) {
      try connection.runCountingRows(statement)
    } catch {
      guard error.sqliteCode == ResultCode.notUnique else { throw error }
      throw PersistenceError(
        .managedObjectConstraintValidation,
        "a batch request would leave \(entity.name) objects with the same value of the derived attribute "
          + "\(derivation.attribute.name) under a uniqueness constraint",
        objectIDs: keys.map { ObjectID(entity: entity.index, key: $0) }, sql: error.sql, sqliteCode: error.sqliteCode,
        path: error.path)
    }
  }

  /// Returns an SQL expression for the attribute's value in a row of the updated table, in the range of the attribute's
  /// type. Returns nil for `now()`, whose value is bound as a parameter.
  private func sql(for derivation: Derivation, of entity: EntityDescription, _ table: EntityTable) -> String? {
    switch derivation.formula {
    case .now: return nil
    case .attribute(let toOnes, let slot, let function):
      let tables = destinations(from: entity, along: toOnes).map(store.table)
      var value = (tables.last ?? table).columns[slot].name
      if let first = tables.first {
        var joins = "\(first.name) t0"
        for (step, next) in tables.enumerated().dropFirst() {
          let key = tables[step - 1].columns[toOnes[step]].name
          joins += " JOIN \(next.name) t\(step) ON t\(step).Z_PK = t\(step - 1).\(key)"
        }
        let key = "\(table.name).\(table.columns[toOnes[0]].name)"
        value = "(SELECT t\(tables.count - 1).\(value) FROM \(joins) WHERE t0.Z_PK = \(key))"
      }
      return function.map { "\(SQLiteTextFunctions.derive)(\(value), '\($0.rawValue)')" } ?? value
    case .count(let toMany):
      let members = Members(of: entity.toManys[toMany], in: store)
      let count = "(SELECT COUNT(*) FROM \(members.table) t0 WHERE t0.\(members.near) = \(table.name).Z_PK)"
      return derivation.fitting(sql: count)
    case .sum(let toMany, let slot):
      let relationship = entity.toManys[toMany]
      let members = Members(of: relationship, in: store)
      let destination = store.table(of: store.model.entities[relationship.destination])
      let source = "\(members.table) t0 JOIN \(destination.name) t1 ON t1.Z_PK = t0.\(members.key)"
      let sum = derivation.sum(sql: "t1.\(destination.columns[slot].name)")
      return derivation.fitting(
        sql: "(SELECT \(sum) FROM \(source) WHERE t0.\(members.near) = \(table.name).Z_PK)")
    }
  }
}

extension Derivation {
  /// Returns an expression for the sum over a column. Integers are summed in two halves, since `SUM` fails if the
  /// result exceeds 64 bits; the final cast limits the result to 64 bits.
  fileprivate func sum(sql column: String) -> String {
    guard attribute.type.isInteger else { return "TOTAL(\(column))" }
    let (high, low) = ("IFNULL(SUM(\(column) >> 32), 0)", "IFNULL(SUM(\(column) & 4294967295), 0)")
    return "CAST(\(high) * 4294967296 + \(low) AS INTEGER)"
  }

  /// Returns an expression that limits a number to the range of the attribute's integer type or rounds it to a `Float`.
  fileprivate func fitting(sql number: String) -> String {
    switch attribute.type {
    case .integer16: "MAX(MIN(\(number), \(Int16.max)), \(Int16.min))"
    case .integer32: "MAX(MIN(\(number), \(Int32.max)), \(Int32.min))"
    case .float: "\(SQLiteTextFunctions.derive)(\(number), 'float')"
    default: number
    }
  }
}
