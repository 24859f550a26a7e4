import Foundation

/// A test of strings against a pattern that is known beforehand: prepared once, used for every row.
///
/// Both evaluations of predicates use the same matcher: in memory directly, in SQL through a function to which a statement
/// hands it. Immutable.
package final class TextMatcher: Sendable {
  private let options: ComparisonOptions
  private let test: Test

  private enum Test: Sendable {
    case contains([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case like(TextPattern)
    case matches(NSRegularExpression)
  }

  /// - Throws: `.invalidPredicate` where the pattern of `MATCHES` is no regular expression.
  package init(
    _ operation: TextOperation, _ pattern: String, options: ComparisonOptions
  ) throws(PersistenceError) {
    let options = options.effective
    self.options = options
    test =
      switch operation {
      case .contains: .contains(Array(options.fold(pattern).utf8))
      case .beginsWith: .beginsWith(Array(options.fold(pattern).utf8))
      case .endsWith: .endsWith(Array(options.fold(pattern).utf8))
      case .like: .like(TextPattern(options.fold(pattern)))
      case .matches: .matches(try Self.expression(pattern, options))
      }
  }

  /// Whether a string passes. O(its bytes), for patterns that need no trying.
  package func matches(_ text: String) -> Bool {
    // Case is left to the regular expression, in which capitals of escapes have a meaning.
    if case .matches(let expression) = test {
      let text = options.subtracting(.caseInsensitive).fold(text)
      return expression.firstMatch(in: text, options: [], range: NSRange(text.startIndex..., in: text)) != nil
    }
    var folded = options.fold(text)
    if case .like(let pattern) = test { return pattern.matches(folded) }
    return folded.withUTF8 { matches(folded: $0) }
  }

  /// The same for the UTF-8 of a string, which is not copied where nothing has to be folded.
  package func matches(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch test {
    case .contains, .beginsWith, .endsWith:
      if options.isEmpty { return matches(folded: bytes) }
    case .like, .matches: break
    }
    return matches(String(decoding: bytes, as: UTF8.self))
  }

  private func matches(folded bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch test {
    case .contains(let part): Self.contains(part, in: bytes)
    case .beginsWith(let part): bytes.starts(with: part)
    case .endsWith(let part): bytes.suffix(part.count).elementsEqual(part)
    case .like, .matches: false
    }
  }

  private static func contains(_ part: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    guard let start = bytes.baseAddress else { return false }
    var place = 0
    while bytes.count - place >= part.count {
      guard let found = memchr(start + place, Int32(first), bytes.count - place - part.count + 1) else { return false }
      if memcmp(found, part, part.count) == 0 { return true }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
    }
    return false
  }

  /// The expression that a whole string has to match.
  private static func expression(
    _ pattern: String, _ options: ComparisonOptions
  ) throws(PersistenceError) -> NSRegularExpression {
    let pattern = options.subtracting(.caseInsensitive).fold(pattern)
    let isInsensitive = options.contains(.caseInsensitive)
    do {
      // Once alone: what only fits into the frame below is wrong too. An empty one is none to Foundation.
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern) }
      return try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: isInsensitive ? [.caseInsensitive] : [])
    } catch {
      throw PersistenceError(.invalidPredicate, "“\(pattern)” is no regular expression that MATCHES could use")
    }
  }
}

/// What is asked of a string.
package enum TextOperation: Int32, Hashable, Sendable {
  case contains
  case beginsWith
  case endsWith
  case like
  case matches
}
