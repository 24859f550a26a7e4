import ContextEngine
import Foundation

/// What one transaction does to the files beside a store: new ones are written as their rows are, those that lose their
/// reference are removed after the commit, and after a rollback there is what was there before.
///
/// Used by one thread, with the writer's connection.
final class ExternalChanges {
  let storage: ExternalStorage
  private let identifier: String
  /// Files of the row that is being written: not there yet.
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

  /// What a column gets for a value; a value without a file of the row's own gets one.
  ///
  /// - Parameter reference: the file that the column refers to now, which goes if the value is another.
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

  /// Takes note that the references of a row's slots are gone with the commit.
  func drop(_ references: [Int: String]) {
    obsolete += references.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The same for one.
  func drop(_ reference: String?) {
    if let reference { obsolete.append(reference) }
  }

  /// Writes the files of the row that was just written.
  func rowWasWritten() throws(PersistenceError) {
    for (name, value) in queued {
      let bytes = try value.bytes()
      // Noted first: of a file that fails a part may be left.
      written.append((name, value))
      try storage.write(bytes, named: name)
    }
    queued.removeAll()
  }

  /// Forgets the files of a row that was not written.
  func rowWasLeftOut() { queued.removeAll() }

  /// Makes sure that what the commit refers to outlasts it.
  func prepareToCommit() throws(PersistenceError) {
    if !written.isEmpty { try storage.syncFolder() }
  }

  func committed() {
    for (name, value) in written { storage.settle(value, named: name) }
    if !obsolete.isEmpty { storage.remove(obsolete) }
  }

  func rolledBack() {
    storage.takeBack(written.map(\.name))
  }
}
