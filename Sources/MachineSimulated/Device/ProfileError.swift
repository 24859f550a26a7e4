/// The reason why a profile cannot be used: one sentence that says what was wrong, where, and what would be right.
package struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// No profile has the name.
    case unknownProfile
    /// A file cannot be opened or read.
    case unreadableFile
    /// A file's text is not YAML.
    case malformedText
    case missingKey
    case unknownKey
    /// A value is not of the right type, or no device could have it.
    case invalidValue
    /// Profiles refer to each other in a circle.
    case circle
  }

  package var code: Code
  package var message: String
  /// The profile's file, or its name if it is one of the shipped.
  package var place: String?
  /// The line in the file, counted from 1.
  package var line: Int?
  /// The key that is wrong, preceded by those above it: `costs.sync.storage.low`.
  package var key: String?

  package init(_ code: Code, _ message: String, place: String? = nil, line: Int? = nil, key: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.line = line
    self.key = key
  }

  /// The error in one line: `place:line: key: message`, without the parts that are not known.
  package var description: String {
    let location = place.map { place in line.map { "\(place):\($0)" } ?? place }
    return [location, key, message].compactMap { $0 }.joined(separator: ": ")
  }
}
