/// The reason for which a comparison cannot be made or is not valid.
package struct PeerError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A subject failed: a library's error, a child that ended badly.
    case failed
    /// Two subjects did different work in one case.
    case disagreement
    /// The options do not fit together.
    case usage
    case unwritable
  }

  package var code: Code
  /// One line with the mistake, its place and its correction.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
