/// An error about a feed that cannot be read.
///
/// One sentence says what is wrong and what would be right. The other properties say where it is wrong.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of reading that failed.
  public enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read, or is not a file with contents that can be read twice.
    case unreadable
    /// The file is empty, or holds no records.
    case empty
    /// The text is not UTF-8.
    case encoding
    /// The text is not JSON.
    case syntax
    /// The text is JSON, but a value in it cannot be kept, such as a number that is too large for a double.
    case value
    /// A record is larger or nested more deeply than the limits allow, or has too many members.
    case limit
    /// The text is JSON, but has no records where they are expected.
    case shape
  }

  /// The part of reading that failed.
  public var code: Code
  /// The sentence that says what is wrong, with the column and the record if they are known.
  public var message: String
  /// The path of the file.
  public var path: String
  /// The number of the line, counted from 1, or nil if the error is not at a place in the text.
  public var line: Int?
  /// The number of the character in its line, counted from 1, or nil if the text ends too early or the error is not at
  /// a place in the text.
  public var column: Int?
  /// The offset of the error in the file, in bytes from 0, or nil if the error is not at a place in the text.
  public var offset: Int?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The part of reading that failed.
  ///   - message: A sentence that says what is wrong and what would be right.
  ///   - path: The path of the file.
  ///   - line: The number of the line, counted from 1.
  ///   - column: The number of the character in its line, counted from 1.
  ///   - offset: The offset of the error in the file, in bytes from 0.
  public init(
    _ code: Code, _ message: String, path: String, line: Int? = nil, column: Int? = nil, offset: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// The message in one line, after the path and the number of the line.
  public var description: String {
    guard let line else { return "\(path): \(message)" }
    return "\(path):\(line): \(message)"
  }
}
