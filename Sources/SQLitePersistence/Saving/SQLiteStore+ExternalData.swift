import ContextEngine
import Foundation
import MachineCore

// Storage of values in external files. Entities whose attributes do not allow external storage are not affected.

extension SQLiteStore {
  package func externalDataLimit(for objectID: ObjectID) -> Int? {
    external == nil ? nil : configuration.externalDataLimit
  }

  /// Returns a new record of a transaction's changes to external files, or nil if no attribute of the model allows
  /// them.
  func makeExternalChanges() -> ExternalChanges? {
    external.map { ExternalChanges($0, ofStore: identifier) }
  }

  /// Returns the files to which rows of an entity refer, by key and slot. Runs one SELECT, unless no slot can refer to
  /// a file.
  func externalReferences(
    of keys: [Int64], in table: EntityTable, slots: SlotSet = .all, _ connection: SQLiteConnection
  ) throws(PersistenceError) -> [Int64: [Int: String]] {
    let slots = table.columns.indices.filter { slots.contains($0) && table.columns[$0].isExternal }
    if slots.isEmpty || keys.isEmpty { return [:] }
    let columns = slots.map { ", " + ExternalReference.sql(of: table.columns[$0].name) }.joined()
    let statement = try connection.statement(
      "SELECT Z_PK\(columns) FROM \(table.name) WHERE Z_PK IN \(SQLiteListTable.selection)")
    defer { statement.finish() }
    try statement.bind(SQLiteList(keys: keys), at: 1)
    var references: [Int64: [Int: String]] = [:]
    while try statement.step() {
      connection.events.rowsStepped += 1
      let key = statement.column(0).integer
      for (place, slot) in slots.enumerated() {
        if let name = statement.column(Int32(place + 1)).externalName { references[key, default: [:]][slot] = name }
      }
    }
    return references
  }

  /// Schedules the files of rows that are about to be deleted for removal after the commit.
  func dropExternalData(
    of objectIDs: [ObjectID], external: ExternalChanges?, on connection: SQLiteConnection
  ) throws(PersistenceError) {
    guard let external else { return }
    try forEachRun(of: objectIDs, by: { $0.entity }) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex])
      let references = try externalReferences(of: run.map(\.key), in: table, connection)
      for key in references.keys.sorted() { external.drop(references[key] ?? [:]) }
    }
  }

  /// Binds the bytes that a column with external storage holds for a value, or NULL. Records the changes to files.
  func bindExternal(
    _ value: ExternalValue, at place: ExternalChanges.Place, insteadOf reference: String?,
    external: ExternalChanges?, to statement: SQLiteStatement, at parameter: Int32
  ) throws(PersistenceError) {
    switch value {
    case .none:
      external?.drop(reference)
      try statement.bindNull(at: parameter)
    case .inline(let bytes):
      external?.drop(reference)
      try statement.bind(ExternalReference.column(inline: bytes), at: parameter)
    case .file(let data):
      guard let external else { trapMisuse("a store whose model has no external storage received an external value") }
      try statement.bind(external.column(for: data, at: place, insteadOf: reference), at: parameter)
    }
  }
}

/// The value of a slot whose attribute allows external storage.
enum ExternalValue {
  case none
  case inline(Data)
  case file(ExternalData)

  init(_ row: Row, at slot: Int) {
    if let data = row.externalData(at: slot) {
      self = .file(data)
    } else if case .binary(let bytes) = row.value(at: slot) {
      self = .inline(bytes)
    } else {
      self = .none
    }
  }

  /// Creates the form of a value as it was set. Binary data with more than `limit` bytes gets a
  /// file; a value that is not binary data has the form `none`.
  init(_ value: Value, limit: Int) {
    guard case .binary(let bytes) = value else {
      self = .none
      return
    }
    self = bytes.count > limit ? .file(ExternalData(bytes)) : .inline(bytes)
  }
}
