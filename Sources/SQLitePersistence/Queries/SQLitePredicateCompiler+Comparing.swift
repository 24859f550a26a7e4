import ContextEngine
import MachineCore

// MARK: - General comparisons

extension SQLitePredicateCompiler {
  /// One side of a comparison.
  private enum Operand {
    case constant(Value)
    case computed(SQLFragment)
  }

  func condition(_ comparison: ComparisonPredicate) -> SQLFragment {
    guard comparison.modifier != .direct else { return condition(operand(comparison.left), comparison: comparison) }
    guard case .keyPath(let keyPath) = comparison.left else {
      trapMisuse("ANY, ALL and NONE need a key path over a to-many relationship on their left")
    }
    let collection = start(of: keyPath).collection(keyPath.steps)
    let test = condition(.computed(SQLFragment(collection.element)), comparison: comparison)
    // The SELECT is built last, since the comparison may have joined tables.
    let rows = "SELECT 1 FROM \(collection.source.from) WHERE \(collection.link)"
    return switch comparison.modifier {
    case .direct, .any: "EXISTS (\(rows) AND \(test))"
    case .none: "NOT EXISTS (\(rows) AND \(test))"
    case .all: "NOT EXISTS (\(rows) AND NOT IFNULL(\(test), 0))"
    }
  }

  private func condition(_ left: Operand, comparison: ComparisonPredicate) -> SQLFragment {
    let options = comparison.options
    if isDecimal(comparison.left) || isDecimal(comparison.right) {
      return conditionOfDecimals(fragment(left), comparison: comparison)
    }
    if case .list(let values) = comparison.right {
      let list = values.map { $0.folded(options) }
      let left = folded(left, options: options)
      return comparison.operation == .isIn ? condition(left, isIn: list) : Self.condition(left, isBetween: list)
    }
    if let operation = comparison.operation.textOperation {
      return condition(fragment(left), operation: operation, right: comparison.right, options: options)
    }
    let right = operand(comparison.right)
    if isTemporary(left) || isTemporary(right) {
      return comparison.operation == .notEqual ? "1" : Self.never
    }
    if case .constant(let value) = right, !value.isNull, comparison.operation == .equal {
      // This is not IS: if NULL cannot match, SQLite may take an index over the other table first.
      return "\(folded(left, options: options)) = \(folded(right, options: options))"
    }
    return Self.condition(
      folded(left, options: options), operation: comparison.operation, right: folded(right, options: options))
  }

  private static func condition(
    _ left: SQLFragment, operation: ComparisonPredicate.Operation, right: SQLFragment
  ) -> SQLFragment {
    switch operation {
    // IS distinguishes NULL from values and treats two NULLs as equal, as the evaluation in memory does.
    case .equal: "\(left) IS \(right)"
    case .notEqual: "\(left) IS NOT \(right)"
    case .less: "\(left) < \(right)"
    case .lessOrEqual: "\(left) <= \(right)"
    case .greater: "\(left) > \(right)"
    case .greaterOrEqual: "\(left) >= \(right)"
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: never
    }
  }

  private static func condition(_ left: SQLFragment, isBetween bounds: [Value]) -> SQLFragment {
    guard bounds.count == 2 else { trapMisuse("BETWEEN needs a list of two values") }
    return "\(left) BETWEEN \(.value(bounds[0])) AND \(.value(bounds[1]))"
  }

  /// Returns a condition on decimal numbers. Columns do not hold them in the order of the numbers, so they are
  /// compared, also with other numbers, by keys in that order.
  private func conditionOfDecimals(_ left: SQLFragment, comparison: ComparisonPredicate) -> SQLFragment {
    func key(_ fragment: SQLFragment) -> SQLFragment { "\(DecimalOrder.name)(\(fragment))" }
    guard case .list(let values) = comparison.right else {
      return Self.condition(key(left), operation: comparison.operation, right: key(fragment(operand(comparison.right))))
    }
    if comparison.operation == .between {
      guard values.count == 2 else { trapMisuse("BETWEEN needs a list of two values") }
      return "\(key(left)) BETWEEN \(key(.value(values[0]))) AND \(key(.value(values[1])))"
    }
    let parts = values.map { value -> SQLFragment in "\(key(left)) IS \(key(.value(value)))" }
    return parts.isEmpty ? Self.never : "(\(SQLFragment.joined(parts, by: " OR ")))"
  }

  private func isDecimal(_ expression: FetchExpression) -> Bool {
    switch expression {
    case .constant(.decimal): true
    case .keyPath(let keyPath): scope.source.isDecimal(keyPath.last)
    case .list(let values): values.contains { if case .decimal = $0 { true } else { false } }
    case .constant, .object, .variable, .aggregate, .subqueryCount: false
    }
  }

  /// Returns a condition that tests a string. The functions fold case and diacritics by themselves.
  private func condition(
    _ text: SQLFragment, operation: TextOperation, right: FetchExpression, options: ComparisonOptions
  ) -> SQLFragment {
    guard case .constant(let value) = right else {
      let pattern = fragment(operand(right))
      return "\(SQLiteTextFunctions.search)(\(text), \(pattern), \(operation.rawValue), \(options.rawValue))"
    }
    guard case .string(let pattern) = value else { return Self.never }
    if operation == .beginsWith, !options.isFolding { return Self.condition(text, beginsWith: pattern) }
    do throws(PersistenceError) {
      let matcher = try TextMatcher(operation, pattern: pattern, options: options)
      return "\(SQLiteTextFunctions.matches)(\(text), \(.matcher(matcher)))"
    } catch {
      trapMisuse(error.message)
    }
  }

  /// Returns a condition on a range of strings instead of a test of each string, so that an index over the column can
  /// be used.
  private static func condition(_ text: SQLFragment, beginsWith prefix: String) -> SQLFragment {
    if prefix.isEmpty { return "\(text) IS NOT NULL" }
    let first = SQLFragment.value(.string(prefix))
    guard let end = prefix.firstWithoutPrefix else { return SQLFragment(textRange: "\(text) >= \(first)") }
    return SQLFragment(textRange: "(\(text) >= \(first) AND \(text) < \(.value(.string(end))))")
  }
}

// MARK: - Expressions

extension SQLitePredicateCompiler {
  private func operand(_ expression: FetchExpression) -> Operand {
    if case .constant(let value) = expression { return .constant(value) }
    return .computed(fragment(expression))
  }

  /// Returns the SQL that computes an expression for the tested object.
  func fragment(_ expression: FetchExpression) -> SQLFragment {
    switch expression {
    case .constant(let value): return .value(value)
    case .list: trapMisuse("a list is used where one value is needed")
    case .keyPath(let keyPath): return column(keyPath)
    case .object: return SQLFragment("\(scope.alias).Z_PK")
    case .variable(let name):
      if let variable = variables.last(where: { $0.name == name }) { return SQLFragment(variable.key) }
      guard let expression = expressions[name] else { trapMisuse("the predicate uses $\(name), which is not defined") }
      return expression
    case .aggregate(let aggregate):
      let collection = start(of: aggregate.keyPath).collection(aggregate.keyPath.steps)
      let rows = "FROM \(collection.source.from) WHERE \(collection.link)"
      return switch aggregate.function {
      case .count: "(SELECT COUNT(*) \(rows))"
      case .sum: "IFNULL((SELECT SUM(\(collection.element)) \(rows)), 0)"
      case .minimum: "(SELECT MIN(\(collection.element)) \(rows))"
      case .maximum: "(SELECT MAX(\(collection.element)) \(rows))"
      case .average: "(SELECT AVG(\(collection.element)) \(rows))"
      }
    case .subqueryCount(let subquery):
      let collection = start(of: subquery.collection).collection(subquery.collection.steps)
      var inner = self
      inner.variables.append((subquery.variable, collection.end, collection.element))
      let condition = inner.condition(subquery.predicate)
      return "(SELECT COUNT(*) FROM \(collection.source.from) WHERE \(collection.link) AND \(condition))"
    }
  }

  /// Returns the column that a key path leads to. Traps for a key path over a to-many relationship.
  func column(_ keyPath: PropertyKeyPath) -> SQLFragment {
    guard !keyPath.isCollection else {
      trapMisuse("a key path over a to-many relationship is used where one value is needed")
    }
    return SQLFragment(start(of: keyPath).column(of: keyPath.steps[...]))
  }

  /// Returns the column with the entity number of the object that an expression yields, or nil if there is no such
  /// column.
  func entityColumn(_ expression: FetchExpression) -> SQLFragment? {
    switch expression {
    case .object: scope.entityColumn(of: []).map { SQLFragment($0) }
    case .keyPath(let keyPath): start(of: keyPath).entityColumn(of: keyPath.steps[...]).map { SQLFragment($0) }
    case .constant, .list, .variable, .aggregate, .subqueryCount: nil
    }
  }

  private func start(of keyPath: PropertyKeyPath) -> SQLiteScope {
    guard case .variable(let name) = keyPath.root else { return scope }
    guard let variable = variables.last(where: { $0.name == name }) else {
      trapMisuse("the predicate uses $\(name), which no enclosing subquery declares")
    }
    return variable.scope
  }

  private func fragment(_ operand: Operand) -> SQLFragment {
    switch operand {
    case .constant(.null): "NULL"
    case .constant(let value): .value(value)
    case .computed(let fragment): fragment
    }
  }

  /// Returns an operand, folded if the options ignore case or diacritics.
  private func folded(_ operand: Operand, options: ComparisonOptions) -> SQLFragment {
    if case .constant(let value) = operand { return fragment(Operand.constant(value.folded(options))) }
    guard options.isFolding else { return fragment(operand) }
    return "\(SQLiteTextFunctions.fold)(\(fragment(operand)), \(options.rawValue))"
  }

  private func isTemporary(_ operand: Operand) -> Bool {
    if case .constant(let value) = operand { value.isTemporary } else { false }
  }
}

extension String {
  /// The first string after all strings that begin with this one, or nil if no string follows them.
  ///
  /// Unicode scalars and the bytes of their UTF-8 have the same order.
  fileprivate var firstWithoutPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // The scalars above the surrogates follow the scalars below them.
      let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    return nil
  }
}
