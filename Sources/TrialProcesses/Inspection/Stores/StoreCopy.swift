import Glibc
import OutputFiles

/// A private copy of a store as it was at one moment, including the rows that are only in its write-ahead log.
///
/// The original is only read: no byte of it changes and no file appears in its folder. Another process may write the
/// store during the copy. The copy is then one of the states between that process's transactions.
///
/// A shared lock keeps a database with a rollback journal as it is. With a write-ahead log the copy is consistent for
/// another reason: pages of the log move into the database only after they were committed, and the log is copied after
/// the database. The copied log thus has every page that the copied database may have received too early, unless the
/// log was begun anew during the copy. The header of the log shows that, and the copy is then made again.
package struct StoreCopy {
  /// The path of the original, as it was given.
  package let origin: String
  /// The path of the copied database.
  package let path: String
  /// The number of bytes of the original database and of its write-ahead log.
  package let databaseByteCount: Int
  package let logByteCount: Int
  /// The paths of the original's files.
  let original: StoreFiles

  /// The text with which every SQLite database begins.
  static let signature = Array("SQLite format 3\0".utf8)
  private static let headerByteCount = 100
  /// The message for a file without that text.
  static let notADatabase =
    "is not an SQLite database: it does not begin with \"SQLite format 3\"; it is encrypted, damaged or another kind "
    + "of file"

  /// The time between two attempts in microseconds.
  private static let pause: UInt32 = 50_000
  /// The number of attempts to lock the store, which take about five seconds.
  private static let lockAttemptCount = 100
  /// The number of copies that are made of a store that changes during the copy.
  private static let copyAttemptCount = 10

  /// Copies a store. Blocks for up to five seconds while other processes write it.
  ///
  /// - Parameters:
  ///   - origin: The path of the store.
  ///   - folder: An existing folder for the copy.
  ///   - name: The name of the copied database, which the folder does not have yet.
  /// - Throws: `FileError`. The folder then contains no file of the copy.
  package init(of origin: String, in folder: String, named name: String = "copy.sqlite") throws(FileError) {
    let files = try StoreFiles(ofStoreAt: origin)
    let copy = StoreFiles(database: "\(folder)/\(name)")
    let counts = try Self.copyWhenConsistent(files, named: origin, to: copy)
    self.origin = origin
    path = copy.database
    original = files
    databaseByteCount = counts.database
    logByteCount = counts.log
  }

  private static func copyWhenConsistent(
    _ files: StoreFiles, named origin: String, to copy: StoreFiles
  ) throws(FileError) -> (database: Int, log: Int) {
    var lockAttempts = 0
    var copyAttempts = 0
    while lockAttempts < lockAttemptCount, copyAttempts < copyAttemptCount {
      if lockAttempts + copyAttempts > 0 { usleep(pause) }
      do {
        switch try Attempt(files, named: origin).copy(to: copy) {
        case .copied(let database, let log): return (database, log)
        case .locked: lockAttempts += 1
        case .changed: copyAttempts += 1
        }
      } catch {
        remove(copy)
        throw error
      }
      remove(copy)
    }
    throw FileError(
      .busy, path: origin,
      message: copyAttempts < copyAttemptCount
        ? "is locked by another process; end the app that writes it, or copy the file while it is not in use"
        : "changes faster than it can be copied; end the app that writes it, or wait until it is idle")
  }

  static func remove(_ copy: StoreFiles) {
    for file in [copy.database, copy.log, copy.journal, copy.index] { unlink(file) }
  }

  /// Checks that a file begins as an SQLite database does.
  ///
  /// - Throws: `FileError` with code `malformed` or `otherKind` if it does not.
  fileprivate static func check(_ file: SourceFile, named origin: String) throws(FileError) {
    let header = try file.prefix(headerByteCount)
    guard !header.isEmpty else {
      throw FileError(
        .malformed, path: origin, message: "is empty; use the file of a store that Core Data has saved")
    }
    guard header.starts(with: signature) else {
      throw FileError(.otherKind, path: origin, message: notADatabase)
    }
    guard header.count == headerByteCount else {
      throw FileError(
        .malformed, path: origin,
        message: "is truncated: it has \(header.count) bytes, and the header of a database has \(headerByteCount)")
    }
  }
}

/// One attempt to copy a store's files.
private struct Attempt {
  private let origin: String
  private let files: StoreFiles
  private let database: SourceFile
  private let index: SourceFile?

  enum Outcome {
    case copied(database: Int, log: Int)
    case locked
    /// The files changed in a way that makes the copy inconsistent.
    case changed
  }

  init(_ files: StoreFiles, named origin: String) throws(FileError) {
    self.origin = origin
    self.files = files
    do {
      database = try SourceFile(files.database)
    } catch {
      throw FileError(error.code, path: origin, message: error.message)
    }
    // An index that cannot be opened only means that checkpoints are not locked out.
    index = try? SourceFile.ifPresent(files.index)
  }

  func copy(to copy: StoreFiles) throws(FileError) -> Outcome {
    try StoreCopy.check(database, named: origin)
    guard StoreLocks.lockDatabase(database) else { return .locked }
    // If a process is copying the log into the database, the lock fails. The header of the log then shows whether that
    // matters.
    if let index { _ = StoreLocks.lockCheckpoints(index) }
    let before = try LogState(files.log)
    let version = try database.version()
    try database.copy(to: copy.database)
    _ = try copyIfPresent(files.journal, to: copy.journal)
    let log = try copyIfPresent(files.log, to: copy.log)
    let after = try LogState(files.log)
    guard before == after, database.isInPlace() else { return .changed }
    // The time of the last write is the only sign of a change if there is neither a log nor a lock.
    if before.header.isEmpty, try database.version() != version { return .changed }
    return .copied(database: version.size, log: log)
  }

  /// Copies a file if it exists and is not empty, and returns its size.
  private func copyIfPresent(_ path: String, to target: String) throws(FileError) -> Int {
    guard let file = try SourceFile.ifPresent(path), try file.size() > 0 else { return 0 }
    try file.copy(to: target)
    return try file.size()
  }
}

/// The state of a write-ahead log that changes when the log is begun anew.
private struct LogState: Equatable {
  /// The header of the log, which has a random number that each new beginning changes, or an empty array if there is no
  /// log.
  let header: [UInt8]

  private static let headerByteCount = 32

  init(_ path: String) throws(FileError) {
    let bytes = try SourceFile.ifPresent(path)?.prefix(Self.headerByteCount) ?? []
    header = bytes.count == Self.headerByteCount ? bytes : []
  }
}
