import ContextEngine

/// A SELECT with the values of its parameters.
struct SQLiteQuery {
  private(set) var sql: String
  private var parameters: [Parameter] = []
  private var textRangeCount = 0

  enum Parameter {
    case value(Value)
    case list(SQLiteList)
    case matcher(TextMatcher)
  }

  /// Creates the SELECT of a fetch request from `selection`, which has no conditions yet.
  ///
  /// Traps if the predicate or the order names a property of another entity, a to-many relationship or a value that the
  /// property cannot have. Requests are code, and requests read from text were checked before.
  init(_ selection: String, of table: EntityTable, for request: StoreFetchRequest, in store: SQLiteStore) {
    let source = SQLiteSource(store)
    let scope = source.begin(table)
    var tail = Self.conditions(of: request, SQLitePredicateCompiler(scope))
    tail.append(Self.order(request.sortDescriptors, in: scope))
    tail.append(Self.part(request.range))
    // The joins are complete only after all other parts have been compiled.
    self.init("\(selection)\(source.joins)\(tail)")
  }

  /// Returns a WHERE clause with the condition on entities that share a table and with the predicate. The fragment is
  /// empty if both are missing.
  static func conditions(of request: StoreFetchRequest, _ compiler: SQLitePredicateCompiler) -> SQLFragment {
    let table = compiler.scope.table
    let entities = request.includesSubentities ? table.familyCondition : table.ownCondition
    let conditions =
      (entities.map { [SQLFragment($0)] } ?? []) + (request.predicate.map { [compiler.condition($0)] } ?? [])
    return conditions.isEmpty ? "" : " WHERE \(.joined(conditions, by: " AND "))"
  }

  init(_ fragment: SQLFragment) {
    sql = fragment.text
    parameters = fragment.parameters
    textRangeCount = fragment.textRangeCount
  }

  /// Returns an ORDER BY clause, or an empty fragment if there are no sort descriptors.
  static func order(_ sortDescriptors: [FetchSortDescriptor], in scope: SQLiteScope) -> SQLFragment {
    if sortDescriptors.isEmpty { return "" }
    let keys = sortDescriptors.map { sort -> SQLFragment in
      "\(key(of: sort, scope))\(sort.isAscending ? "" : " DESC")"
    }
    return " ORDER BY \(.joined(keys, by: ", "))"
  }

  private static func key(of sort: FetchSortDescriptor, _ scope: SQLiteScope) -> SQLFragment {
    let column = SQLFragment(scope.column(of: sort.keyPath.steps[...]))
    if scope.source.isDecimal(sort.keyPath.last) { return "\(DecimalOrder.name)(\(column))" }
    return sort.textOrder == .literal ? column : "\(SQLiteTextFunctions.sortKey)(\(column), \(sort.textOrder.rawValue))"
  }

  /// Returns LIMIT and OFFSET clauses, or an empty fragment for the whole range. The values are parameters, so that the
  /// text does not depend on them.
  static func part(_ range: FetchRange) -> SQLFragment {
    if range.isEverything { return "" }
    let limit = SQLFragment.value(.integer(range.limit == 0 ? -1 : Int64(range.limit)))
    if range.offset == 0 { return " LIMIT \(limit)" }
    return " LIMIT \(limit) OFFSET \(.value(.integer(Int64(range.offset))))"
  }

  /// Creates the SELECT of the rows with the given keys.
  init(_ selection: String, keys: [Int64]) {
    if keys.count == 1 {
      sql = selection + " WHERE t0.Z_PK = ?"
      parameters = [.value(.integer(keys[0]))]
    } else {
      sql = selection + " WHERE t0.Z_PK IN \(SQLiteListTable.selection)"
      parameters = [.list(SQLiteList(keys: keys))]
    }
  }

  /// Creates a list of keys, in parentheses, for the right side of `IN`.
  init(list keys: [Int64]) {
    sql = SQLiteListTable.selection
    parameters = [.list(SQLiteList(keys: keys))]
  }

  /// The same query in parentheses.
  var inParentheses: SQLiteQuery {
    var query = self
    query.sql = "(\(sql))"
    return query
  }

  /// Creates the SELECT of the keys, in ascending order, of the rows whose to-one relationship at `path` refers to an
  /// object.
  init(keysIn table: EntityTable, leadingTo objectID: ObjectID, by path: PropertyPath) {
    let column = "t0.\(table.column(at: path).name)"
    // The index over the column yields the keys in order, so they need not be sorted.
    sql = "\(table.keySelection) WHERE \(column) = ? ORDER BY t0.Z_PK"
    parameters = [.value(.object(objectID))]
  }

  /// Binds the parameters, the first of them at `place`.
  func bind(to statement: SQLiteStatement, from place: Int = 1) throws(PersistenceError) {
    statement.textRangeCount = textRangeCount
    for (offset, parameter) in parameters.enumerated() {
      let index = Int32(place + offset)
      switch parameter {
      case .value(let value): try statement.bind(value, at: index)
      case .list(let list): try statement.bind(list, at: index)
      case .matcher(let matcher): try statement.bind(matcher, at: index)
      }
    }
  }
}
