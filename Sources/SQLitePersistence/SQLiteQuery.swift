import ContextEngine
import MachineCore

/// A SELECT with the values for its parameters.
struct SQLiteQuery {
  private(set) var sql: String
  private var parameters: [Parameter] = []

  fileprivate enum Parameter {
    case value(Value)
    case list(SQLiteList)
  }

  /// The SELECT of a fetch request after `selection`, which has no conditions yet.
  ///
  /// Traps where predicate or order name a property of another entity, a to-many relationship or a value that the
  /// property cannot have: requests are code.
  init(_ selection: String, of table: EntityTable, for request: StoreFetchRequest) {
    sql = selection
    var conditions = (request.includesSubentities ? table.familyCondition : table.ownCondition).map { [$0] } ?? []
    if let predicate = request.predicate {
      var condition = PredicateCompiler(table)
      conditions.append(condition.sql(for: predicate))
      parameters = condition.parameters
    }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    for (place, sort) in request.sortDescriptors.enumerated() {
      let column = PredicateCompiler.orderedColumn(at: sort.path, of: table)
      sql += (place == 0 ? " ORDER BY " : ", ") + column + (sort.isAscending ? "" : " DESC")
    }
  }

  /// The SELECT of the rows that have the given keys.
  init(_ selection: String, keys: [Int64]) {
    if keys.count == 1 {
      sql = selection + " WHERE t0.Z_PK = ?"
      parameters = [.value(.integer(keys[0]))]
    } else {
      sql = selection + " WHERE t0.Z_PK IN (SELECT value FROM \(SQLiteListTable.name)(?))"
      parameters = [.list(SQLiteList(keys: keys))]
    }
  }

  /// The SELECT of the keys of the rows whose to-one relationship at `path` leads to an object, ascending.
  init(keysIn table: EntityTable, leadingTo objectID: ObjectID, by path: PropertyPath) {
    let column = PredicateCompiler.column(at: path, of: table)
    // The index over the column yields the keys in order: sorting costs nothing.
    sql = "\(table.keySelection) WHERE \(column) = ? ORDER BY t0.Z_PK"
    parameters = [.value(.object(objectID))]
  }

  func bind(to statement: SQLiteStatement) throws(PersistenceError) {
    for (offset, parameter) in parameters.enumerated() {
      switch parameter {
      case .value(let value): try statement.bind(value, at: Int32(offset + 1))
      case .list(let list): try statement.bind(list, at: Int32(offset + 1))
      }
    }
  }
}

// MARK: - Predicates

/// Turns a predicate into a condition of SQL with parameters in place of its values.
///
/// In SQL a comparison with nothing is NULL, which WHERE, AND and OR treat as false and NOT does not: so whatever stands
/// under a NOT is made false first where it is NULL, and the condition means what the predicate means in memory.
private struct PredicateCompiler {
  private let table: EntityTable
  private(set) var parameters: [SQLiteQuery.Parameter] = []

  private static let always = "1"
  private static let never = "0"
  /// SQLite takes 1,000 levels of nesting, and `a AND b AND c` is as deep as it is long: longer ones are halved.
  private static let longestChain = 100

  init(_ table: EntityTable) {
    self.table = table
  }

  mutating func sql(for predicate: Predicate) -> String {
    switch predicate {
    case .comparison(let path, let comparison, let value): sql(for: path, comparison, value)
    case .isIn(let path, let values): sql(for: path, isIn: values)
    case .objectIsIn(let objectIDs):
      sql(for: "t0.Z_PK", isIn: keys(of: objectIDs.filter { table.entity.includes($0.entityIndex) }))
    case .and(let parts): chain(parts[...], "AND", empty: Self.always)
    case .or(let parts): chain(parts[...], "OR", empty: Self.never)
    case .not(let part): "NOT IFNULL(\(sql(for: part)), 0)"
    }
  }

  private mutating func chain(_ parts: ArraySlice<Predicate>, _ connective: String, empty: String) -> String {
    if parts.isEmpty { return empty }
    if parts.count > Self.longestChain {
      let middle = parts.startIndex + parts.count / 2
      let first = chain(parts[..<middle], connective, empty: empty)
      return "(\(first) \(connective) \(chain(parts[middle...], connective, empty: empty)))"
    }
    var texts: [String] = []
    for part in parts { texts.append(sql(for: part)) }
    return "(" + texts.joined(separator: " \(connective) ") + ")"
  }

  private mutating func sql(
    for path: PropertyPath, _ comparison: Predicate.Comparison, _ value: Value
  ) -> String {
    let column = Self.column(at: path, of: table)
    check(value, at: path)
    if value.isNull {
      switch comparison {
      case .equal: return "\(column) IS NULL"
      case .notEqual: return "\(column) IS NOT NULL"
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return Self.never
      }
    }
    if case .object(let objectID) = value {
      guard comparison == .equal || comparison == .notEqual else {
        trapMisuse("\(property(at: path)) is a relationship, and objects have no order to compare them by")
      }
      // No row has a key to an object that has not been written yet.
      if objectID.isTemporaryID { return comparison == .equal ? Self.never : Self.always }
    }
    parameters.append(.value(value))
    let ordered = Self.orderedColumn(at: path, of: table)
    let bound = ordered == column ? "?" : "\(DecimalOrder.name)(?)"
    return switch comparison {
    case .equal: "\(column) = ?"
    case .notEqual: "(\(column) <> ? OR \(column) IS NULL)"
    case .less: "\(ordered) < \(bound)"
    case .lessOrEqual: "\(ordered) <= \(bound)"
    case .greater: "\(ordered) > \(bound)"
    case .greaterOrEqual: "\(ordered) >= \(bound)"
    }
  }

  private mutating func sql(for path: PropertyPath, isIn values: [Value]) -> String {
    let column = Self.column(at: path, of: table)
    var isNullWanted = false
    var wanted: [Value] = []
    wanted.reserveCapacity(values.count)
    for value in values {
      check(value, at: path)
      if value.isNull {
        isNullWanted = true
      } else if case .object(let objectID) = value, objectID.isTemporaryID {
        continue
      } else {
        wanted.append(value)
      }
    }
    if isNullWanted, wanted.isEmpty { return "\(column) IS NULL" }
    let condition = sql(for: column, isIn: wanted)
    return isNullWanted ? "(\(condition) OR \(column) IS NULL)" : condition
  }

  /// The text is the same for all lists of two or more, so that their statement is prepared once.
  private mutating func sql(for column: String, isIn values: [Value]) -> String {
    if values.isEmpty { return Self.never }
    if values.count == 1 {
      parameters.append(.value(values[0]))
      return "\(column) = ?"
    }
    parameters.append(.list(SQLiteList(values: values)))
    return "\(column) IN (SELECT value FROM \(SQLiteListTable.name)(?))"
  }

  private func keys(of objectIDs: [ObjectID]) -> [Value] {
    objectIDs.filter { !$0.isTemporaryID }.map { .integer($0.key) }
  }

  /// Traps where the property cannot have the value: it would match nothing, silently.
  private func check(_ value: Value, at path: PropertyPath) {
    let isPossible =
      switch (table.entity.slots[path.slot], value) {
      case (.attribute(let attribute), .transformable):
        trapMisuse(
          "\(table.entity.name).\(attribute.name) is transformable: a predicate can compare it with nothing but null")
      case (.attribute(let attribute), _): attribute.type.admits(value)
      case (.toOne, .null): true
      case (.toOne(let relationship), .object(let objectID)): relationship.destinations.contains(objectID.entityIndex)
      case (.toOne, _): false
      }
    guard isPossible else { trapMisuse("a predicate compares \(property(at: path)) with \(value), which it cannot be") }
  }

  private func property(at path: PropertyPath) -> String {
    "\(table.entity.name).\(table.entity.propertyName(at: path))"
  }

  /// The column of a property as orders and comparisons by size name it.
  static func orderedColumn(at path: PropertyPath, of table: EntityTable) -> String {
    let column = column(at: path, of: table)
    return table.columns[path.slot].storage == .decimal ? "\(DecimalOrder.name)(\(column))" : column
  }

  /// The column of a property, named as conditions name it.
  static func column(at path: PropertyPath, of table: EntityTable) -> String {
    guard table.entity.isKind(ofIndex: Int(path.entity)) else {
      trapMisuse("a fetch of entity \(table.entity.name) names a property of another entity")
    }
    guard !path.isToMany else {
      let name = table.entity.propertyName(at: path)
      trapMisuse("a fetch cannot compare or sort by the to-many relationship \(table.entity.name).\(name)")
    }
    return "t0." + table.columns[path.slot].name
  }
}
