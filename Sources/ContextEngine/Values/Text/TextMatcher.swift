import Foundation

/// A test of strings against a pattern: prepared once, used for every row.
///
/// Both evaluations of predicates use the same matcher: the one in memory calls it directly, SQL calls it through a
/// function that receives it from the statement. Immutable.
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

  /// Creates a matcher.
  ///
  /// - Throws: `.invalidPredicate` if the pattern of `MATCHES` is not a valid regular expression.
  package init(
    _ operation: TextOperation, pattern: String, options: ComparisonOptions
  ) throws(PersistenceError) {
    let options = options.effective
    self.options = options
    test =
      switch operation {
      case .contains: .contains(Array(options.fold(pattern).utf8))
      case .beginsWith: .beginsWith(Array(options.fold(pattern).utf8))
      case .endsWith: .endsWith(Array(options.fold(pattern).utf8))
      case .like: .like(TextPattern(options.fold(pattern)))
      case .matches: .matches(try Self.expression(pattern, options: options))
      }
  }

  /// Returns true if a string matches. O(bytes of the string) for patterns that need no backtracking.
  package func matches(_ text: String) -> Bool {
    // The regular expression itself ignores case, because capitals have a meaning in its escapes.
    if case .matches(let expression) = test {
      let text = options.subtracting(.caseInsensitive).fold(text)
      return expression.firstMatch(in: text, options: [], range: NSRange(text.startIndex..., in: text)) != nil
    }
    var folded = options.fold(text)
    if case .like(let pattern) = test { return pattern.matches(folded) }
    return folded.withUTF8 { matches(folded: $0) }
  }

  /// Returns true if the UTF-8 of a string matches. The bytes are not copied if they need no folding and the operation
  /// is `contains`, `beginsWith` or `endsWith`.
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

  /// Returns the expression that a whole string has to match.
  private static func expression(
    _ pattern: String, options: ComparisonOptions
  ) throws(PersistenceError) -> NSRegularExpression {
    let pattern = options.subtracting(.caseInsensitive).fold(pattern)
    let isInsensitive = options.contains(.caseInsensitive)
    do {
      // The pattern is compiled alone first, because one that is valid only inside the group below is wrong too.
      // Foundation does not accept an empty pattern.
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern) }
      return try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: isInsensitive ? [.caseInsensitive] : [])
    } catch {
      throw PersistenceError(.invalidPredicate, "“\(pattern)” is not a regular expression that MATCHES supports")
    }
  }
}

/// The operations that test a string against a pattern.
package enum TextOperation: Int32, Hashable, Sendable {
  case contains
  case beginsWith
  case endsWith
  case like
  case matches
}
