import ContextEngine
import Foundation

/// Reads rows of one entity from a statement that selects key, version and some of its slots.
struct RowReader: Sendable {
  private let entity: EntityDescription
  private let tableName: String
  private let tableColumns: [EntityTable.Column]
  private let slots: UInt64
  private let columns: [Column]
  /// The columns whose values are longer than a word.
  private let longColumns: [Column]
  /// The index of the entity that has a number in the file; empty where no to-one relationship asks for it.
  private let entityIndexes: [Int64: Int]
  /// What slots hold that are in no column, one for each slot; empty where there are none.
  private let transientValues: [Value]
  /// The files beside the store, where attributes allow them.
  private let external: ExternalStorage?

  /// How to read a slot; trivial, since it is looked at for every value.
  private struct Column: Sendable {
    /// The place in the SELECT; none = the slot is not read.
    let index: Int32?
    let decoding: Decoding
    let destination: Int32
  }

  private enum Decoding: UInt8 {
    case integer
    case double
    case boolean
    case date
    case toOne
    /// The key of an object of one of several entities; the next column says of which.
    case polymorphicToOne
    // From here on, what is longer than a word.
    case string
    case decimal
    case binary
    /// Binary data that may lie in a file beside the store, with a reference in its place.
    case external
    case uuid
    case uri

    var isLong: Bool { rawValue >= Self.string.rawValue }
  }

  /// The columns before the slots: 0, key, version.
  static let keyColumn: Int32 = 1
  private static let versionColumn: Int32 = 2
  static let firstSlotColumn: Int32 = 3

  /// - Parameters:
  ///   - slots: the slots that the statement selects, normalised by the table.
  ///   - places: the column of each slot in the SELECT; none = the slot is not read.
  init(
    _ member: EntityTable.Member, in tableName: String, slots: UInt64, places: [Int32?], entityIndexes: [Int64: Int],
    external: ExternalStorage?
  ) {
    entity = member.entity
    tableColumns = member.columns
    self.tableName = tableName
    self.slots = slots
    columns = zip(member.entity.slots, places).map { description, index in
      switch description {
      case .attribute(let attribute):
        Column(
          index: index, decoding: attribute.mayBeExternal ? .external : Self.decoding(of: attribute.type),
          destination: 0)
      case .toOne(let relationship):
        Column(
          index: index, decoding: relationship.isPolymorphic ? .polymorphicToOne : .toOne,
          destination: Int32(relationship.destination))
      }
    }
    self.external = external
    longColumns = columns.filter { $0.index != nil && $0.decoding.isLong }
    transientValues =
      member.columns.allSatisfy(\.isStored)
      ? []
      : member.entity.slots.map { slot in
        if case .attribute(let attribute) = slot, attribute.isTransient {
          attribute.stored(attribute.defaultValue)
        } else {
          .null
        }
      }
    self.entityIndexes = columns.contains { $0.decoding == .polymorphicToOne } ? entityIndexes : [:]
  }

  private static func decoding(of type: AttributeType) -> Decoding {
    switch type {
    case .integer16, .integer32, .integer64: .integer
    case .decimal: .decimal
    case .double, .float: .double
    case .boolean: .boolean
    case .date: .date
    case .string: .string
    case .binary, .transformable: .binary
    case .uuid: .uuid
    case .uri: .uri
    }
  }

  /// All rows of the statement, in its order. O(rows · slots).
  func rows(of statement: SQLiteStatement, events: SQLiteConnectionEvents) throws(PersistenceError) -> [StoreRow] {
    var rows: [StoreRow] = []
    var bytes = 0
    defer {
      events.rowsStepped += rows.count
      events.bytesStepped += bytes
    }
    while try statement.step() {
      rows.append(try storeRow(of: statement, bytes: &bytes))
    }
    return rows
  }

  /// The row that the statement stands on with its identity; adds the bytes of its values.
  func storeRow(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> StoreRow {
    let row = try row(of: statement, bytes: &bytes)
    let key = statement.column(Self.keyColumn).integer
    return StoreRow(objectID: ObjectID(entity: entity.index, key: key), row: row)
  }

  /// The row that the statement stands on; adds the bytes of its values.
  func row(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> Row {
    var row = Row(
      version: statement.column(Self.versionColumn).integer, slots: slots, slotCount: columns.count,
      byteCapacity: longByteCount(statement))
    for slot in columns.indices {
      let column = columns[slot]
      guard let index = column.index else {
        if !transientValues.isEmpty { row.set(transientValues[slot], at: slot) }
        continue
      }
      guard read(statement, index, column, into: &row, at: slot, bytes: &bytes) else {
        throw wrongStorage(at: slot, statement)
      }
    }
    return row.shared()
  }

  /// How many bytes the values take that are longer than a word, at most.
  @inline(__always)
  private func longByteCount(_ statement: SQLiteStatement) -> Int {
    var count = 0
    for column in longColumns {
      guard let index = column.index else { continue }
      count += column.decoding == .decimal ? MemoryLayout<Decimal>.size : statement.column(index).longByteCount
    }
    return count
  }

  /// Puts a column into a slot. False where it holds something that the slot cannot.
  @inline(__always)
  private func read(
    _ statement: SQLiteStatement, _ index: Int32, _ column: Column, into row: inout Row, at slot: Int,
    bytes: inout Int
  ) -> Bool {
    let read = statement.column(index)
    let storageClass = read.storageClass
    if storageClass == ColumnValue.StorageClass.null { return true }
    let isInteger = storageClass == ColumnValue.StorageClass.integer
    switch column.decoding {
    case .string:
      guard storageClass == ColumnValue.StorageClass.text else { return false }
      let text = read.text
      bytes += text.count
      row.setText(UnsafeRawBufferPointer(text), at: slot)
      return true
    case .integer:
      row.setInteger(read.integer, at: slot)
    case .boolean:
      row.setBoolean(read.integer != 0, at: slot)
    case .toOne:
      row.setObject(ofEntity: column.destination, key: read.integer, at: slot)
    case .polymorphicToOne:
      guard isInteger, let object = objectID(of: read, behind: index, column, statement) else { return false }
      row.set(.object(object), at: slot)
      bytes += 8
    case .double, .date:
      // A whole number in a column that prefers numbers is stored as an integer.
      guard isInteger || storageClass == ColumnValue.StorageClass.float else { return false }
      row.setDouble(read.double, isDate: column.decoding == .date, at: slot)
      bytes += 8
      return true
    case .external:
      return readExternal(read, into: &row, at: slot, bytes: &bytes)
    case .decimal, .binary, .uuid, .uri:
      guard let value = decodeLonger(read, column.decoding, bytes: &bytes) else { return false }
      row.set(value, at: slot)
      return true
    }
    bytes += 8
    return isInteger
  }

  /// The types that are rare; bytes count as they are stored.
  private func decodeLonger(_ read: ColumnValue, _ decoding: Decoding, bytes: inout Int) -> Value? {
    let storageClass = read.storageClass
    let isText = storageClass == ColumnValue.StorageClass.text
    let isBlob = storageClass == ColumnValue.StorageClass.blob
    // Asked for first: SQLite makes text of a number that is asked for its bytes.
    let decimal = decoding == .decimal ? DecimalForm.decimal(in: read) : nil
    bytes += isText ? read.text.count : isBlob ? read.bytes.count : 8
    switch decoding {
    case .decimal: return decimal.map(Value.decimal)
    case .uri: return isText ? URL(string: String(decoding: read.text, as: UTF8.self)).map(Value.uri) : nil
    case .binary: return isBlob ? .binary(Data(read.bytes)) : nil
    case .uuid:
      guard isBlob, read.bytes.count == MemoryLayout<uuid_t>.size else { return nil }
      return .uuid(UUID(uuid: read.bytes.loadUnaligned(as: uuid_t.self)))
    default: return nil
    }
  }

  /// Puts a value, or what stands for its file, into a slot.
  private func readExternal(_ read: ColumnValue, into row: inout Row, at slot: Int, bytes: inout Int) -> Bool {
    guard read.storageClass == ColumnValue.StorageClass.blob else { return false }
    bytes += read.bytes.count
    switch read.externalContent {
    case .inline(let data): row.set(.binary(data), at: slot)
    case .file(let name):
      guard let external else { return false }
      row.set(external.value(named: name), at: slot)
    case nil: return false
    }
    return true
  }

  /// The object behind a key, of the entity whose number is in the next column; nil where the model has no such entity.
  private func objectID(
    of key: ColumnValue, behind index: Int32, _ column: Column, _ statement: SQLiteStatement
  ) -> ObjectID? {
    let number = statement.column(index + 1)
    // A key without a number is one of the relationship's own destination.
    if number.storageClass == ColumnValue.StorageClass.null {
      return ObjectID(entity: Int(column.destination), key: key.integer)
    }
    return entityIndexes[number.integer].map { ObjectID(entity: $0, key: key.integer) }
  }

  private func wrongStorage(at slot: Int, _ statement: SQLiteStatement) -> PersistenceError {
    let key = statement.column(Self.keyColumn).integer
    if columns[slot].decoding == .polymorphicToOne, let index = columns[slot].index,
      statement.column(index).storageClass == ColumnValue.StorageClass.integer
    {
      return PersistenceError(
        .storeIncompatible,
        "the row with key \(key) of table \(tableName) refers to an object of entity number "
          + "\(statement.column(index + 1).integer), which the model does not have",
        objectIDs: [ObjectID(entity: entity.index, key: key)], sql: statement.sql, path: statement.path)
    }
    if columns[slot].decoding == .external, let index = columns[slot].index,
      statement.column(index).storageClass == ColumnValue.StorageClass.blob
    {
      return PersistenceError(
        .storeIncompatible,
        "column \(tableColumns[slot].name) of table \(tableName) holds neither a value nor a reference to a file in the row "
          + "with key \(key): \(entity.name).\(entity.slots[slot].name) allows external storage, so that its bytes have a "
          + "mark before them",
        objectIDs: [ObjectID(entity: entity.index, key: key)], sql: statement.sql, path: statement.path)
    }
    let found =
      switch columns[slot].index.map({ statement.column($0).storageClass }) {
      case ColumnValue.StorageClass.integer: "an integer"
      case ColumnValue.StorageClass.float: "a floating-point number"
      case ColumnValue.StorageClass.text: "text"
      default: "a blob"
      }
    let column = tableColumns[slot]
    return PersistenceError(
      .storeIncompatible,
      "column \(column.name) of table \(tableName) holds \(found) in the row with key \(key); "
        + "\(entity.name).\(entity.slots[slot].name) is stored as \(column.storage.rawValue)",
      objectIDs: [ObjectID(entity: entity.index, key: key)], sql: statement.sql, path: statement.path)
  }
}
