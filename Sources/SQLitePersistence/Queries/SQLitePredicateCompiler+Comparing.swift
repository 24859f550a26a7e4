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
    guard comparison.modifier != .direct else { return condition(operand(comparison.left), comparison) }
    guard case .keyPath(let keyPath) = comparison.left else {
      trapMisuse("ANY, ALL and NONE need a key path over a to-many relationship at their left")
    }
    let collection = start(of: keyPath).collection(keyPath.steps)
    let test = condition(.computed(SQLFragment(collection.element)), comparison)
    // Put together last: comparing may have joined tables.
    let rows = "SELECT 1 FROM \(collection.source.from) WHERE \(collection.link)"
    return switch comparison.modifier {
    case .direct, .any: "EXISTS (\(rows) AND \(test))"
    case .none: "NOT EXISTS (\(rows) AND \(test))"
    case .all: "NOT EXISTS (\(rows) AND NOT IFNULL(\(test), 0))"
    }
  }

  private func condition(_ left: Operand, _ comparison: ComparisonPredicate) -> SQLFragment {
    let options = comparison.options
    if isDecimal(comparison.left) || isDecimal(comparison.right) {
      return conditionOfDecimals(fragment(left), comparison)
    }
    if case .list(let values) = comparison.right {
      let list = values.map { $0.folded(options) }
      let left = folded(left, options)
      return comparison.operation == .isIn ? condition(left, isIn: list) : Self.condition(left, isBetween: list)
    }
    if let operation = comparison.operation.textOperation {
      return condition(fragment(left), operation, comparison.right, options)
    }
    let right = operand(comparison.right)
    if isTemporary(left) || isTemporary(right) {
      return comparison.operation == .notEqual ? "1" : Self.never
    }
    if case .constant(let value) = right, !value.isNull, comparison.operation == .equal {
      // Not IS: where nothing cannot match, SQLite may take an index over the other table first.
      return "\(folded(left, options)) = \(folded(right, options))"
    }
    return Self.condition(folded(left, options), comparison.operation, folded(right, options))
  }

  private static func condition(
    _ left: SQLFragment, _ operation: ComparisonPredicate.Operation, _ right: SQLFragment
  ) -> SQLFragment {
    switch operation {
    // IS tells nothing from something and finds two nothings equal, as the evaluation in memory does.
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

  /// Decimal numbers are not in the order of what columns hold, and compare with other numbers by keys that are.
  private func conditionOfDecimals(_ left: SQLFragment, _ comparison: ComparisonPredicate) -> SQLFragment {
    func key(_ fragment: SQLFragment) -> SQLFragment { "\(DecimalOrder.name)(\(fragment))" }
    guard case .list(let values) = comparison.right else {
      return Self.condition(key(left), comparison.operation, key(fragment(operand(comparison.right))))
    }
    if comparison.operation == .between {
      guard values.count == 2 else { trapMisuse("BETWEEN needs a list of two values") }
      return "\(key(left)) BETWEEN \(key(.value(values[0]))) AND \(key(.value(values[1])))"
    }
    let parts = values.map { value -> SQLFragment in "\(key(left)) IS \(key(.value(value)))" }
    return parts.isEmpty ? Self.never : "(\(SQLFragment.joined(parts, by: " OR ")))"
  }

  private func isDecimal(_ expression: Expression) -> Bool {
    switch expression {
    case .constant(.decimal): true
    case .keyPath(let keyPath): scope.source.isDecimal(keyPath.last)
    case .list(let values): values.contains { if case .decimal = $0 { true } else { false } }
    case .constant, .object, .variable, .aggregate, .subqueryCount: false
    }
  }

  /// A test of strings. The functions fold by themselves.
  private func condition(
    _ text: SQLFragment, _ operation: TextOperation, _ right: Expression, _ options: ComparisonOptions
  ) -> SQLFragment {
    guard case .constant(let value) = right else {
      let pattern = fragment(operand(right))
      return "\(SQLiteTextFunctions.search)(\(text), \(pattern), \(operation.rawValue), \(options.rawValue))"
    }
    guard case .string(let pattern) = value else { return Self.never }
    if operation == .beginsWith, !options.isFolding { return Self.condition(text, beginsWith: pattern) }
    do throws(PersistenceError) {
      let matcher = try TextMatcher(operation, pattern, options: options)
      return "\(SQLiteTextFunctions.matches)(\(text), \(.matcher(matcher)))"
    } catch {
      trapMisuse(error.message)
    }
  }

  /// A range of strings instead of a test of each: an index over the column serves it.
  private static func condition(_ text: SQLFragment, beginsWith prefix: String) -> SQLFragment {
    if prefix.isEmpty { return "\(text) IS NOT NULL" }
    let first = SQLFragment.value(.string(prefix))
    guard let end = prefix.firstWithoutPrefix else { return "\(text) >= \(first)" }
    return "(\(text) >= \(first) AND \(text) < \(.value(.string(end))))"
  }
}

// MARK: - Expressions

extension SQLitePredicateCompiler {
  private func operand(_ expression: Expression) -> Operand {
    if case .constant(let value) = expression { return .constant(value) }
    return .computed(fragment(expression))
  }

  /// What computes an expression for the object that is tested.
  func fragment(_ expression: Expression) -> SQLFragment {
    switch expression {
    case .constant(let value): return .value(value)
    case .list: trapMisuse("a list stands where one value is needed")
    case .keyPath(let keyPath): return column(keyPath)
    case .object: return SQLFragment("\(scope.alias).Z_PK")
    case .variable(let name):
      if let variable = variables.last(where: { $0.name == name }) { return SQLFragment(variable.key) }
      guard let expression = expressions[name] else { trapMisuse("the predicate uses $\(name), which nothing defines") }
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

  /// The column that a key path leads to; over to-many relationships there is none.
  func column(_ keyPath: PropertyKeyPath) -> SQLFragment {
    guard !keyPath.isCollection else {
      trapMisuse("a key path over a to-many relationship stands where one value is needed")
    }
    return SQLFragment(start(of: keyPath).column(of: keyPath.steps[...]))
  }

  /// The column that says of which entity the object is that an expression gives; nil where there is no choice.
  func entityColumn(_ expression: Expression) -> SQLFragment? {
    switch expression {
    case .object: scope.entityColumn(of: []).map { SQLFragment($0) }
    case .keyPath(let keyPath): start(of: keyPath).entityColumn(of: keyPath.steps[...]).map { SQLFragment($0) }
    case .constant, .list, .variable, .aggregate, .subqueryCount: nil
    }
  }

  private func start(of keyPath: PropertyKeyPath) -> SQLiteScope {
    guard case .variable(let name) = keyPath.root else { return scope }
    guard let variable = variables.last(where: { $0.name == name }) else {
      trapMisuse("the predicate uses $\(name), which no subquery around it has")
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

  /// What is compared in place of a string whose case or diacritics do not count.
  private func folded(_ operand: Operand, _ options: ComparisonOptions) -> SQLFragment {
    if case .constant(let value) = operand { return fragment(Operand.constant(value.folded(options))) }
    guard options.isFolding else { return fragment(operand) }
    return "\(SQLiteTextFunctions.fold)(\(fragment(operand)), \(options.rawValue))"
  }

  private func isTemporary(_ operand: Operand) -> Bool {
    if case .constant(let value) = operand { value.isTemporary } else { false }
  }
}

extension String {
  /// The first string behind all that begin with this one; nil = there is none behind them.
  ///
  /// Scalars and the bytes of UTF-8 have the same order.
  fileprivate var firstWithoutPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Behind the scalars below the surrogates come those above them.
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
