import ContextEngine
import MachineCore

/// What stands behind FROM in one SELECT: a table and those that key paths lead to from there.
final class SQLiteSource {
  private let store: SQLiteStore
  /// The tables with their joins; complete when everything else of the SELECT has been put together.
  private(set) var from = ""
  /// The joins alone, for a SELECT that names its first table by itself.
  private(set) var joins = ""
  /// The aliases of tables that are joined already, by how.
  private var joined: [String: String] = [:]
  /// Numbers the tables of a whole statement.
  private let counter: Counter

  private final class Counter {
    var next = 0
  }

  /// The source of a statement's outermost SELECT.
  init(_ store: SQLiteStore) {
    self.store = store
    counter = Counter()
  }

  /// The source of a SELECT inside another one.
  init(inside outer: SQLiteSource) {
    store = outer.store
    counter = outer.counter
  }

  /// The table of the entity with this index.
  func table(_ entity: Int) -> EntityTable { store.tables[entity] }

  /// The table and columns of a many-to-many relationship; nil where keys at the other end say all.
  func joinTable(
    of relationship: EntityDescription.ToMany
  ) -> (name: String, near: String, far: String)? {
    guard let end = store.model.joinTableEnd(of: relationship) else { return nil }
    let table = store.joinTables[end.table]
    return (table.name, table.near(end).name, table.far(end).name)
  }

  /// Whether a property is a decimal number, whose columns are not in the order of the numbers.
  func isDecimal(_ path: PropertyPath) -> Bool {
    guard path.kind == .attribute else { return false }
    return table(Int(path.entity)).columns[path.slot].storage == .decimal
  }

  /// Begins with a table.
  func begin(_ table: EntityTable) -> SQLiteScope {
    SQLiteScope(source: self, table: table, alias: begin(table.name))
  }

  /// Begins with a table of any kind.
  ///
  /// - Returns: its alias.
  fileprivate func begin(_ name: String) -> String {
    let alias = nextAlias()
    from = "\(name) \(alias)"
    return alias
  }

  /// Joins a table once.
  fileprivate func join(
    _ kind: String, _ table: EntityTable, where far: String, is near: String
  ) -> SQLiteScope {
    SQLiteScope(source: self, table: table, alias: join(kind, table.name, where: far, is: near))
  }

  /// Joins a table of any kind once.
  ///
  /// - Returns: its alias.
  fileprivate func join(_ kind: String, _ name: String, where far: String, is near: String) -> String {
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

/// A table of a SELECT under the name that it has there: where key paths begin.
struct SQLiteScope {
  let source: SQLiteSource
  let table: EntityTable
  /// `t0` is the table of the fetch itself.
  let alias: String

  /// The primary key of the object.
  var key: String { "\(alias).Z_PK" }

  /// The column of the last step, which is an attribute or a to-one relationship; joins what is on the way.
  func column(of steps: ArraySlice<PropertyPath>) -> String {
    guard let last = steps.last else { return key }
    let end = follow(steps.dropLast())
    return "\(end.alias).\(end.table.column(at: last).name)"
  }

  /// The column with the number of the entity of the object that a to-one relationship leads to; nil where there is only
  /// one that it can be of.
  func entityColumn(of steps: ArraySlice<PropertyPath>) -> String? {
    guard let last = steps.last else { return table.isShared ? "\(alias).Z_ENT" : nil }
    guard last.kind == .toOne else { return nil }
    let end = follow(steps.dropLast())
    return end.table.column(at: last).entityColumn.map { "\(end.alias).\($0)" }
  }

  /// The table that relationships lead to, joined.
  ///
  /// A row without a related one stays, with nothing there; over a to-many relationship there are as many rows as related
  /// ones.
  func follow(_ steps: ArraySlice<PropertyPath>) -> SQLiteScope {
    steps.reduce(self) { $0.follow($1) }
  }

  private func follow(_ step: PropertyPath) -> SQLiteScope {
    if step.isToMany {
      let relationship = table.entity.toManys[step.slot]
      let destination = source.table(relationship.destination)
      if let pairs = source.joinTable(of: relationship) {
        let alias = source.join("JOIN", pairs.name, where: pairs.near, is: key)
        return source.join("JOIN", destination, where: "Z_PK", is: "\(alias).\(pairs.far)")
      }
      return source.join("JOIN", destination, where: destination.column(at: relationship.inverse).name, is: key)
    }
    guard case .toOne(let relationship) = table.entity.slots[step.slot] else {
      trapMisuse("a key path goes on behind \(table.entity.name).\(table.entity.propertyName(at: step))")
    }
    let column = "\(alias).\(table.column(at: step).name)"
    return source.join("LEFT OUTER JOIN", source.table(relationship.destination), where: "Z_PK", is: column)
  }
}

/// A SELECT inside another one: the rows of a to-many relationship and what is read of each.
struct SQLiteCollection {
  let source: SQLiteSource
  /// Which rows belong to the object outside.
  let link: String
  /// The table at which the key path ends, or its last step begins.
  let end: SQLiteScope
  /// The column, or the primary key, that the key path ends at.
  let element: String
}

extension SQLiteScope {
  /// Opens the SELECT of what a key path over a to-many relationship leads to from this scope's object.
  func collection(_ steps: [PropertyPath]) -> SQLiteCollection {
    guard let first = steps.firstIndex(where: \.isToMany) else {
      trapMisuse("a key path without a to-many relationship has no collection to look into")
    }
    let owner = column(of: steps[..<first])
    let relationship = source.table(Int(steps[first].entity)).entity.toManys[steps[first].slot]
    let inner = SQLiteSource(inside: source)
    let destination = source.table(relationship.destination)
    let start: SQLiteScope
    let link: String
    if let pairs = source.joinTable(of: relationship) {
      let alias = inner.begin(pairs.name)
      start = inner.join("JOIN", destination, where: "Z_PK", is: "\(alias).\(pairs.far)")
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
  /// The column of an attribute or a to-one relationship.
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
        "a fetch cannot compare or sort by \(entity.name).\(entity.propertyName(at: path)), which is in no store")
    }
    return columns[path.slot]
  }
}
