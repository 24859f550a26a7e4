import ContextEngine

extension PersistenceError {
  /// Creates the error for a result code of SQLite.
  init(sqliteCode: Int32, reason: String, doing what: String, sql: String? = nil, path: String) {
    let code: Code =
      switch sqliteCode & 0xff {
      case ResultCode.busy: sqliteCode == ResultCode.busySnapshot ? .busySnapshot : .busy
      case ResultCode.full: .full
      case ResultCode.notADatabase, ResultCode.corrupt: .storeIncompatible
      // This also occurs if no file can be created in the folder of the store.
      case ResultCode.cannotOpen, ResultCode.readOnly: .storeOpen
      default: .sqlite
      }
    self.init(code, "\(what) failed: \(reason)", sql: sql, sqliteCode: sqliteCode, path: path)
  }
}
