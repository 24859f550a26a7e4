import ContextEngine

/// Reads rows of an entity and its subentities from a statement that an `EntityTable` made.
///
/// If entities share the table, the first column has the number of each row's entity, and the row is read as one of
/// that entity.
// This is a class because each fault takes a reader from its store, and copying a structure would count six references.
final class TableReader: Sendable {
  private let table: EntityTable
  /// The reader for rows of the entity itself.
  private let own: RowReader
  /// The readers for rows of each entity that can occur, by its number. Empty if the table is not shared.
  private let readers: [Int64: RowReader]

  /// The index of the first column, which is `Z_ENT` if entities share the table.
  private static let entityColumn: Int32 = 0

  /// Creates a reader of the rows of a statement.
  ///
  /// - Parameters:
  ///   - table: the table that made the statement.
  ///   - slots: the slots of the table's entity that the statement selects, normalised by the table.
  ///   - includesSubentities: true if the statement selects rows of subentities too.
  ///   - entityIndexes: the indexes of the model's entities by their numbers in the file.
  ///   - external: the store's external files, or nil if no attribute allows them.
  init(
    _ table: EntityTable, slots: SlotSet, includesSubentities: Bool = true, entityIndexes: [Int64: Int],
    external: ExternalStorage?
  ) {
    self.table = table
    var next = RowReader.firstSlotColumn
    // The columns of each slot in the SELECT. An entity shares these places with its subentities.
    var placesByEntity: [Int: [Int32?]] = [:]
    let members = includesSubentities ? table.members : [table.members[0]]
    let readers = members.map { member in
      // The table's own entity comes first and has no places to inherit.
      var places = member.entity.superentity.flatMap { placesByEntity[$0.index] } ?? []
      for slot in places.count..<member.columns.count {
        let columnCount = member.columns[slot].names.count
        let isSelected = slots.isAll || slot < table.columns.count && slots.contains(slot)
        places.append(isSelected && columnCount > 0 ? next : nil)
        if isSelected { next += Int32(columnCount) }
      }
      placesByEntity[member.entity.index] = places
      return RowReader(
        member, in: table.name, slots: slots, places: places, entityIndexes: entityIndexes, external: external)
    }
    own = readers[0]
    self.readers = table.isShared ? Dictionary(uniqueKeysWithValues: zip(members.map(\.number), readers)) : [:]
  }

  /// Returns all rows of the statement, in its order. O(rows · slots).
  func rows(of statement: SQLiteStatement, events: SQLiteConnectionEvents) throws(PersistenceError) -> [StoreRow] {
    guard table.isShared else { return try own.rows(of: statement, events: events) }
    var rows: [StoreRow] = []
    var bytes = 0
    defer {
      events.rowsStepped += rows.count
      events.bytesStepped += bytes
    }
    while try statement.step() {
      let number = statement.column(Self.entityColumn).integer
      // The row is of an entity outside this family, so the family has no object with the requested key.
      guard let reader = readers[number] else { continue }
      rows.append(try reader.storeRow(of: statement, bytes: &bytes))
    }
    return rows
  }

  /// Returns the statement's current row, or nil if the row is of another entity. Adds the size of its values to
  /// `bytes`.
  func row(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> Row? {
    if table.isShared, statement.column(Self.entityColumn).integer != table.number { return nil }
    return try own.row(of: statement, bytes: &bytes)
  }
}
