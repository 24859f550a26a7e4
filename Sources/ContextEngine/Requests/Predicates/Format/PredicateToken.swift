/// One word or sign of a predicate's format, and where it stands.
struct PredicateToken: Equatable {
  var kind: Kind
  /// How many characters come before it.
  var position: Int

  enum Kind: Equatable {
    /// A name or a word with a meaning; `isEscaped` = written with `#`, so that it is a name whatever it says.
    case word(String, isEscaped: Bool)
    /// `@count`, without the sign.
    case function(String)
    /// `$x`, without the sign.
    case variable(String)
    case literal(Value)
    /// A place for an argument.
    case argument(Argument)
    case sign(String)
    case end
  }

  enum Argument: Equatable {
    /// `%@`
    case value
    /// `%K`
    case keyPath
    /// `%d`, `%lld`, `%f`, …
    case number
  }

  /// The token as an error shows it.
  var text: String {
    switch kind {
    case .word(let word, _): "“\(word)”"
    case .function(let name): "“@\(name)”"
    case .variable(let name): "“$\(name)”"
    case .literal(let value): "\(value)"
    case .argument(.value): "“%@”"
    case .argument(.keyPath): "“%K”"
    case .argument(.number): "a place for a number"
    case .sign(let sign): "“\(sign)”"
    case .end: "the end"
    }
  }
}

/// Why a predicate's format could not be read, and where.
struct PredicateFormatError: Error {
  var position: Int
  var message: String
}
