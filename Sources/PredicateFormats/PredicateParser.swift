import ContextEngine

/// A parser for the grammar of Cocoa's predicate formats, which resolves names against an entity.
struct PredicateParser {
  let model: ManagedObjectModel
  let entity: EntityDescription
  private let tokens: [PredicateToken]
  private var place = 0
  private let arguments: [PredicateArgumentContent]
  private var usedArgumentCount = 0
  /// The variables of the enclosing subqueries and their entities.
  var variables: [(name: String, entity: EntityDescription)] = []

  init(
    _ format: String, arguments: [PredicateArgumentContent], entity: EntityDescription, model: ManagedObjectModel
  ) throws(PredicateFormatError) {
    self.model = model
    self.entity = entity
    self.arguments = arguments
    tokens = try PredicateLexer.tokens(of: format)
  }

  /// Parses the whole predicate.
  mutating func parse() throws(PredicateFormatError) -> FetchPredicate {
    let predicate = try alternatives()
    guard token.kind == .end else { throw unexpected("the predicate ends before") }
    guard usedArgumentCount == arguments.count else {
      throw PredicateFormatError(
        position: token.position,
        message: "there are \(arguments.count) arguments but only \(usedArgumentCount) placeholders")
    }
    return predicate
  }

  // MARK: Tokens

  var token: PredicateToken { tokens[place] }

  mutating func take() -> PredicateToken {
    defer { if place < tokens.count - 1 { place += 1 } }
    return tokens[place]
  }

  /// Consumes the next token and returns its sign if it is one of the given signs. Otherwise returns nil.
  mutating func take(sign signs: String...) -> String? {
    guard case .sign(let sign) = token.kind, signs.contains(sign) else { return nil }
    _ = take()
    return sign
  }

  /// Consumes the next token and returns its word in capitals if it is one of the given keywords, in any case.
  /// Otherwise returns nil.
  mutating func take(word words: String...) -> String? {
    guard case .word(let word, isEscaped: false) = token.kind, words.contains(word.uppercased()) else { return nil }
    _ = take()
    return word.uppercased()
  }

  mutating func expect(_ sign: String) throws(PredicateFormatError) {
    guard take(sign: sign) != nil else { throw unexpected("“\(sign)” is expected in place of") }
  }

  func unexpected(_ what: String) -> PredicateFormatError {
    PredicateFormatError(position: token.position, message: "\(what) \(token.text)")
  }

  /// Consumes and returns the argument for the placeholder that was just read.
  mutating func nextArgument(at position: Int) throws(PredicateFormatError) -> PredicateArgumentContent {
    guard usedArgumentCount < arguments.count else {
      throw PredicateFormatError(position: position, message: "there is no argument for this placeholder")
    }
    defer { usedArgumentCount += 1 }
    return arguments[usedArgumentCount]
  }

  // MARK: Compounds

  private mutating func alternatives() throws(PredicateFormatError) -> FetchPredicate {
    var parts = [try conjunction()]
    while isNext("OR", or: "||") {
      _ = take()
      parts.append(try conjunction())
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(PredicateFormatError) -> FetchPredicate {
    var parts = [try negation()]
    while isNext("AND", or: "&&") {
      _ = take()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(PredicateFormatError) -> FetchPredicate {
    if isNext("NOT", or: "!") {
      _ = take()
      return .not(try negation())
    }
    return try primary()
  }

  private func isNext(_ word: String, or sign: String) -> Bool {
    switch token.kind {
    case .word(let text, isEscaped: false): text.uppercased() == word
    case .sign(let text): text == sign
    default: false
    }
  }

  private mutating func primary() throws(PredicateFormatError) -> FetchPredicate {
    if take(word: "TRUEPREDICATE") != nil { return .constant(true) }
    if take(word: "FALSEPREDICATE") != nil { return .constant(false) }
    guard token.kind == .sign("(") else { return try comparison() }
    let before = self
    do throws(PredicateFormatError) {
      _ = take()
      let predicate = try alternatives()
      try expect(")")
      return predicate
    } catch {
      // The bracket may begin an expression instead. If that fails too, the error at the later position is thrown,
      // because it describes the mistake better.
      self = before
      let inner = error
      do throws(PredicateFormatError) {
        return try comparison()
      } catch {
        throw inner.position >= error.position ? inner : error
      }
    }
  }

  /// Parses the predicate of a subquery.
  mutating func predicate(
    with variable: String, for element: EntityDescription
  ) throws(PredicateFormatError) -> FetchPredicate {
    variables.append((variable, element))
    defer { variables.removeLast() }
    return try alternatives()
  }
}
