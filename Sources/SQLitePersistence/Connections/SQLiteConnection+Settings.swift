import ContextEngine
import MachineCore

extension SQLiteConnection {
  /// The number of pages in the write-ahead log after which a commit copies the log into the database before it
  /// returns. This is SQLite's default, set explicitly.
  private static let checkpointInterval = 1_000

  /// Sets the properties that a file keeps permanently. Must be called before the first page is written; switching to a
  /// write-ahead log writes it.
  func configureNewFile(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    // The PRAGMAs below may write, so the syncs are configured first.
    try configureSyncs(configuration)
    try executeOnce("PRAGMA page_size = 4096")
    try executeOnce("PRAGMA auto_vacuum = 2")
    try executeOnce("PRAGMA encoding = 'UTF-8'")
  }

  /// Applies the settings that each connection has for itself.
  ///
  /// - Throws: `.storeOpen` if the file refuses the journal mode.
  func configure(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    // Changing the journal mode writes, so the syncs are configured first.
    try configureSyncs(configuration)
    let wanted = configuration.journalMode.rawValue
    let journalMode = try setJournalMode(wanted, busyLimit: configuration.busyLimit)
    guard journalMode == wanted else {
      throw PersistenceError(
        .storeOpen, "the store cannot use journal mode \(wanted); it uses \(journalMode)", path: path)
    }
    try executeOnce("PRAGMA recursive_triggers = 1")
    try executeOnce("PRAGMA wal_autocheckpoint = \(Self.checkpointInterval)")
    // The limit belongs to the connection, not to the file.
    if let limit = configuration.maximumPageCount { try executeOnce("PRAGMA max_page_count = \(limit)") }
  }

  /// Applies the settings for syncs of what the connection writes.
  private func configureSyncs(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    try executeOnce("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    try executeOnce("PRAGMA fullfsync = \(configuration.fullfsync ? 1 : 0)")
    try executeOnce("PRAGMA checkpoint_fullfsync = \(configuration.fullfsync ? 1 : 0)")
  }

  /// Sets the journal mode and returns the one that the file then has.
  ///
  /// The call is retried while the file is busy. SQLite does not call the busy handler if two connections that read
  /// both need the file exclusively, for example when two stores are created at one path at the same time.
  private func setJournalMode(_ wanted: String, busyLimit: TimeSpan) throws(PersistenceError) -> String {
    let deadline = machine.now + busyLimit
    var journalMode = ""
    while true {
      do throws(PersistenceError) {
        try executeOnce(
          "PRAGMA journal_mode = \(wanted)",
          row: { statement in journalMode = String(decoding: statement.column(0).text, as: UTF8.self) })
        return journalMode
      } catch {
        guard error.code == .busy, machine.now < deadline else { throw error }
        machine.wait(until: machine.now + .milliseconds(1))
      }
    }
  }
}
