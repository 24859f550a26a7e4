import ContextEngine

// MARK: - Counting

extension SQLiteStore {
  /// Counts the matching rows by one SELECT. The order and the range of the request have no effect. Reports one row of
  /// 8 bytes as read, and the scanned rows.
  package func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int {
    let table = table(of: request.entity)
    let query = SQLiteQuery("SELECT COUNT(*) FROM \(table.name) t0", of: table, for: request.unordered, in: self)
    return try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      let count = try statement.step() ? Int(statement.column(0).integer) : 0
      connection.events.rowsStepped += 1
      connection.events.bytesStepped += 8
      connection.events.rowsScanned += statement.takeScannedRows()
      return count
    }
  }
}

// MARK: - Dictionaries

extension SQLiteStore {
  package func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    let query = dictionaryQuery(request)
    guard request.kinds.contains(.externalData), let external else { return try dictionaries(request, query: query) }
    // The external files are read during the request, so they must remain until it ends.
    external.enter()
    defer { external.leave() }
    return try dictionaries(request, query: query)
  }

  private func dictionaries(
    _ request: StoreDictionaryRequest, query: SQLiteQuery
  ) throws(PersistenceError) -> [[Value]] {
    try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      var rows: [[Value]] = []
      var bytes = 0
      defer {
        connection.events.rowsStepped += rows.count
        connection.events.bytesStepped += bytes
      }
      while try statement.step() {
        var row: [Value] = []
        var index: Int32 = 0
        for kind in request.kinds {
          row.append(try value(of: statement, next: &index, kind: kind, bytes: &bytes))
        }
        rows.append(row)
      }
      connection.events.rowsScanned += max(0, statement.takeScannedRows() - rows.count)
      if statement.takeSorts() > 0 { connection.events.rowsSorted += rows.count }
      return rows
    }
  }

  private func dictionaryQuery(_ request: StoreDictionaryRequest) -> SQLiteQuery {
    let source = SQLiteSource(self)
    var compiler = SQLitePredicateCompiler(source.begin(table(of: request.fetch.entity)))
    let columns = request.columns.map { column(of: $0, compiler) }
    compiler.expressions = Dictionary(zip(request.columns.map(\.name), columns)) { first, _ in first }
    var tail = SQLiteQuery.conditions(of: request.fetch, compiler)
    if !request.groups.isEmpty {
      tail.append(" GROUP BY \(.joined(request.groups.map(compiler.column), by: ", "))")
    }
    if let having = request.having { tail.append(" HAVING \(compiler.condition(having))") }
    tail.append(SQLiteQuery.order(request.fetch.sortDescriptors, in: compiler.scope))
    if request.fetch.sortDescriptors.isEmpty, !request.groups.isEmpty {
      tail.append(" ORDER BY \(.joined(request.groups.map(compiler.column), by: ", "))")
    }
    tail.append(SQLiteQuery.part(request.fetch.range))
    let selection: SQLFragment = request.isDistinct ? "SELECT DISTINCT " : "SELECT "
    var selected: [SQLFragment] = []
    for (place, column) in columns.enumerated() {
      selected.append(column)
      if case .object = request.kinds[place] { selected.append(entity(of: request.columns[place], compiler)) }
    }
    return SQLiteQuery("\(selection)\(.joined(selected, by: ", ")) FROM \(source.from)\(tail)")
  }

  /// Returns the column with the entity number of the object in a column, or 0 if the object can be of one entity only.
  private func entity(of description: ExpressionDescription, _ compiler: SQLitePredicateCompiler) -> SQLFragment {
    guard case .value(let expression) = description.content, let column = compiler.entityColumn(expression) else {
      return "0"
    }
    return column
  }

  private func column(of description: ExpressionDescription, _ compiler: SQLitePredicateCompiler) -> SQLFragment {
    switch description.content {
    case .value(let expression): return compiler.fragment(expression)
    case .function(let function, let expression, let isDistinct):
      let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
      let value = compiler.fragment(expression)
      return switch function {
      case .count: "COUNT(\(distinct)\(value))"
      case .sum: "IFNULL(SUM(\(distinct)\(value)), 0)"
      case .minimum: "MIN(\(value))"
      case .maximum: "MAX(\(value))"
      case .average: "AVG(\(distinct)\(value))"
      }
    }
  }
}
