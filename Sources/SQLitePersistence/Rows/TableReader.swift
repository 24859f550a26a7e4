import ContextEngine

/// Reads rows of an entity and of those that inherit from it, from a statement that an `EntityTable` made.
///
/// Where entities share a table, each row says in its first column which one it is of, and is read as one of that entity.
// A class, since each fault takes one from its store: a copy would count six references.
final class TableReader: Sendable {
  private let table: EntityTable
  /// How to read rows of the entity itself.
  private let own: RowReader
  /// How to read rows of each entity that may come, by its number; empty where the table is not shared.
  private let readers: [Int64: RowReader]

  /// The first column: `Z_ENT` where entities share the table.
  private static let entityColumn: Int32 = 0

  /// - Parameters:
  ///   - slots: the slots of the table's entity that the statement selects, normalised by the table.
  ///   - includesSubentities: whether it selects rows of those that inherit from it too.
  ///   - entityIndexes: which entity of the model has which number in the file.
  ///   - external: the files beside the store, where attributes allow them.
  init(
    _ table: EntityTable, slots: UInt64, includesSubentities: Bool = true, entityIndexes: [Int64: Int],
    external: ExternalStorage?
  ) {
    self.table = table
    var next = RowReader.firstSlotColumn
    // The places of the columns of each slot, which those of an entity share with all that inherit from it.
    var placesByEntity: [Int: [Int32?]] = [:]
    let members = includesSubentities ? table.members : [table.members[0]]
    let readers = members.map { member in
      // None for the table's own entity, which comes first.
      var places = member.entity.superentity.flatMap { placesByEntity[$0.index] } ?? []
      for slot in places.count..<member.columns.count {
        let columnCount = member.columns[slot].names.count
        let isSelected = slots == Row.allSlots || slot < table.columns.count && slots.hasSlot(slot)
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

  /// All rows of the statement, in its order. O(rows · slots).
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
      // A row of another entity than asked for: a key that this family does not have.
      guard let reader = readers[number] else { continue }
      rows.append(try reader.storeRow(of: statement, bytes: &bytes))
    }
    return rows
  }

  /// The row that the statement stands on if it is of the very entity, else nil; adds the bytes of its values.
  func row(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> Row? {
    if table.isShared, statement.column(Self.entityColumn).integer != table.number { return nil }
    return try own.row(of: statement, bytes: &bytes)
  }
}
