import ContextEngine
import Foundation

// Support for external files in batch requests.

extension SQLiteStore {
  /// Binds the values of a row of a batch insert. A value that the row does not set is stored inside the row regardless
  /// of its length, since an existing row that the insert updates keeps its own value.
  func bind(
    _ row: BatchSource.Row, key: Int64, of table: EntityTable, to statement: SQLiteStatement,
    external: ExternalChanges?
  ) throws(PersistenceError) {
    try bind(slots: .all, of: table, to: statement, from: 4, value: { row.values[$0] }) {
      (slot, parameter) throws(PersistenceError) in
      let limit = row.slots.contains(slot) ? configuration.externalDataLimit : Int.max
      try bindExternal(
        ExternalValue(row.values[slot], limit: limit), at: .init(table: table, key: key, slot: slot, version: 1),
        insteadOf: nil, external: external, to: statement, at: parameter)
    }
  }

  /// Returns the external files of existing rows that a row of a batch insert may update, by key and slot. Only the
  /// slots that the row sets are included.
  ///
  /// Existing rows are those that have the row's values under at least one uniqueness constraint. The result is empty,
  /// without a SELECT, if the insert does not update, the row sets no external slot or the entity has no constraints.
  func replacedReferences(
    by row: BatchSource.Row, in insertion: StoreBatchInsertion, of table: EntityTable, on connection: SQLiteConnection
  ) throws(PersistenceError) -> [Int64: [Int: String]] {
    let constraints = table.entity.uniquenessConstraints
    guard insertion.conflictRule == .update, !table.externalSlots.isDisjoint(with: row.slots), !constraints.isEmpty
    else {
      return [:]
    }
    let conditions = constraints.map { constraint in
      constraint.map { "\(table.columns[table.entity.path($0).slot].name) = ?" }.joined(separator: " AND ")
    }
    let statement = try connection.statement(
      "SELECT Z_PK FROM \(table.name) WHERE \(conditions.map { "(\($0))" }.joined(separator: " OR "))")
    defer { statement.finish() }
    for (offset, name) in constraints.joined().enumerated() {
      try statement.bind(row.values[table.entity.path(name).slot], at: Int32(offset + 1))
    }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.column(0).integer) }
    return try externalReferences(of: keys, in: table, slots: row.slots, connection)
  }

  /// Returns the value that a batch update binds for a column that may refer to an external file. It is null for a long
  /// value, since each row then gets its own file by `writeExternalData`.
  func externalConstant(_ value: Value) -> Value {
    switch ExternalValue(value, limit: configuration.externalDataLimit) {
    case .none, .file: .null
    case .inline(let bytes): .binary(Data(ExternalReference.column(inline: bytes)))
    }
  }

  /// Writes an external file for each long value of each row that a batch update has changed, and schedules the rows'
  /// previous files for removal.
  func writeExternalData(
    of update: StoreBatchUpdate, objectIDs: [ObjectID], insteadOf references: [Int64: [Int: String]],
    external: ExternalChanges, on connection: SQLiteConnection
  ) throws(PersistenceError) {
    for objectID in objectIDs {
      external.drop(references[objectID.key] ?? [:])
      let table = table(of: objectID)
      for assignment in update.assignments where table.externalSlots.contains(assignment.slot) {
        guard case .constant(let value) = assignment.expression,
          case .file(let data) = ExternalValue(value, limit: configuration.externalDataLimit)
        else { continue }
        let place = ExternalChanges.Place(table: table, key: objectID.key, slot: assignment.slot, version: 0)
        let name = table.columns[assignment.slot].name
        let statement = try connection.statement("UPDATE \(table.name) SET \(name) = ? WHERE Z_PK = ?")
        defer { statement.finish() }
        try statement.bind(external.column(for: data, at: place, insteadOf: nil), at: 1)
        try statement.bind(objectID.key, at: 2)
        try statement.run()
        try external.rowWasWritten()
      }
    }
  }
}
