/// Why a comparison cannot be made or believed.
package struct PeerError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A subject failed: a library's error, a child that ended badly.
    case failed
    /// Two subjects were to do the same and did not.
    case disagreement
    /// What was asked for does not fit together.
    case usage
    case unwritable
  }

  package var code: Code
  /// One line: what was wrong, where, what would be right.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
