/// Why a store cannot be checked: the file cannot be opened or read, or lacks a table or column.
package struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package var path: String
  /// SQLite's extended result code.
  package var code: Int32
  /// The statement that failed.
  package var sql: String?

  package var description: String { "\(path): \(message)" }
}
