import ContextEngine
import Foundation

/// The changes that one transaction makes to a store's external files.
///
/// New files are written with their rows. Files that lose their reference are removed after the commit and its sync. A
/// rollback removes the new files and keeps the old ones. Used by one thread, together with the writer's connection.
final class ExternalChanges {
  let storage: ExternalStorage
  private let identifier: String
  /// The files of the row that is being written. They have not been written yet.
  private var queued: [(name: String, value: ExternalData)] = []
  private var written: [(name: String, value: ExternalData)] = []
  private var obsolete: [String] = []

  init(_ storage: ExternalStorage, ofStore identifier: String) {
    self.storage = storage
    self.identifier = identifier
  }

  /// The place of a value in a table.
  struct Place {
    var table: EntityTable
    var key: Int64
    var slot: Int
    var version: Int64
  }

  /// Returns the bytes that a column stores for a value. Queues a new file for the value unless `reference` is already
  /// its file.
  ///
  /// `reference` is the file that the column refers to now, or nil. It is removed after the commit if the value is not
  /// stored in it.
  func column(for value: ExternalData, at place: Place, insteadOf reference: String?) -> [UInt8] {
    if let reference {
      if storage.has(value, named: reference) { return ExternalReference.column(file: reference) }
      obsolete.append(reference)
    }
    let name = storage.unusedName(
      store: identifier, table: place.table.name, key: place.key, slot: place.slot, version: place.version)
    queued.append((name, value))
    return ExternalReference.column(file: name)
  }

  /// Schedules the files that a row's slots refer to for removal after the commit.
  func drop(_ references: [Int: String]) {
    obsolete += references.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Schedules a file, if there is one, for removal after the commit.
  func drop(_ reference: String?) {
    if let reference { obsolete.append(reference) }
  }

  /// Writes the files of the row that was just written.
  func rowWasWritten() throws(PersistenceError) {
    for (name, value) in queued {
      let bytes = try value.bytes()
      // The file is recorded first, since a failed write may leave a part of it.
      written.append((name, value))
      try storage.write(bytes, named: name)
    }
    queued.removeAll()
  }

  /// Discards the queued files of a row that was not written.
  func rowWasLeftOut() { queued.removeAll() }

  /// Syncs the folder if files were written, so that the files are as durable as the commit that refers to them.
  func prepareToCommit() throws(PersistenceError) {
    if !written.isEmpty { try storage.syncFolder() }
  }

  /// Removes the files that lost their reference.
  ///
  /// Syncs the commit first unless SQLite has done so, because a power cut may otherwise bring the rows back without
  /// their files. If the sync fails, the files remain until the store is opened again.
  func committed() {
    for (name, value) in written { storage.settle(value, named: name) }
    if !obsolete.isEmpty, (try? storage.syncCommit()) != nil { storage.remove(obsolete) }
  }

  func rolledBack() {
    storage.takeBack(written.map(\.name))
  }

  /// Keeps the new files, because rows that cannot be read now may refer to them. The next opening of the store removes
  /// them if none does.
  func leaveFiles() { written.removeAll() }
}
