/// An error in a YAML file: one line that says what was wrong, where, and what would be right.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The text is not YAML.
    case malformedText
    case missingKey
    case unknownKey
    /// A value is of the wrong type or out of range.
    case invalidValue
  }

  package var code: Code
  package var message: String
  /// The file, as the reader was given it.
  package var place: String
  /// The number of the line, counted from 1.
  package var line: Int?
  /// The key that is wrong, with those above it, such as `costs.sync.storage.low`.
  package var key: String?

  package init(_ code: Code, _ message: String, place: String, line: Int? = nil, key: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.line = line
    self.key = key
  }

  /// The error in one line, `place:line: key: message`, with the parts that are known.
  package var description: String {
    let location = line.map { "\(place):\($0)" } ?? place
    return [location, key, message].compactMap(\.self).joined(separator: ": ")
  }
}
