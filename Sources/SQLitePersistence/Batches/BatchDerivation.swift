import ContextEngine
import MachineCore

/// The derived attributes that follow from what a batch request writes, computed by SQL inside its transaction.
///
/// Core Data's files have triggers that do so (`Z_DA_…`, after an insertion, a deletion and an update of a source); here one
/// statement computes an attribute of all rows that it is another for. A row that the request writes has all that its new
/// values lead to, the instant of `now()` too; one that only derives from such a row follows without a new version. What may
/// lie in a file beside the store waits for the next save of its object, since a file belongs to one row.
struct BatchDerivation {
  private let store: SQLiteStore
  private let connection: SQLiteConnection
  private let derivations: Derivations
  private var pending: [Target: Set<Int64>] = [:]

  /// One derived attribute of the rows of one entity.
  private struct Target: Hashable {
    var entity: Int
    /// The place among the entity's derivations.
    var place: Int
  }

  init(_ store: SQLiteStore, _ connection: SQLiteConnection) {
    self.store = store
    self.connection = connection
    derivations = store.model.derivations
  }

  // MARK: Taking note

  /// Takes note of new rows, which nothing leads to yet.
  mutating func inserted(_ objectIDs: [ObjectID]) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      for place in derivations[entity].indices {
        pending[Target(entity: entity, place: place), default: []].formUnion(run.lazy.map(\.key))
      }
    }
  }

  /// Takes note of rows whose versions have risen, and of which some slots, given as bits, may be others than before.
  mutating func updated(_ objectIDs: [ObjectID], slots: UInt64) throws(PersistenceError) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      let keys = run.map(\.key)
      for (place, derivation) in derivations[entity].enumerated() {
        let isOwn =
          switch derivation.formula {
          case .now: true
          case .attribute(let toOnes, let slot, _): slots.hasSlot(toOnes.first ?? slot)
          case .count, .sum: false
          }
        if isOwn { pending[Target(entity: entity, place: place), default: []].formUnion(keys) }
      }
      try forEachSource { target, source throws(PersistenceError) in
        guard let slot = source.slot, slots.hasSlot(slot), isKind(entity, of: source.entity) else { return }
        pending[target, default: []].formUnion(try ownersOf(keys, source, target))
      }
    }
  }

  /// Takes note of rows that are about to go, while what leads to them still does.
  mutating func leaving(_ objectIDs: [ObjectID]) throws(PersistenceError) {
    if derivations.isEmpty { return }
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      let keys = run.map(\.key)
      try forEachSource { target, source throws(PersistenceError) in
        guard isKind(entity, of: source.entity) else { return }
        pending[target, default: []].formUnion(try ownersOf(keys, source, target))
      }
    }
  }

  private func isKind(_ entity: Int, of other: Int) -> Bool { store.model.entities[entity].isKind(ofIndex: other) }
}

// MARK: - What leads where

extension BatchDerivation {
  /// Other rows that an attribute is derived from.
  private struct Source {
    /// The entity whose rows they are.
    var entity: Int
    /// The slot that is looked at there; nil = it matters only whether the row is there.
    var slot: Int?
    /// The way to the rows.
    var way: Way

    enum Way {
      /// Slots of to-one relationships, one behind another.
      case toOnes([Int])
      case toMany(Int)
    }
  }

  /// Goes through all that attributes are derived from in other rows, in the order of the entities.
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

  /// The entities that a way over to-one relationships leads to, one for each step.
  private func destinations(from entity: EntityDescription, along toOnes: [Int]) -> [EntityDescription] {
    var destinations: [EntityDescription] = []
    for slot in toOnes {
      guard case .toOne(let toOne) = (destinations.last ?? entity).slots[slot] else { break }
      destinations.append(store.model.entities[toOne.destination])
    }
    return destinations
  }

  /// The keys of the rows of a target from which a way leads to some rows: one SELECT.
  private func ownersOf(
    _ keys: [Int64], _ source: Source, _ target: Target
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

  /// Where the members of a to-many relationship are told from.
  private struct Members {
    let table: String
    /// The column with the keys of those that have the members.
    let near: String
    /// The column with the members' own keys.
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
  /// Computes what was noted: one UPDATE for each derived attribute of each entity.
  ///
  /// - Returns: the rows for which something was computed, with its slots as bits; none where no history is kept of them.
  /// - Throws: `.managedObjectConstraintValidation` where a derived value is under a constraint and another row has it.
  mutating func finish() throws(PersistenceError) -> [ObjectID: UInt64] {
    var computed: [ObjectID: UInt64] = [:]
    let targets = pending.keys.sorted { ($0.entity, $0.place) < ($1.entity, $1.place) }
    for target in targets {
      let entity = store.model.entities[target.entity]
      let derivation = derivations[target.entity][target.place]
      guard let keys = pending[target]?.sorted(), !keys.isEmpty, isComputable(derivation, of: entity) else { continue }
      try compute(derivation, of: entity, keys)
      if store.history == nil { continue }
      let slot: UInt64 = 1 << UInt64(derivation.slot)
      for key in keys { computed[ObjectID(entity: target.entity, key: key), default: 0] |= slot }
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
    _ derivation: Derivation, of entity: EntityDescription, _ keys: [Int64]
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

  /// The value for a row of the table that is updated, as its type holds it; nil = the instant, a parameter.
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
  /// The sum over a column. That of whole numbers is made of two halves, since `SUM` fails where it leaves 64 bits; the cast
  /// then cuts it off.
  fileprivate func sum(sql column: String) -> String {
    guard attribute.type.isInteger else { return "TOTAL(\(column))" }
    let (high, low) = ("IFNULL(SUM(\(column) >> 32), 0)", "IFNULL(SUM(\(column) & 4294967295), 0)")
    return "CAST(\(high) * 4294967296 + \(low) AS INTEGER)"
  }

  /// A number as the attribute's type holds it.
  fileprivate func fitting(sql number: String) -> String {
    switch attribute.type {
    case .integer16: "MAX(MIN(\(number), \(Int16.max)), \(Int16.min))"
    case .integer32: "MAX(MIN(\(number), \(Int32.max)), \(Int32.min))"
    case .float: "\(SQLiteTextFunctions.derive)(\(number), 'float')"
    default: number
    }
  }
}
