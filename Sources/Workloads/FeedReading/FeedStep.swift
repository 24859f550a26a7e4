import MachineCore

/// A step on the way from the outermost value of a feed to a wrong one.
enum FeedStep {
  case record(Int)
  case element(Int)
  case member(String)
}

extension FeedStep {
  /// Describes the first few steps to a value, as ` (in record 3 (the first is 0), member "name")`.
  static func place(_ steps: [FeedStep]) -> String {
    let names = steps.prefix(6).map { step in
      switch step {
      case .record(let index): "record \(index) (the first is 0)"
      case .element(let index): "element \(index)"
      case .member(let name): "member \(FeedError.quoted(name))"
      }
    }
    return steps.isEmpty ? "" : " (in \((names + (steps.count > 6 ? ["…"] : [])).joined(separator: ", ")))"
  }

  /// Returns the steps from the outermost value of a scan to its fault.
  ///
  /// - Parameters:
  ///   - scanner: The scanner that found the fault.
  ///   - tokens: The tokens that it has scanned.
  ///   - text: The text of the tokens.
  ///   - cursor: The cursor that decodes names.
  /// - Returns: The steps, the outermost first.
  static func steps(
    to scanner: TokenScanner, tokens: UnsafePointer<Token>, text: UnsafePointer<UInt8>, cursor: FeedCursor
  ) -> [FeedStep] {
    var steps: [FeedStep] = []
    var container = scanner.container
    var isInnermost = true
    while container > 0 {
      let open = container - 1
      let last = lastElement(of: open, tokens, count: scanner.count)
      let isBetween = isInnermost && scanner.fault.isBetweenElements
      if tokens[open].kind == .list {
        if !isBetween { steps.append(.element(last.isOpen ? last.count - 1 : last.count)) }
      } else if last.isOpen, !isBetween {
        steps.append(.member(cursor.string(of: last.name)))
      }
      isInnermost = false
      container = tokens[open].link
    }
    return steps.reversed()
  }

  /// Returns the number of elements that an open list or object has, and the name of the last one. The last one is open
  /// if its value is incomplete or missing.
  private static func lastElement(
    of open: Int, _ tokens: UnsafePointer<Token>, count: Int
  ) -> (count: Int, name: Int, isOpen: Bool) {
    let isObject = tokens[open].kind == .object
    var elements = 0
    var index = open + 1
    var name = index
    while index < count {
      elements += 1
      name = index
      let value = isObject ? index + 1 : index
      guard value < count else { return (elements, name, true) }
      // The link of an open container is the place of its parent, which comes before it.
      if tokens[value].isContainer, tokens[value].link <= value { return (elements, name, true) }
      index = tokens[value].isContainer ? tokens[value].link : value + 1
    }
    return (elements, name, false)
  }
}

extension FeedError {
  /// Returns text as a message quotes it: as a JSON string in one line, shortened if it is long.
  static func quoted(_ text: some StringProtocol) -> String {
    var quoted = "\""
    for scalar in QuotedText.of(text).unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..."\u{1f}", "\u{7f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
