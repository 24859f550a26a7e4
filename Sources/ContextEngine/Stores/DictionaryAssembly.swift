/// Assembles the rows of a dictionary request in memory from the objects that were found.
///
/// It is used for stores without SQL and gives the same results as the SQL statements of the other stores.
struct DictionaryAssembly {
  private let request: StoreDictionaryRequest
  private let columns: [Column]
  private let groups: [PreparedExpression]
  /// The evaluator of the columns' expressions. It has no predicate, because a subquery brings its own.
  private let evaluator = PredicateEvaluator(nil)

  private struct Column {
    var expression: PreparedExpression
    /// The aggregate function of the column, or nil if the column is the value itself.
    var function: AggregateFunction?
    var isDistinct: Bool
  }

  init(_ request: StoreDictionaryRequest) {
    self.request = request
    columns = request.columns.map { column in
      switch column.content {
      case .value(let expression): Column(expression: PreparedExpression(expression), function: nil, isDistinct: false)
      case .function(let function, let expression, let isDistinct):
        Column(expression: PreparedExpression(expression), function: function, isDistinct: isDistinct)
      }
    }
    groups = request.groups.map(PreparedExpression.keyPath)
  }

  /// Returns one list of values for each dictionary, in the request's order. O(n log n) if rows are grouped.
  func rows<Subject: PredicateSubject>(of subjects: [Subject]) -> [[Value]] {
    let order = ObjectOrder(request.fetch.sortDescriptors)
    var rows: [[Value]]
    if request.isGrouped {
      var groups = grouped(subjects)
      if !order.sortDescriptors.isEmpty {
        // Groups with equal sort keys stay in the order of their grouping keys.
        groups = groups.enumerated().sorted { left, right in
          let result = order.compare(left.element[0], right.element[0])
          return result == 0 ? left.offset < right.offset : result < 0
        }.map(\.element)
      }
      rows = groups.compactMap(row)
    } else {
      var sorted = subjects
      if !order.sortDescriptors.isEmpty {
        sorted = subjects.enumerated().sorted { left, right in
          let result = order.compare(left.element, right.element)
          return result == 0 ? left.offset < right.offset : result < 0
        }.map(\.element)
      }
      rows = sorted.map { subject in
        columns.map { $0.expression.value(in: PredicateScope(object: subject), evaluator) }
      }
    }
    if request.isDistinct {
      var seen: Set<[Value]> = []
      rows = rows.filter { seen.insert($0).inserted }
    }
    return request.fetch.range.cut(rows)
  }

  /// Returns the row of a group, or nil if the HAVING condition excludes the group.
  private func row<Subject: PredicateSubject>(of group: [Subject]) -> [Value]? {
    let values = columns.map { value(of: $0, group) }
    if let having = request.having, let first = group.first {
      let named = Dictionary(zip(request.columns.map(\.name), values)) { first, _ in first }
      let evaluator = PredicateEvaluator(having.withSubstitutionVariables(named))
      guard evaluator.matches(subject: first) else { return nil }
    }
    return values
  }

  private func value<Subject: PredicateSubject>(of column: Column, _ group: [Subject]) -> Value {
    guard let function = column.function else {
      return group.first.map { column.expression.value(in: PredicateScope(object: $0), evaluator) } ?? .null
    }
    var values = group.map { column.expression.value(in: PredicateScope(object: $0), evaluator) }
    if column.isDistinct {
      var seen: Set<Value> = []
      values = values.filter { seen.insert($0).inserted }
    }
    return function.value(of: values)
  }

  /// Returns the subjects grouped by equal grouping keys, with the groups in the order of their keys. All subjects
  /// form one group if the request has no grouping keys.
  private func grouped<Subject: PredicateSubject>(_ subjects: [Subject]) -> [[Subject]] {
    if groups.isEmpty { return [subjects] }
    let keyed = subjects.map { subject in
      (key: groups.map { $0.value(in: PredicateScope(object: subject), evaluator) }, subject: subject)
    }
    var result: [(key: [Value], subjects: [Subject])] = []
    var places: [[Value]: Int] = [:]
    for (key, subject) in keyed {
      if let place = places[key] {
        result[place].subjects.append(subject)
      } else {
        places[key] = result.count
        result.append((key, [subject]))
      }
    }
    return result.sorted { left, right in
      for (left, right) in zip(left.key, right.key) {
        let order = Value.compare(left, right)
        if order != 0 { return order < 0 }
      }
      return false
    }.map(\.subjects)
  }
}
