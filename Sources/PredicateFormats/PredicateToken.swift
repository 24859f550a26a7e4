import ContextEngine

/// A word or sign of a predicate's format, with its position.
struct PredicateToken: Equatable {
  var kind: Kind
  /// The number of characters before the token.
  var position: Int

  enum Kind: Equatable {
    /// A name or a keyword. `isEscaped` is true if it was written with `#`, so that it is a name even if it is a
    /// keyword.
    case word(String, isEscaped: Bool)
    /// A function such as `@count`, without the sign.
    case function(String)
    /// A variable such as `$x`, without the sign.
    case variable(String)
    case literal(Value)
    /// A placeholder for an argument.
    case argument(Argument)
    case sign(String)
    case end
  }

  enum Argument: Equatable {
    /// `%@`: a value, a list or an object.
    case value
    /// `%K`: a key path.
    case keyPath
    /// `%d`, `%lld`, `%f`, …: a number.
    case number
  }

  /// The token's text in an error message.
  var text: String {
    switch kind {
    case .word(let word, _): "“\(word)”"
    case .function(let name): "“@\(name)”"
    case .variable(let name): "“$\(name)”"
    case .literal(let value): "\(value)"
    case .argument(.value): "“%@”"
    case .argument(.keyPath): "“%K”"
    case .argument(.number): "a placeholder for a number"
    case .sign(let sign): "“\(sign)”"
    case .end: "the end"
    }
  }
}

/// An error in a predicate's format, with its position.
struct PredicateFormatError: Error {
  var position: Int
  var message: String
}
