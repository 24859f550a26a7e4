import Reporting

/// A file that cannot be inspected or used.
package struct InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Code: Hashable, Sendable {
    /// The file is missing, cannot be read, or is not a file.
    case unreadable
    /// The file is empty, truncated or damaged.
    case damaged
    /// The file is of another kind than expected.
    case otherKind
    /// Another process has locked the file or writes it all the time.
    case busy
    /// The store belongs to another version of the model.
    case otherModel
    /// The copy of a store cannot be written.
    case unwritable
    /// There is no room for the copy of a store.
    case fullDisk
  }

  /// The kind of the error.
  package let code: Code
  /// The path of the file, as it was given.
  package let path: String
  /// The description of the mistake and of its remedy, without the path.
  package let message: String

  /// Creates an error.
  package init(_ code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// Creates the error for a file that cannot be read for the reason that `errno` gave.
  init(reading path: String, _ code: CInt) {
    self.init(.unreadable, path: path, message: "cannot be read: \(FileReason.text(code, at: path))")
  }

  /// Creates the error for a copy that cannot be written for the reason that `errno` gave.
  init(writing path: String, _ code: CInt) {
    self.init(
      FileReason.isFullDisk(code) ? .fullDisk : .unwritable, path: path,
      message: "cannot be written: \(FileReason.text(code, at: path))")
  }

  /// The path and the message in one line.
  package var description: String { "\(path): \(message)" }
}
