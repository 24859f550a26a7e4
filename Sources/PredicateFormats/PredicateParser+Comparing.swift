import ContextEngine

// MARK: - Comparisons

extension PredicateParser {
  mutating func comparison() throws(PredicateFormatError) -> FetchPredicate {
    let position = token.position
    let modifier = takeModifier()
    let left = try operand()
    let (operation, options) = try takeOperation()
    let right = try operand()
    do throws(PersistenceError) {
      var checker = PredicateChecker(model: model, entity: entity)
      checker.allowsFreeVariables = true
      checker.variables = variables
      let comparison = ComparisonPredicate(left, operation, right, modifier: modifier, options: options)
      return try comparison.settled(checker)
    } catch {
      throw PredicateFormatError(position: position, message: error.message)
    }
  }

  private mutating func takeModifier() -> ComparisonPredicate.Modifier {
    switch take(word: "ANY", "SOME", "ALL", "NONE") {
    case "ANY", "SOME": .any
    case "ALL": .all
    case "NONE": .none
    default: .direct
    }
  }

  private mutating func takeOperation() throws(PredicateFormatError) -> (
    ComparisonPredicate.Operation, ComparisonOptions
  ) {
    let position = token.position
    guard let operation = takeOperator() else { throw unexpected("an operator is expected in place of") }
    guard take(sign: "[") != nil else { return (operation, []) }
    guard case .word(let letters, _) = take().kind else {
      throw PredicateFormatError(position: position, message: "the options in brackets are c, d and n")
    }
    var options: ComparisonOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      default:
        throw PredicateFormatError(position: position, message: "“\(letter)” is not an option; use c, d or n")
      }
    }
    try expect("]")
    return (operation, options)
  }

  private mutating func takeOperator() -> ComparisonPredicate.Operation? {
    if let sign = take(sign: "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>") {
      switch sign {
      case "=", "==": return .equal
      case "!=", "<>": return .notEqual
      case "<": return .less
      case "<=", "=<": return .lessOrEqual
      case ">": return .greater
      default: return .greaterOrEqual
      }
    }
    switch take(word: "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES") {
    case "BETWEEN": return .between
    case "IN": return .isIn
    case "CONTAINS": return .contains
    case "BEGINSWITH": return .beginsWith
    case "ENDSWITH": return .endsWith
    case "LIKE": return .like
    case "MATCHES": return .matches
    default: return nil
    }
  }
}

// MARK: - Settling

extension ComparisonPredicate {
  /// Returns the comparison as a predicate in the plainest possible form, with constants converted to the types with
  /// which they are compared, after checking it.
  ///
  /// Plain forms can use indexes, and their SQL statements are the same as those of predicates written in code.
  fileprivate func settled(_ checker: PredicateChecker) throws(PersistenceError) -> FetchPredicate {
    var settled = turned()
    let kind = try checker.kind(of: settled.left, mayBeCollection: true)
    settled.right = settled.right.coerced(to: kind)
    try checker.check(.expressions(settled))
    return settled.plain(kind)
  }

  /// Returns the comparison with the constant on the right side, if the operator has a mirrored one, and with a test
  /// for membership in a to-many relationship as an `ANY` comparison.
  private func turned() -> ComparisonPredicate {
    var turned = self
    if modifier == .direct, operation == .isIn, case .keyPath(let keyPath) = right, keyPath.isCollection {
      turned = ComparisonPredicate(right, .equal, left, modifier: .any, options: options)
    } else if modifier == .direct, operation == .contains, case .keyPath(let keyPath) = left, keyPath.isCollection {
      turned.operation = .equal
      turned.modifier = .any
    } else if modifier == .direct, left.isConstant, !right.isConstant, let mirrored = operation.mirrored {
      turned = ComparisonPredicate(right, mirrored, left, options: options)
    }
    return turned
  }

  private func plain(_ kind: PredicateChecker.Kind) -> FetchPredicate {
    guard modifier == .direct, !options.isFolding else { return .expressions(self) }
    switch (left, right) {
    case (.object, .constant(.object(let objectID))) where operation == .equal: return .objectIsIn([objectID])
    case (.object, .constant(.object(let objectID))) where operation == .notEqual: return .not(.objectIsIn([objectID]))
    case (.object, .list(let values)) where operation == .isIn:
      return .objectIsIn(values.compactMap { if case .object(let objectID) = $0 { objectID } else { nil } })
    case (.keyPath(let keyPath), .constant(let value)):
      guard let path = keyPath.onlyStep, let comparison = operation.comparison, kind.admits(value) else { break }
      return .comparison(path, comparison, value)
    case (.keyPath(let keyPath), .list(let values)) where operation == .isIn:
      guard let path = keyPath.onlyStep, values.allSatisfy(kind.admits) else { break }
      return .isIn(path, values)
    default: break
    }
    return .expressions(self)
  }
}

extension ComparisonPredicate.Operation {
  /// The operator that gives the same result when the two sides are exchanged, or nil if no operator does.
  fileprivate var mirrored: ComparisonPredicate.Operation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}

extension PropertyKeyPath {
  /// The only step of a path with one step that begins at the object itself, or nil for any other path.
  fileprivate var onlyStep: PropertyPath? {
    root == .object && steps.count == 1 ? last : nil
  }
}

extension PredicateChecker.Kind {
  /// Returns true if a property of this kind can have the value.
  fileprivate func admits(_ value: Value) -> Bool {
    switch self {
    case .attribute(let type): type.admits(value)
    case .object: true
    case .externalData: value.isNull
    case .anything, .number: false
    }
  }
}
