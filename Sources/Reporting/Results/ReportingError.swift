/// A results file that cannot be written or read.
package struct ReportingError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The folder or file cannot be written.
    case unwritable
    /// There is no room for the file.
    case fullDisk
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

  /// The error for a file that cannot be written for the reason that `errno` gave.
  ///
  /// - Parameter what: What cannot be done, as "cannot be written".
  package init(writing path: String, what: String = "cannot be written", _ code: CInt) {
    self.init(
      FileReason.isFullDisk(code) ? .fullDisk : .unwritable, path: path,
      message: "\(what): \(FileReason.text(code, at: path))")
  }

  /// One line: where, and what was wrong.
  package var description: String {
    line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}
