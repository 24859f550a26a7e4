/// A comparison of a figure with a constant.
package struct Condition: Hashable, Sendable {
  package var comparison: Comparison
  /// The constant in the unit that pages show: milliseconds, milliseconds per second, megabytes, or the number itself.
  package var threshold: Double

  /// The comparisons. The raw values are the keys in files.
  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case above
    case below
    case atLeast = "at-least"
    case atMost = "at-most"
    case equals

    /// The words of pages.
    package var words: String {
      switch self {
      case .above, .below: rawValue
      case .atLeast: "at least"
      case .atMost: "at most"
      case .equals: "exactly"
      }
    }
  }

  /// Returns true if a figure fulfils the condition. A figure without a value does not fulfil it.
  package func holds(for figure: Double) -> Bool {
    switch comparison {
    case .above: figure > threshold
    case .below: figure < threshold
    case .atLeast: figure >= threshold
    case .atMost: figure <= threshold
    case .equals: figure == threshold
    }
  }
}
