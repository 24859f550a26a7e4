import ContextEngine
import MachineCore

/// The FROM clause of one SELECT: a table and the tables that key paths join to it.
final class SQLiteSource {
  private let store: SQLiteStore
  /// The tables with their joins. Complete only after the rest of the SELECT has been compiled.
  private(set) var from = ""
  /// The joins alone, for a SELECT that names its first table by itself.
  private(set) var joins = ""
  /// The aliases of the joined tables, by the kind, table and columns of the join.
  private var joined: [String: String] = [:]
  /// The counter that numbers the tables of the whole statement.
  private let counter: Counter

  private final class Counter {
    var next = 0
  }

  /// Creates the source of a statement's outermost SELECT.
  init(_ store: SQLiteStore) {
    self.store = store
    counter = Counter()
  }

  /// Creates the source of a SELECT inside another SELECT.
  init(inside outer: SQLiteSource) {
    store = outer.store
    counter = outer.counter
  }

  /// Returns the table of the entity with this index.
  func table(_ entity: Int) -> EntityTable { store.tables[entity] }

  /// Returns the join table and the columns of a many-to-many relationship, or nil if the relationship has no join
  /// table.
  func joinTable(
    of relationship: EntityDescription.ToMany
  ) -> (name: String, near: String, far: String)? {
    guard let end = store.model.joinTableEnd(of: relationship) else { return nil }
    let table = store.joinTables[end.table]
    return (table.name, table.near(end).name, table.far(end).name)
  }

  /// Returns true if a property is a decimal number, whose columns are not in the order of the numbers.
  func isDecimal(_ path: PropertyPath) -> Bool {
    guard path.kind == .attribute else { return false }
    return table(Int(path.entity)).columns[path.slot].storage == .decimal
  }

  /// Adds the first table of the SELECT.
  func begin(_ table: EntityTable) -> SQLiteScope {
    SQLiteScope(source: self, table: table, alias: begin(table.name))
  }

  /// Adds the first table of the SELECT by its name, also a join table.
  ///
  /// - Returns: the alias of the table.
  fileprivate func begin(_ name: String) -> String {
    let alias = nextAlias()
    from = "\(name) \(alias)"
    return alias
  }

  /// Joins a table unless it is already joined in the same way.
  fileprivate func join(
    _ kind: String, table: EntityTable, where far: String, is near: String
  ) -> SQLiteScope {
    SQLiteScope(source: self, table: table, alias: join(kind, tableName: table.name, where: far, is: near))
  }

  /// Joins a table by its name, also a join table, unless it is already joined in the same way.
  ///
  /// - Returns: the alias of the table.
  fileprivate func join(_ kind: String, tableName name: String, where far: String, is near: String) -> String {
    let key = "\(kind) \(name) \(far) \(near)"
    if let known = joined[key] { return known }
    let alias = nextAlias()
    let join = " \(kind) \(name) \(alias) ON \(near) = \(alias).\(far)"
    from += join
    joins += join
    joined[key] = alias
    return alias
  }

  private func nextAlias() -> String {
    defer { counter.next += 1 }
    return "t\(counter.next)"
  }
}

/// A table of a SELECT and its alias. Key paths begin at a scope.
struct SQLiteScope {
  let source: SQLiteSource
  let table: EntityTable
  /// The alias of the table; `t0` is the table of the fetch itself.
  let alias: String

  /// The column with the primary key of the object.
  var key: String { "\(alias).Z_PK" }

  /// Returns the column of the last step, which is an attribute or a to-one relationship, and joins the tables on the
  /// way.
  func column(of steps: ArraySlice<PropertyPath>) -> String {
    guard let last = steps.last else { return key }
    let end = follow(steps.dropLast())
    return "\(end.alias).\(end.table.column(at: last).name)"
  }

  /// Returns the column with the entity number of the object to which the last step, a to-one relationship, leads.
  /// Returns nil if the object can be of one entity only.
  func entityColumn(of steps: ArraySlice<PropertyPath>) -> String? {
    guard let last = steps.last else { return table.isShared ? "\(alias).Z_ENT" : nil }
    guard last.kind == .toOne else { return nil }
    let end = follow(steps.dropLast())
    return end.table.column(at: last).entityColumn.map { "\(end.alias).\($0)" }
  }

  /// Joins the tables to which relationships lead, and returns the last one.
  ///
  /// A row whose to-one relationship is empty remains, with NULL in the joined columns. A to-many relationship yields
  /// as many rows as there are related objects.
  func follow(_ steps: ArraySlice<PropertyPath>) -> SQLiteScope {
    steps.reduce(self) { $0.follow($1) }
  }

  private func follow(_ step: PropertyPath) -> SQLiteScope {
    if step.isToMany {
      let relationship = table.entity.toManys[step.slot]
      let destination = source.table(relationship.destination)
      if let pairs = source.joinTable(of: relationship) {
        let alias = source.join("JOIN", tableName: pairs.name, where: pairs.near, is: key)
        return source.join("JOIN", table: destination, where: "Z_PK", is: "\(alias).\(pairs.far)")
      }
      return source.join("JOIN", table: destination, where: destination.column(at: relationship.inverse).name, is: key)
    }
    guard case .toOne(let relationship) = table.entity.slots[step.slot] else {
      trapMisuse("a key path continues after \(table.entity.name).\(table.entity.propertyName(at: step))")
    }
    let column = "\(alias).\(table.column(at: step).name)"
    return source.join("LEFT OUTER JOIN", table: source.table(relationship.destination), where: "Z_PK", is: column)
  }
}

/// A SELECT inside another SELECT: the rows of a to-many relationship, and the value that is read from each row.
struct SQLiteCollection {
  let source: SQLiteSource
  /// The condition that a row belongs to the object of the outer SELECT.
  let link: String
  /// The table at which the key path ends or, if its last step is an attribute or a to-one relationship, the table of
  /// that step.
  let end: SQLiteScope
  /// The column or the primary key at which the key path ends.
  let element: String
}

extension SQLiteScope {
  /// Returns the SELECT of the values to which a key path over a to-many relationship leads from this scope's object.
  /// Traps if no step is a to-many relationship.
  func collection(_ steps: [PropertyPath]) -> SQLiteCollection {
    guard let first = steps.firstIndex(where: \.isToMany) else {
      trapMisuse("a key path without a to-many relationship has no collection")
    }
    let owner = column(of: steps[..<first])
    let relationship = source.table(Int(steps[first].entity)).entity.toManys[steps[first].slot]
    let inner = SQLiteSource(inside: source)
    let destination = source.table(relationship.destination)
    let start: SQLiteScope
    let link: String
    if let pairs = source.joinTable(of: relationship) {
      let alias = inner.begin(pairs.name)
      start = inner.join("JOIN", table: destination, where: "Z_PK", is: "\(alias).\(pairs.far)")
      link = "\(alias).\(pairs.near) = \(owner)"
    } else {
      start = inner.begin(destination)
      link = "\(start.alias).\(destination.column(at: relationship.inverse).name) = \(owner)"
    }
    let rest = steps[(first + 1)...]
    guard let last = rest.last, !last.isToMany else {
      let end = start.follow(rest)
      return SQLiteCollection(source: inner, link: link, end: end, element: end.key)
    }
    let end = start.follow(rest.dropLast())
    return SQLiteCollection(source: inner, link: link, end: end, element: end.column(of: [last]))
  }
}

extension EntityTable {
  /// Returns the column of an attribute or a to-one relationship. Traps if the property is of another entity, is a
  /// to-many relationship or is not stored.
  func column(at path: PropertyPath) -> Column {
    guard entity.isKind(ofIndex: Int(path.entity)) else {
      trapMisuse("a fetch of entity \(entity.name) names a property of another entity")
    }
    guard !path.isToMany else {
      let name = entity.propertyName(at: path)
      trapMisuse("a fetch cannot compare or sort by the to-many relationship \(entity.name).\(name)")
    }
    guard columns[path.slot].isStored else {
      trapMisuse(
        "a fetch cannot compare or sort by \(entity.name).\(entity.propertyName(at: path)), which has no column")
    }
    return columns[path.slot]
  }
}
