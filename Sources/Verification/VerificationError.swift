/// Why a store cannot be read: there is no such file, or a table or column is missing, or the file is damaged.
package struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package var path: String
  /// SQLite's extended result code.
  package var code: Int32
  /// The statement that failed.
  package var sql: String?

  init(message: String, path: String, code: Int32, sql: String? = nil) {
    self.message = message
    self.path = path
    self.code = code
    self.sql = sql
  }

  package var description: String {
    "\(path): \(message)" + (sql.map { " (in \($0))" } ?? "")
  }
}
