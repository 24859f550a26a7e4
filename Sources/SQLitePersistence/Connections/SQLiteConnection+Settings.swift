import ContextEngine
import MachineCore

extension SQLiteConnection {
  /// Pages of the write-ahead log after which a commit copies it into the database, before it returns: SQLite's
  /// default, said aloud.
  private static let checkpointInterval = 1_000

  /// Chooses what a file keeps for ever, before its first page is written; switching to a write-ahead log writes it.
  func configureNewFile(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    // These write already.
    try configureSyncs(configuration)
    try executeOnce("PRAGMA page_size = 4096")
    try executeOnce("PRAGMA auto_vacuum = 2")
    try executeOnce("PRAGMA encoding = 'UTF-8'")
  }

  /// Sets what each connection chooses for itself.
  ///
  /// - Throws: `.storeOpen` where the file refuses the journal mode.
  func configure(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    // Before the journal mode: to choose another one writes.
    try configureSyncs(configuration)
    let wanted = configuration.journalMode.rawValue
    let journalMode = try setJournalMode(wanted, busyLimit: configuration.busyLimit)
    guard journalMode == wanted else {
      throw PersistenceError(
        .storeOpen, "the store cannot use journal mode \(wanted); it stays with \(journalMode)", path: path)
    }
    try executeOnce("PRAGMA recursive_triggers = 1")
    try executeOnce("PRAGMA wal_autocheckpoint = \(Self.checkpointInterval)")
    // Kept by the connection, not by the file.
    if let limit = configuration.maximumPageCount { try executeOnce("PRAGMA max_page_count = \(limit)") }
  }

  /// Chooses how the connection syncs what it writes.
  private func configureSyncs(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) {
    try executeOnce("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    try executeOnce("PRAGMA fullfsync = \(configuration.fullfsync ? 1 : 0)")
    try executeOnce("PRAGMA checkpoint_fullfsync = \(configuration.fullfsync ? 1 : 0)")
  }

  /// Sets the journal mode and returns the one that the file then has.
  ///
  /// Tries again while the file is busy: SQLite does not ask the busy handler where two connections that read both want
  /// the file for themselves, as when two stores are made on one path at the same time.
  private func setJournalMode(_ wanted: String, busyLimit: Span) throws(PersistenceError) -> String {
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
