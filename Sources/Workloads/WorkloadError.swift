/// Why a workload cannot be made or read: one sentence that says what was wrong, where, and what would be right.
package struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// An option's value cannot be used.
    case invalidOption
    /// A file cannot be opened or read.
    case unreadableFile
    /// A workload's folder cannot be written.
    case unwritableFolder
    /// A feed's text is not what its name promises.
    case damagedFeed
    /// A payload cannot be decoded.
    case damagedPayload
    /// A workload's folder lacks something or holds what this version does not know.
    case damagedArchive
  }

  package var code: Code
  package var message: String
  /// The option that is wrong, with its dashes.
  package var option: String?
  package var path: String?
  /// Counted from 1.
  package var line: Int?

  package init(_ code: Code, _ message: String, option: String? = nil, path: String? = nil, line: Int? = nil) {
    self.code = code
    self.message = message
    self.option = option
    self.path = path
    self.line = line
  }

  /// One line: `path:line: message`, with what is known of the place.
  package var description: String {
    guard let path else { return message }
    guard let line else { return "\(path): \(message)" }
    return "\(path):\(line): \(message)"
  }
}
