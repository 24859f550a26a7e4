import MachineCore

/// The list that screens show, as a user describes it.
package struct ListOptions: Hashable, Sendable, Codable {
  /// The name of the entity whose rows every screen lists, or nil for the workload's entities in turn. Without it, the
  /// other parts are nil.
  package var entity: String?
  /// The attributes by which the list is sorted, or nil for the entity's own.
  package var sort: [ListSort]?
  /// The condition on the rows of the list, or nil to list all rows.
  package var condition: ListCondition?
  /// The relationships that a fetch prefetches, as key paths, or nil for none.
  package var prefetched: [String]?
  /// The attributes that cells show, as key paths over to-one relationships, or nil for the entity's own.
  package var cells: [String]?

  package init() {}
}

/// An attribute by which a list is sorted, with a hyphen before its name if the order is descending.
package struct ListSort: Hashable, Sendable, Codable, CustomStringConvertible {
  package var attribute: String
  package var isAscending: Bool

  package init(_ word: String) {
    isAscending = !word.hasPrefix("-")
    attribute = isAscending ? word : String(word.dropFirst())
  }

  package var description: String { isAscending ? attribute : "-\(attribute)" }
}

/// A condition on the rows of a list: comparisons of attributes with values that must all be true.
///
/// A comparison with null is false, except with `==` and `!=`.
package struct ListCondition: Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Operation: String, Hashable, Sendable, Codable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  package struct Comparison: Hashable, Sendable, Codable {
    package var attribute: String
    package var operation: Operation
    /// The text of the value, or nil for null.
    package var value: String?
  }

  package let comparisons: [Comparison]
  package let description: String

  /// Creates the condition that a text such as `rating >= 3 and genre == 'Jazz'` describes.
  ///
  /// - Throws: `WorkloadError` if the text has another form.
  package init(argument: String) throws(WorkloadError) {
    var comparisons: [Comparison] = []
    var rest = argument[...]
    var isEnded = false
    while !isEnded {
      guard
        let match = rest.prefixMatch(
          of: /\s*([^\s=!<>'"]+)\s*(==|!=|<=|>=|=|<|>)\s*('[^']*'|"[^"]*"|[^\s'"]+)\s*(\s(?:and|AND)\s|&&|$)/),
        let operation = Operation(rawValue: match.output.2 == "=" ? "==" : String(match.output.2))
      else {
        throw WorkloadError(
          .listCondition, QuotedText.of(argument),
          "not comparisons of attributes with values; use ==, !=, <, <=, > or >=, as in \"rating >= 3 and genre == 'Jazz'\""
        )
      }
      let word = String(match.output.3)
      let isQuoted = word.hasPrefix("'") || word.hasPrefix("\"")
      let isNull = !isQuoted && ["nil", "null"].contains(word.lowercased())
      comparisons.append(
        Comparison(
          attribute: String(match.output.1), operation: operation,
          value: isNull ? nil : isQuoted ? String(word.dropFirst().dropLast()) : word))
      isEnded = match.output.4.isEmpty
      rest = rest[match.range.upperBound...]
    }
    self.comparisons = comparisons
    description = argument
  }
}
