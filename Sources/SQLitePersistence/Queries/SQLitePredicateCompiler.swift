import ContextEngine
import MachineCore

/// Translates a predicate into an SQL condition with parameters for its values.
///
/// In SQL a comparison with NULL is NULL, which WHERE, AND and OR treat as false but NOT does not. The operand of NOT
/// is therefore replaced by false if it is NULL, so that the condition has the meaning of the predicate in memory.
struct SQLitePredicateCompiler {
  let scope: SQLiteScope
  /// The variables of the enclosing subqueries, the innermost last.
  var variables: [(name: String, scope: SQLiteScope, key: String)] = []
  /// The named expressions of a dictionary request, for its condition on groups.
  var expressions: [String: SQLFragment] = [:]

  private static var always: SQLFragment { "1" }
  static var never: SQLFragment { "0" }
  /// The maximum number of parts in one chain of AND or OR. SQLite allows 1,000 levels of nesting, and `a AND b AND c`
  /// is nested as deeply as it is long, so longer chains are split in half.
  private static let longestChain = 100

  init(_ scope: SQLiteScope) {
    self.scope = scope
  }

  func condition(_ predicate: FetchPredicate) -> SQLFragment {
    switch predicate {
    case .comparison(let path, let comparison, let value): condition(path, comparison: comparison, value: value)
    case .isIn(let path, let values): condition(path, isIn: values)
    case .objectIsIn(let objectIDs):
      condition("\(scope.key)", isIn: keys(of: objectIDs.filter { scope.table.entity.root.includes($0.entityIndex) }))
    case .and(let parts): chain(parts[...], connective: "AND", empty: Self.always)
    case .or(let parts): chain(parts[...], connective: "OR", empty: Self.never)
    case .not(let part): "NOT IFNULL(\(condition(part)), 0)"
    case .constant(let isTrue): isTrue ? Self.always : Self.never
    case .expressions(let comparison): condition(comparison)
    }
  }

  private func chain(_ parts: ArraySlice<FetchPredicate>, connective: String, empty: SQLFragment) -> SQLFragment {
    if parts.isEmpty { return empty }
    if parts.count > Self.longestChain {
      let middle = parts.startIndex + parts.count / 2
      let first = chain(parts[..<middle], connective: connective, empty: empty)
      return "(\(first) \(connective) \(chain(parts[middle...], connective: connective, empty: empty)))"
    }
    return "(\(SQLFragment.joined(parts.map(condition), by: " \(connective) ")))"
  }
}

// MARK: - One property

extension SQLitePredicateCompiler {
  private func condition(_ path: PropertyPath, comparison: FetchPredicate.Comparison, value: Value) -> SQLFragment {
    let column = column(at: path)
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
        trapMisuse("\(property(at: path)) is a relationship, and objects have no order")
      }
      // No row has a key to an object that has not been written yet.
      if objectID.isTemporaryID { return comparison == .equal ? Self.never : Self.always }
    }
    let wanted = SQLFragment.value(value)
    let isDecimal = scope.source.isDecimal(path)
    let size: SQLFragment = isDecimal ? "\(DecimalOrder.name)(\(column))" : column
    let bound: SQLFragment = isDecimal ? "\(DecimalOrder.name)(\(wanted))" : wanted
    return switch comparison {
    case .equal: "\(column) = \(wanted)"
    case .notEqual: "(\(column) <> \(wanted) OR \(column) IS NULL)"
    case .less: "\(size) < \(bound)"
    case .lessOrEqual: "\(size) <= \(bound)"
    case .greater: "\(size) > \(bound)"
    case .greaterOrEqual: "\(size) >= \(bound)"
    }
  }

  private func condition(_ path: PropertyPath, isIn values: [Value]) -> SQLFragment {
    checkAll(values, at: path)
    return condition(column(at: path), isIn: values, isScanned: scope.table.hasNoIndex(over: path.slot))
  }

  /// Returns a condition that a value is in a list. Temporary IDs are left out. The text is the same for all lists of
  /// two or more other values, without null or with it, so that their statement is prepared once.
  ///
  /// If `isScanned` is true, SQLite has no index to find the values, and each row's string is looked up in a hash table,
  /// which takes a third of the time of `IN`. The text that is shown still has `IN`.
  func condition(_ left: SQLFragment, isIn values: [Value], isScanned: Bool = false) -> SQLFragment {
    let wanted = values.filter { !$0.isNull && !$0.isTemporary }
    let isNullWanted = values.contains(where: \.isNull)
    if isNullWanted, wanted.isEmpty { return "\(left) IS NULL" }
    let condition: SQLFragment =
      switch wanted.count {
      case 0: Self.never
      case 1: "\(left) = \(.value(wanted[0]))"
      default:
        isScanned && wanted.allSatisfy(\.isString)
          ? "\(SQLiteTextFunctions.listed)(\(left), \(.strings(wanted)))" : "\(left) IN \(.list(wanted))"
      }
    return isNullWanted ? "(\(condition) OR \(left) IS NULL)" : condition
  }

  private func keys(of objectIDs: [ObjectID]) -> [Value] {
    objectIDs.filter { !$0.isTemporaryID }.map { .integer($0.key) }
  }

  private func column(at path: PropertyPath) -> SQLFragment {
    SQLFragment("\(scope.alias).\(scope.table.column(at: path).name)")
  }

  /// Traps if the property cannot have one of the values, since the condition would silently match no row.
  private func checkAll(_ values: [Value], at path: PropertyPath) {
    if case .attribute(let attribute) = scope.table.entity.slots[path.slot], attribute.type == .string,
      values.allSatisfy(\.isString)
    {
      return
    }
    for value in values { check(value, at: path) }
  }

  /// Traps if the property cannot have the value, since the condition would silently match no row.
  private func check(_ value: Value, at path: PropertyPath) {
    let isPossible =
      switch (scope.table.entity.slots[path.slot], value) {
      case (.attribute(let attribute), .transformable):
        trapMisuse(
          "\(scope.table.entity.name).\(attribute.name) is transformable: a predicate can compare it with null only"
        )
      case (.attribute(let attribute), .binary) where attribute.mayBeExternal:
        trapMisuse(
          "\(scope.table.entity.name).\(attribute.name) has external storage: a predicate can compare it with null only"
        )
      case (.attribute(let attribute), _): attribute.type.admits(value)
      case (.toOne, .null): true
      case (.toOne(let relationship), .object(let objectID)): relationship.destinations.contains(objectID.entityIndex)
      case (.toOne, _): false
      }
    guard isPossible else {
      trapMisuse("a predicate compares \(property(at: path)) with \(value), which has another type")
    }
  }

  private func property(at path: PropertyPath) -> String {
    "\(scope.table.entity.name).\(scope.table.entity.propertyName(at: path))"
  }
}

extension Value {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }

  /// Indicates whether the value is an object that has not been written yet. No row has a key to such an object.
  var isTemporary: Bool {
    if case .object(let objectID) = self { objectID.isTemporaryID } else { false }
  }
}
