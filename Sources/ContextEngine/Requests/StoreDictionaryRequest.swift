/// A request for dictionaries in the form that a store takes. It has been checked.
package struct StoreDictionaryRequest: Sendable {
  /// The entity, the predicate, the order and the range.
  package var fetch: StoreFetchRequest
  package var columns: [ExpressionDescription]
  /// The kind of value of each column, parallel to the columns.
  package var kinds: [PredicateChecker.Kind]
  package var groups: [PropertyKeyPath]
  package var having: FetchPredicate?
  package var isDistinct: Bool

  /// True if several rows are combined into one dictionary.
  package var isGrouped: Bool { !groups.isEmpty || columns.contains(where: \.isFunction) }
}

extension FetchRequest {
  /// Returns the store's form of this request for dictionaries.
  ///
  /// - Throws: `.invalidPredicate` if a column, a group or the order does not fit.
  func dictionaryRequest(_ model: ManagedObjectModel) throws(PersistenceError) -> StoreDictionaryRequest {
    try check(model)
    // All attributes are fetched if no column is given.
    let properties = propertiesToFetch ?? (expressionsToFetch.isEmpty ? entity.everyAttribute : [])
    let columns =
      properties.map { ExpressionDescription(entity.propertyName(at: $0), keyPath: PropertyKeyPath($0)) }
      + expressionsToFetch
    let checker = PredicateChecker(model: model, entity: entity, names: Set(columns.map(\.name)))
    var request = StoreDictionaryRequest(
      fetch: storeRequest(FetchRange(limit: fetchLimit, offset: fetchOffset)), columns: columns, kinds: [],
      groups: propertiesToGroupBy, having: havingPredicate, isDistinct: returnsDistinctResults)
    for column in columns { request.kinds.append(try kind(of: column, checker)) }
    for keyPath in propertiesToGroupBy {
      guard try checker.kind(of: .keyPath(keyPath)) != .externalData else {
        throw Self.error("“\(model.description(of: keyPath))” has external storage, so fetches cannot group by it")
      }
    }
    if returnsDistinctResults, let place = request.kinds.firstIndex(of: .externalData) {
      throw Self.error("“\(columns[place].name)” has external storage, so distinct results cannot be found")
    }
    if let havingPredicate {
      guard request.isGrouped else { throw Self.error("a condition on groups needs properties to group by") }
      try checker.check(havingPredicate)
    }
    try checkGroups(of: request, model)
    return request
  }

  private func kind(
    of column: ExpressionDescription, _ checker: PredicateChecker
  ) throws(PersistenceError) -> PredicateChecker.Kind {
    switch column.content {
    case .value(let expression): return try checker.kind(of: expression)
    case .function(let function, let expression, _):
      let kind = try checker.kind(of: expression)
      switch function {
      case .count: return .number
      case .minimum, .maximum:
        guard kind.hasExtremes else {
          throw Self.error("“\(column.name)” is computed from values that have no least or greatest value")
        }
        return kind
      case .sum, .average:
        guard kind.isSummable else {
          throw Self.error("“\(column.name)” is computed from values that are not numbers")
        }
        return .number
      }
    }
  }

  /// Checks that columns and sort keys have one value per dictionary. In a grouped result only the grouping properties
  /// do, in a distinct result only the fetched properties.
  ///
  /// - Throws: `.invalidPredicate`.
  private func checkGroups(of request: StoreDictionaryRequest, _ model: ManagedObjectModel) throws(PersistenceError) {
    let fetched = request.columns.compactMap { column -> PropertyKeyPath? in
      if case .value(.keyPath(let keyPath)) = column.content { keyPath } else { nil }
    }
    if request.isGrouped {
      for column in request.columns where !column.isFunction {
        guard case .value(.keyPath(let keyPath)) = column.content, request.groups.contains(keyPath) else {
          throw Self.error("“\(column.name)” is neither a function nor among the properties to group by")
        }
      }
    }
    guard request.isGrouped || request.isDistinct else { return }
    let known = request.isGrouped ? request.groups : fetched
    for sort in sortDescriptors where !known.contains(sort.keyPath) {
      let name = model.description(of: sort.keyPath)
      throw Self.error("the result is sorted by “\(name)”, which is neither fetched nor grouped by")
    }
  }

  private static func error(_ message: String) -> PersistenceError {
    PersistenceError(.invalidPredicate, message)
  }
}

extension EntityDescription {
  /// The paths of all attributes that a store keeps.
  fileprivate var everyAttribute: [PropertyPath] {
    attributes.filter { !$0.isTransient }.map { path($0.name) }
  }
}
