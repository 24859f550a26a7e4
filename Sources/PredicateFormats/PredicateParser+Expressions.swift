import ContextEngine
import Foundation

// MARK: - Expressions

extension PredicateParser {
  /// Parses one side of a comparison.
  mutating func operand() throws(PredicateFormatError) -> FetchExpression {
    let start = take()
    switch start.kind {
    case .literal(let value): return .constant(value)
    case .argument(let kind): return try argument(kind, at: start.position)
    case .variable(let name): return try variable(name, at: start.position)
    case .word(let word, let isEscaped): return try self.word(word, isEscaped: isEscaped, at: start.position)
    case .sign("{"): return .list(try list())
    case .sign("("):
      let expression = try operand()
      try expect(")")
      return expression
    case .function, .sign, .end:
      throw PredicateFormatError(
        position: start.position, message: "a property or a value is expected in place of \(start.text)")
    }
  }

  private mutating func word(
    _ word: String, isEscaped: Bool, at position: Int
  ) throws(PredicateFormatError) -> FetchExpression {
    guard !isEscaped else { return try keyPath([.name(word)] + keyPathTail(), root: .object, at: position) }
    switch word.uppercased() {
    case "NIL", "NULL": return .constant(.null)
    case "TRUE", "YES": return .constant(.boolean(true))
    case "FALSE", "NO": return .constant(.boolean(false))
    case "SELF":
      let tail = try keyPathTail()
      return tail.isEmpty ? .object : try keyPath(tail, root: .object, at: position)
    case "SUBQUERY": return try subquery(at: position)
    case "CAST": return try cast(at: position)
    default: return try keyPath([.name(word)] + keyPathTail(), root: .object, at: position)
    }
  }

  private mutating func variable(_ name: String, at position: Int) throws(PredicateFormatError) -> FetchExpression {
    let tail = try keyPathTail()
    if tail.isEmpty { return .variable(name) }
    guard variables.contains(where: { $0.name == name }) else {
      throw PredicateFormatError(position: position, message: "$\(name) is not a variable of an enclosing subquery")
    }
    return try keyPath(tail, root: .variable(name), at: position)
  }

  private mutating func argument(
    _ kind: PredicateToken.Argument, at position: Int
  ) throws(PredicateFormatError) -> FetchExpression {
    let content = try nextArgument(at: position)
    switch (kind, content) {
    case (.keyPath, .value(.string(let names))):
      let parts = names.split(separator: ".", omittingEmptySubsequences: false).map { part -> KeyPathPart in
        part.first == "@" ? .function(String(part.dropFirst())) : .name(String(part))
      }
      if parts == [.name("SELF")] { return .object }
      return try keyPath(parts + keyPathTail(), root: .object, at: position)
    case (.value, .value(let value)): return .constant(value)
    case (.value, .list(let values)): return .list(values)
    case (.number, .value(let value)):
      switch value {
      case .integer, .double, .boolean, .decimal: return .constant(value)
      default: break
      }
    case (.keyPath, _), (.number, .list): break
    }
    let wanted = kind == .keyPath ? "the name of a property" : "a number"
    throw PredicateFormatError(
      position: position, message: "this placeholder needs \(wanted), but the argument is not one")
  }

  private mutating func list() throws(PredicateFormatError) -> [Value] {
    var values: [Value] = []
    if take(sign: "}") != nil { return values }
    repeat {
      let position = token.position
      switch try operand() {
      case .constant(let value): values.append(value)
      case .list(let inner): values += inner
      default: throw PredicateFormatError(position: position, message: "a list can contain values only")
      }
    } while take(sign: ",") != nil
    try expect("}")
    return values
  }

  private mutating func cast(at position: Int) throws(PredicateFormatError) -> FetchExpression {
    try expect("(")
    let inner = try operand()
    try expect(",")
    guard case .constant(.string("NSDate")) = try operand(), case .constant(let value) = inner else {
      throw PredicateFormatError(position: position, message: "CAST supports dates only: CAST(seconds, 'NSDate')")
    }
    try expect(")")
    switch value {
    case .integer(let seconds): return .constant(.date(Double(seconds)))
    case .double(let seconds): return .constant(.date(seconds))
    default: throw PredicateFormatError(position: position, message: "CAST needs the number of seconds since 2001")
    }
  }

  private mutating func subquery(at position: Int) throws(PredicateFormatError) -> FetchExpression {
    try expect("(")
    guard case .keyPath(let collection) = try operand(), let element = model.destination(of: collection.last),
      collection.last.isToMany
    else {
      throw PredicateFormatError(position: position, message: "SUBQUERY needs a to-many relationship")
    }
    try expect(",")
    guard case .variable(let name) = token.kind else { throw unexpected("a variable is expected in place of") }
    _ = take()
    try expect(",")
    let predicate = try predicate(with: name, for: element)
    try expect(")")
    guard try keyPathTail() == [.function("count")] else {
      throw PredicateFormatError(position: position, message: "a subquery must be followed by .@count")
    }
    return .subqueryCount(FetchExpression.Subquery(collection, variable: name, predicate: predicate))
  }
}

// MARK: - Key paths

extension PredicateParser {
  /// A part of a key path: a name, or a function over the values before it.
  private enum KeyPathPart: Equatable {
    case name(String)
    case function(String)
  }

  /// Parses the parts of a key path that follow points, up to the first token after them.
  private mutating func keyPathTail() throws(PredicateFormatError) -> [KeyPathPart] {
    var parts: [KeyPathPart] = []
    while take(sign: ".") != nil {
      switch take().kind {
      case .word(let word, _): parts.append(.name(word))
      case .function(let name): parts.append(.function(name))
      default: throw unexpected("the name of a property is expected before")
      }
    }
    return parts
  }

  private func keyPath(
    _ parts: [KeyPathPart], root: PropertyKeyPath.Root, at position: Int
  ) throws(PredicateFormatError) -> FetchExpression {
    var start = entity
    if case .variable(let variable) = root, let known = variables.last(where: { $0.name == variable }) {
      start = known.entity
    }
    let names = parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
    let functions = parts.compactMap { if case .function(let name) = $0 { name } else { nil } }
    do throws(PersistenceError) {
      let resolved = try PropertyKeyPath(names.joined(separator: "."), of: start, in: model, root: root)
      guard let name = functions.first else { return .keyPath(resolved) }
      guard functions.count == 1, let function = AggregateFunction(rawValue: name),
        function != .count || parts.last == .function(name)
      else {
        throw PersistenceError(
          .invalidPredicate,
          "“@\(name)” is not a function here; use .@count, or .@sum, .@min, .@max or .@avg before a name")
      }
      return .aggregate(FetchExpression.Aggregate(function, of: resolved))
    } catch {
      throw PredicateFormatError(position: position, message: error.message)
    }
  }
}

// MARK: - Constants

extension FetchExpression {
  var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .keyPath, .object, .variable, .aggregate, .subqueryCount: false
    }
  }

  /// Returns the expression with its constants converted to the type with which they are compared, if they have such a
  /// form.
  func coerced(to kind: PredicateChecker.Kind) -> FetchExpression {
    guard case .attribute(let type) = kind else { return self }
    switch self {
    case .constant(let value): return .constant(value.coerced(to: type))
    case .list(let values): return .list(values.map { $0.coerced(to: type) })
    case .keyPath, .object, .variable, .aggregate, .subqueryCount: return self
    }
  }
}

extension Value {
  /// Returns the value converted to the type, or the value itself if it has no such form.
  fileprivate func coerced(to type: AttributeType) -> Value {
    switch (type, self) {
    case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .double(let number)): Decimal(string: "\(number)").map(Value.decimal) ?? self
    case (.boolean, .integer(let number)) where number == 0 || number == 1: .boolean(number == 1)
    case (.integer16, .double(let number)), (.integer32, .double(let number)), (.integer64, .double(let number)):
      Int64(exactly: number).map(Value.integer) ?? self
    case (.uuid, .string(let text)): UUID(uuidString: text).map(Value.uuid) ?? self
    case (.uri, .string(let text)): URL(string: text).map(Value.uri) ?? self
    default: self
    }
  }
}
