/// A pattern of `LIKE`: `*` matches any number of characters, `?` matches one, and a backslash makes the next character
/// literal.
///
/// A character is a scalar with the marks that follow it, so that "é" is one character in either form.
struct TextPattern: Sendable {
  private let elements: [Element]

  private enum Element: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    case one
    case any
  }

  init(_ pattern: String) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        elements.append(.scalar(scalar))
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "?": elements.append(.one)
      case "*": if elements.last != .any { elements.append(.any) }
      default: elements.append(.scalar(scalar))
      }
    }
    if isEscaped { elements.append(.scalar("\\")) }
    self.elements = elements
  }

  /// Returns true if the pattern matches the whole text. O(n · m) at worst, O(n) as a rule.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var place = 0
    var element = 0
    /// The position at which to continue if the elements after the last `*` do not match: the `*` then takes one more
    /// scalar.
    var retry: (place: Int, element: Int)?
    while place < scalars.count {
      if element < elements.count, elements[element] == .any {
        retry = (place, element + 1)
        element += 1
      } else if element < elements.count, let next = fits(elements[element], at: place, of: scalars) {
        place = next
        element += 1
      } else if let last = retry {
        retry = (last.place + 1, last.element)
        place = last.place + 1
        element = last.element
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .any }
  }

  /// Returns the position behind the scalars that the element matches, or nil if it does not match.
  private func fits(_ element: Element, at place: Int, of scalars: [Unicode.Scalar]) -> Int? {
    switch element {
    case .scalar(let scalar): return scalars[place] == scalar ? place + 1 : nil
    case .any: return place
    case .one:
      var next = place + 1
      while next < scalars.count, scalars[next].isMark { next += 1 }
      return next
    }
  }
}
