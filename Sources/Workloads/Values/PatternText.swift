import Foundation

/// A source of texts that match a regular expression of a model.
///
/// It has the parts of regular expressions that models use: characters, sets, groups, alternatives and repetitions. A
/// repetition always has the same number of elements. Each text is compared with the whole expression, so that a part
/// that is read only roughly, such as a lookahead, never gives a wrong text.
struct PatternText: Sendable {
  /// A part of an expression.
  fileprivate indirect enum Part: Sendable {
    /// One of several characters.
    case set([Character])
    case sequence([Part])
    case alternatives([Part])
    case repetition(Part, ClosedRange<Int>)
  }

  private let parts: Part
  private let expression: NSRegularExpression
  private let lengths: ClosedRange<Int>
  /// The number of elements that repetitions have if they may.
  private let repetitionCount: Int

  /// Creates a source of texts, or returns nil if no texts of such lengths are found that match the expression.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression, which texts must match as a whole.
  ///   - lengths: The lengths that texts may have.
  init?(_ pattern: String, lengths: ClosedRange<Int>) {
    var parser = PatternParser(pattern)
    guard let parts = parser.parse(), let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    else { return nil }
    self.parts = parts
    self.expression = expression
    self.lengths = lengths
    let count = [8, 4, 2, 1, 12, 16, 24, 32, 64, 0].first { count in
      [0, 1, 7_919, 1_000_003].allSatisfy { number in
        Self.matches(
          Self.text(of: parts, number, repetitionCount: count).text, expression: expression, lengths: lengths)
      }
    }
    guard let count else { return nil }
    repetitionCount = count
  }

  /// Returns the text of a number, and the part of the number that the text cannot hold. Returns nil if the text does
  /// not match the expression.
  func text(_ number: Int64) -> (text: String, rest: Int64)? {
    let found = Self.text(of: parts, number, repetitionCount: repetitionCount)
    return Self.matches(found.text, expression: expression, lengths: lengths) ? found : nil
  }

  private static func matches(_ text: String, expression: NSRegularExpression, lengths: ClosedRange<Int>) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return lengths.contains(text.utf16.count) && expression.firstMatch(in: text, range: range) != nil
  }

  private static func text(of part: Part, _ number: Int64, repetitionCount: Int) -> (text: String, rest: Int64) {
    var text = ""
    var rest = number
    func append(_ part: Part) {
      switch part {
      case .set(let characters):
        text.append(characters[Int(rest % Int64(characters.count))])
        rest /= Int64(characters.count)
      case .sequence(let parts): parts.forEach(append)
      case .alternatives(let parts):
        let place = Int(rest % Int64(parts.count))
        rest /= Int64(parts.count)
        append(parts[place])
      case .repetition(let part, let counts):
        // A repeated group is as short as it may be, so that texts do not become long.
        let wanted = if case .set = part { repetitionCount } else { min(1, repetitionCount) }
        for _ in 0..<min(max(wanted, counts.lowerBound), counts.upperBound) { append(part) }
      }
    }
    append(part)
    return (text, rest)
  }
}

// MARK: - Parsing

/// A parser of the parts of a regular expression.
private struct PatternParser {
  private let characters: [Character]
  private var place = 0

  private static let digits = Array("0123456789")
  private static let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz") + capitals
  private static let largestCount = 1_000

  init(_ pattern: String) { characters = Array(pattern) }

  private var next: Character? { place < characters.count ? characters[place] : nil }

  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    place += 1
    return true
  }

  /// Returns the parts of the whole expression, or nil if it has parts that are not known.
  mutating func parse() -> PatternText.Part? {
    guard let part = alternatives(), place == characters.count else { return nil }
    return part
  }

  private mutating func alternatives() -> PatternText.Part? {
    var parts: [PatternText.Part] = []
    repeat {
      guard let part = sequence() else { return nil }
      parts.append(part)
    } while take("|")
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence() -> PatternText.Part? {
    var parts: [PatternText.Part] = []
    while let character = next, character != "|", character != ")" {
      guard let element = element() else { return nil }
      guard let counts = counts() else { return nil }
      parts.append(counts == 1...1 ? element : .repetition(element, counts))
    }
    return .sequence(parts)
  }

  /// Returns the counts of a repetition behind an element, or nil if they are not well formed.
  private mutating func counts() -> ClosedRange<Int>? {
    let counts: ClosedRange<Int>
    switch next {
    case "?": counts = 0...1
    case "*": counts = 0...Self.largestCount
    case "+": counts = 1...Self.largestCount
    case "{":
      guard let end = characters[place...].firstIndex(of: "}") else { return nil }
      let numbers = String(characters[(place + 1)..<end]).split(separator: ",", omittingEmptySubsequences: false)
      guard let least = numbers.first.flatMap({ Int($0) }), least <= Self.largestCount, numbers.count <= 2 else {
        return nil
      }
      let most = numbers.count == 1 ? least : min(Int(numbers[1]) ?? Self.largestCount, Self.largestCount)
      guard least <= most else { return nil }
      counts = least...most
      place = end
    default: return 1...1
    }
    place += 1
    // A lazy or possessive repetition matches the same texts.
    if next == "?" || next == "+" { place += 1 }
    return counts
  }

  private mutating func element() -> PatternText.Part? {
    guard let character = next else { return nil }
    place += 1
    switch character {
    case "^", "$": return .sequence([])
    case ".": return .set(Self.letters + Self.digits)
    case "(": return group()
    case "[": return set().map { .set($0) }
    case "\\": return escape()
    case "*", "+", "?", "{": return nil
    default: return .set([character])
    }
  }

  private mutating func group() -> PatternText.Part? {
    var isLookaround = false
    if take("?") {
      if take("=") || take("!") {
        isLookaround = true
      } else if take("<") {
        if take("=") || take("!") {
          isLookaround = true
        } else {
          while let character = next, character != ">" { place += 1 }
          guard take(">") else { return nil }
        }
      } else {
        while let character = next, character.isLetter || character == "-" { place += 1 }
        if take(")") { return .sequence([]) }
        guard take(":") else { return nil }
      }
    }
    guard let part = alternatives(), take(")") else { return nil }
    return isLookaround ? .sequence([]) : part
  }

  private mutating func escape() -> PatternText.Part? {
    guard let character = next else { return nil }
    if "bBAzZG".contains(character) {
      place += 1
      return .sequence([])
    }
    return escapedSet().map { .set($0) }
  }

  /// Returns the characters of an escape whose backslash has been read.
  private mutating func escapedSet() -> [Character]? {
    guard let character = next else { return nil }
    place += 1
    switch character {
    case "d": return Self.digits
    case "w": return Self.letters + Self.digits + ["_"]
    case "s": return [" "]
    case "D", "S", "W": return character == "W" ? [" ", "-"] : Self.letters
    case "t": return ["\t"]
    case "n": return ["\n"]
    case "p":
      guard take("{"), let end = characters[place...].firstIndex(of: "}") else { return nil }
      let name = String(characters[place..<end])
      place = end + 1
      switch name {
      case "L": return Self.letters
      case "Lu": return Self.capitals
      case "Ll": return Array(Self.letters.prefix(26))
      case "N", "Nd": return Self.digits
      default: return nil
      }
    default: return character.isLetter || character.isNumber ? nil : [character]
    }
  }

  /// Returns the characters of a set. Its opening bracket has been read.
  private mutating func set() -> [Character]? {
    let isNegated = take("^")
    var members: [Character] = []
    var isFirst = true
    while let character = next, isFirst || character != "]" {
      isFirst = false
      place += 1
      if character == "[" || character == "&" && next == "&" { return nil }
      if character == "\\" {
        guard let escaped = escapedSet() else { return nil }
        members += escaped
        continue
      }
      guard next == "-", place + 1 < characters.count, characters[place + 1] != "]" else {
        members.append(character)
        continue
      }
      let last = characters[place + 1]
      guard let low = character.asciiValue, let high = last.asciiValue, low <= high, last != "\\" else { return nil }
      members += (low...high).map { Character(UnicodeScalar($0)) }
      place += 2
    }
    guard take("]") else { return nil }
    var seen: Set<Character> = []
    let known = isNegated ? (Self.letters + Self.digits).filter { !members.contains($0) } : members
    let result = known.filter { seen.insert($0).inserted }
    return result.isEmpty ? nil : result
  }
}
