import ContextEngine
import Foundation

/// A lexer that splits a predicate's format into tokens.
struct PredicateLexer {
  private let characters: [Character]
  private var position = 0

  /// The signs, those of two characters first, so that the longest match is found.
  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".",
  ]

  init(_ format: String) {
    characters = Array(format)
  }

  /// Returns all tokens of a format, followed by one for the end.
  static func tokens(of format: String) throws(PredicateFormatError) -> [PredicateToken] {
    var lexer = PredicateLexer(format)
    var tokens: [PredicateToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens + [PredicateToken(kind: .end, position: lexer.position)]
  }

  private mutating func next() throws(PredicateFormatError) -> PredicateToken? {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    guard position < characters.count else { return nil }
    let start = position
    let kind = try kind(beginningWith: characters[position])
    return PredicateToken(kind: kind, position: start)
  }

  private mutating func kind(beginningWith first: Character) throws(PredicateFormatError) -> PredicateToken.Kind {
    switch first {
    case "'", "\"": return .literal(.string(try string(closedBy: first)))
    case "%": return .argument(try argument())
    case "@":
      position += 1
      return .function(try name(of: "a function"))
    case "$":
      position += 1
      return .variable(try name(of: "a variable"))
    case "#":
      position += 1
      return .word(try name(of: "a property"), isEscaped: true)
    default: break
    }
    if first.isNumber || (first == "-" && isDigit(at: position + 1)) { return .literal(try number()) }
    if Self.isNameCharacter(first) { return .word(try name(of: "a property"), isEscaped: false) }
    for sign in Self.signs where characters[position...].starts(with: sign) {
      position += sign.count
      return .sign(sign)
    }
    throw PredicateFormatError(position: position, message: "“\(first)” has no meaning here")
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }

  private func isDigit(at place: Int) -> Bool {
    place < characters.count && characters[place].isASCII && characters[place].isNumber
  }

  private mutating func name(of what: String) throws(PredicateFormatError) -> String {
    let start = position
    while position < characters.count, Self.isNameCharacter(characters[position]) { position += 1 }
    guard position > start else {
      throw PredicateFormatError(position: start, message: "the name of \(what) is missing")
    }
    return String(characters[start..<position])
  }

  private mutating func string(closedBy quote: Character) throws(PredicateFormatError) -> String {
    let start = position
    position += 1
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == quote { return text }
      guard character == "\\", position < characters.count else {
        text.append(character)
        continue
      }
      let escaped = characters[position]
      position += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\\", "'", "\"": text.append(escaped)
      // The backslash is kept for LIKE and MATCHES, which interpret it.
      default: text += "\\\(escaped)"
      }
    }
    throw PredicateFormatError(position: start, message: "the string that begins here has no end")
  }

  private mutating func number() throws(PredicateFormatError) -> Value {
    let start = position
    position += 1
    while position < characters.count {
      let character = characters[position]
      let isSign = (character == "-" || character == "+") && "eE".contains(characters[position - 1])
      // A key path does not begin with a digit, so a point is part of the number.
      guard isSign || character == "." || (character.isASCII && (character.isNumber || character.isLetter)) else {
        break
      }
      position += 1
    }
    let text = String(characters[start..<position])
    if text.lowercased().hasPrefix("0x"), let number = Int64(text.dropFirst(2), radix: 16) { return .integer(number) }
    if let number = Int64(text) { return .integer(number) }
    if let number = Double(text) { return .double(number) }
    throw PredicateFormatError(position: start, message: "“\(text)” is not a number")
  }

  private mutating func argument() throws(PredicateFormatError) -> PredicateToken.Argument {
    let start = position
    position += 1
    let modifiers: Set<Character> = ["l", "h", "q", "z"]
    while position < characters.count, modifiers.contains(characters[position]) { position += 1 }
    guard position < characters.count else {
      throw PredicateFormatError(position: start, message: "“%” needs a letter after it")
    }
    let letter = characters[position]
    position += 1
    switch letter {
    case "@": return .value
    case "K": return .keyPath
    case "d", "D", "i", "u", "U", "f", "F", "g", "G", "e", "E": return .number
    default: throw PredicateFormatError(position: start, message: "“%\(letter)” is not a placeholder for an argument")
    }
  }
}
