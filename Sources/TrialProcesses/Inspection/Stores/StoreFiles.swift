import Foundation
import Glibc
import OutputFiles

/// The paths of the files that make up a store.
struct StoreFiles: Hashable {
  /// The database.
  let database: String

  /// Creates the paths of the store at a path. A link is followed, as SQLite does, so that the log is found next to the
  /// file to which it leads.
  ///
  /// - Throws: `FileError` with code `unreadable` if there is no file.
  init(ofStoreAt path: String) throws(FileError) {
    guard let real = realpath(path, nil) else { throw FileError(reading: path, errno) }
    defer { free(real) }
    database = String(cString: real)
  }

  /// Creates the paths of a store whose database is at a path without links.
  init(database: String) {
    self.database = database
  }

  /// The write-ahead log.
  var log: String { database + "-wal" }
  /// The index of the write-ahead log, through which processes share the log.
  var index: String { database + "-shm" }
  /// The rollback journal.
  var journal: String { database + "-journal" }

  /// The folder with the values that the store keeps in separate files.
  var externalFolder: String { supportFolder + "/_EXTERNAL_DATA" }

  /// The folder in which Core Data keeps the other data of the store.
  var supportFolder: String {
    let file = URL(fileURLWithPath: database)
    let name = ".\(file.deletingPathExtension().lastPathComponent)_SUPPORT"
    return file.deletingLastPathComponent().appendingPathComponent(name).path
  }
}
