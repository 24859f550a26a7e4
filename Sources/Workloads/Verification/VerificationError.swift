/// An error that is thrown if a store or a feed cannot be read or checked.
///
/// For example, the file does not exist, a table or column is missing, the file is damaged, or a feed's values differ
/// from those of its payloads.
package struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package var path: String
  /// SQLite's result code, extended if a statement failed, or 0 if the error does not come from SQLite.
  package var code: Int32
  /// The statement that failed, or nil if no statement did.
  package var sql: String?

  /// Creates an error.
  package init(message: String, path: String, code: Int32, sql: String? = nil) {
    self.message = message
    self.path = path
    self.code = code
    self.sql = sql
  }

  package var description: String {
    "\(path): \(message)" + (sql.map { " (in \($0))" } ?? "")
  }
}
