/// The identifiers that one source file declares and uses.
struct SourceIdentifiers {
  struct Use: Hashable {
    var name: String
    var line: Int
    /// A Boolean value that is true for an argument label or a parameter's name, which a colon follows.
    var isLabel: Bool
  }

  /// The types that the file declares at any level except inside functions.
  private(set) var types: Set<String> = []
  /// The members of types and extensions, and global functions, variables and constants.
  private(set) var members: Set<String> = []
  /// Names that mean something else inside the file: parameters, local variables, generic parameters.
  private(set) var locals: Set<String> = []
  private(set) var uses: [Use] = []

  private let tokens: [SwiftTokens.Token]
  /// The braces around the current token: true for a body of code, and false for a type or an extension.
  private var braces: [Bool] = []
  /// A Boolean value that is true if the next opening brace begins a type or an extension.
  private var opensType = false

  private static let typeKeywords: Set<String> = ["class", "struct", "enum", "protocol", "actor"]

  init(_ source: String) {
    tokens = SwiftTokens(source).tokens
    for index in tokens.indices {
      note(index)
      // A name after @ is an attribute, which the compiler declares.
      if tokens[index].isWord, text(index - 1) != "@" {
        uses.append(Use(name: tokens[index].text, line: tokens[index].line, isLabel: text(index + 1) == ":"))
      }
    }
  }

  private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  private func isWord(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isWord }

  private var isInBody: Bool { braces.contains(true) }

  private mutating func note(_ index: Int) {
    let (token, next, previous) = (text(index), text(index + 1), text(index - 1))
    switch token {
    case "{":
      braces.append(!opensType)
      opensType = false
    case "}": _ = braces.popLast()
    case "extension": opensType = true
    case "typealias", "associatedtype": members.insert(next)
    case "func":
      if isWord(index + 1) { noteDeclaration(next) }
      noteGenericParameters(from: index + 2)
      opensType = false
    case "init", "subscript":
      if previous != "." { opensType = false }
    case "var", "let": noteVariable(index)
    case "case":
      if !isInBody, !braces.isEmpty, previous != "." { noteCases(from: index + 1) }
    case "for":
      noteNames(from: index + 1, to: "in")
    case "in": noteClosureParameters(before: index)
    default:
      if Self.typeKeywords.contains(token), isWord(index + 1), ![".", ":", ",", "&"].contains(previous),
        !["func", "var", "let", "subscript", "init"].contains(next)
      {
        if isInBody { locals.insert(next) } else { types.insert(next) }
        noteGenericParameters(from: index + 2)
        opensType = true
      } else if tokens[index].isWord, next == ":" || isWord(index + 1) && text(index + 2) == ":" {
        // The token is a label, alone or followed by the parameter's name.
        locals.insert(token)
      }
    }
  }

  private mutating func noteDeclaration(_ name: String) {
    if isInBody { locals.insert(name) } else { members.insert(name) }
  }

  /// Notes the names that `let` or `var` declares: one name or a tuple of names, which are local after `case`, `if` and
  /// `guard`.
  private mutating func noteVariable(_ index: Int) {
    if text(index + 1) == "(" {
      noteNames(from: index + 2, to: ")")
    } else if isWord(index + 1) {
      let isPattern = ["case", "if", "guard", "while", "(", ","].contains(text(index - 1))
      if isPattern { locals.insert(text(index + 1)) } else { noteDeclaration(text(index + 1)) }
    }
    opensType = false
  }

  private mutating func noteNames(from start: Int, to end: String) {
    var index = start
    while tokens.indices.contains(index), text(index) != end, text(index) != "{" {
      if isWord(index) { locals.insert(text(index)) }
      index += 1
    }
  }

  private mutating func noteGenericParameters(from start: Int) {
    if text(start) == "<" { noteNames(from: start + 1, to: ">") }
  }

  /// Notes the cases of an enumeration, one or more after one keyword.
  private mutating func noteCases(from start: Int) {
    var index = start
    while isWord(index) {
      members.insert(text(index))
      index += 1
      if text(index) == "(" { index = end(of: index) + 1 }
      if text(index) == "=" { index += text(index + 1) == "-" ? 3 : 2 }
      guard text(index) == "," else { return }
      index += 1
    }
  }

  /// Returns the place of the parenthesis that closes the one at `index`.
  private func end(of index: Int) -> Int {
    var depth = 0
    for place in index..<tokens.count {
      if text(place) == "(" { depth += 1 }
      if text(place) == ")" { depth -= 1 }
      if depth == 0 { return place }
    }
    return tokens.count
  }

  private mutating func noteClosureParameters(before index: Int) {
    var place = index - 1
    while place >= 0, tokens[place].isWord || ["(", ")", ","].contains(text(place)) {
      if tokens[place].isWord { locals.insert(text(place)) }
      place -= 1
    }
  }
}
