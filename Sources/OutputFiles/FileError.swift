/// A file or folder that cannot be written or read.
package struct FileError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The folder or file cannot be written.
    case unwritable
    /// The file system has no room for the file.
    case fullDisk
    /// The new files are in place, but the earlier ones cannot be moved away.
    case earlierLeft
    /// Another process writes to the file or folder, or has locked it.
    case busy
    /// The file is missing, cannot be read, or is not a file.
    case unreadable
    /// The file is damaged, or has other contents than expected.
    case malformed
    /// The file is of another kind than expected.
    case otherKind
    /// The store belongs to another version of the model.
    case otherModel
    /// The file is in a form of a later version.
    case newerSchema
  }

  package let code: Code
  package let path: String
  /// The number of the line with the fault, counted from 1, or nil if the fault is not in a single line.
  package let line: Int?
  package let message: String

  package init(_ code: Code, path: String, line: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.line = line
    self.message = message
  }

  /// Creates the error for a file that cannot be written for the reason that `errno` gave.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - what: The part of the message that says what cannot be done, as in "cannot be written".
  ///   - code: The value of `errno`.
  package init(writing path: String, what: String = "cannot be written", _ code: CInt) {
    self.init(
      FileReason.isFullDisk(code) ? .fullDisk : .unwritable, path: path,
      message: "\(what): \(FileReason.text(code, at: path))")
  }

  /// Creates the error for a file that cannot be read for the reason that `errno` gave.
  package init(reading path: String, _ code: CInt) {
    self.init(.unreadable, path: path, message: "cannot be read: \(FileReason.text(code, at: path))")
  }

  /// The place and the message in one line.
  package var description: String {
    line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}
