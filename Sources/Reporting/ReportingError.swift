/// A results file that cannot be written or read.
package struct ReportingError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The folder or file cannot be written.
    case unwritable
    /// The file is missing or cannot be read.
    case unreadable
    /// The file is not what it should be.
    case malformed
    /// The file is in a form of a later version.
    case newerSchema
  }

  package let code: Code
  package let path: String
  /// Counted from 1, where one line is to blame.
  package let line: Int?
  package let message: String

  package init(_ code: Code, path: String, line: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.line = line
    self.message = message
  }

  /// One line: where, and what was wrong.
  package var description: String {
    line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}
