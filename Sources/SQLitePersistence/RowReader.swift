import ContextEngine
import Foundation

/// Reads rows of one entity from a statement that selects key, version and some of its slots.
struct RowReader: Sendable {
  private let table: EntityTable
  private let slots: UInt64
  private let columns: [Column]

  /// How to read a slot; trivial, since it is looked at for every value.
  private struct Column: Sendable {
    /// The place in the SELECT; none = the slot is not read.
    let index: Int32?
    let decoding: Decoding
    let destination: Int32
  }

  private enum Decoding: UInt8, Comparable {
    case integer
    case double
    case boolean
    case date
    case toOne
    // From here on, what is longer than a word.
    case string
    case decimal
    case binary
    case uuid
    case uri

    static func < (left: Decoding, right: Decoding) -> Bool { left.rawValue < right.rawValue }
  }

  /// The columns before the slots: 0, key, version.
  static let keyColumn: Int32 = 1
  private static let versionColumn: Int32 = 2
  private static let firstSlotColumn: Int32 = 3

  /// - Parameter slots: the slots that the statement selects, normalised by the table.
  init(_ table: EntityTable, slots: UInt64) {
    self.table = table
    self.slots = slots
    var next = Self.firstSlotColumn
    columns = table.entity.slots.enumerated().map { slot, description in
      var index: Int32?
      if slots.hasSlot(slot) {
        index = next
        next += 1
      }
      return switch description {
      case .attribute(let attribute):
        Column(index: index, decoding: Self.decoding(of: attribute.type), destination: 0)
      case .toOne(let relationship):
        Column(index: index, decoding: .toOne, destination: Int32(relationship.destination))
      }
    }
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
      let row = try row(of: statement, bytes: &bytes)
      let key = statement.column(Self.keyColumn).integer
      rows.append(StoreRow(objectID: ObjectID(entity: table.index, key: key), row: row))
    }
    return rows
  }

  /// The row that the statement stands on; adds the bytes of its values.
  func row(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> Row {
    var row = Row(
      version: statement.column(Self.versionColumn).integer, slots: slots, slotCount: columns.count,
      byteCapacity: longByteCount(statement))
    for slot in 0..<columns.count {
      guard let index = columns[slot].index else { continue }
      guard read(statement.column(index), columns[slot], into: &row, at: slot, bytes: &bytes) else {
        throw wrongStorage(at: slot, statement)
      }
    }
    return row.shared()
  }

  /// How many bytes the values take that are longer than a word, at most.
  @inline(__always)
  private func longByteCount(_ statement: SQLiteStatement) -> Int {
    var count = 0
    for column in columns where column.decoding >= .string {
      guard let index = column.index else { continue }
      count += column.decoding == .decimal ? MemoryLayout<Decimal>.size : statement.column(index).byteCount
    }
    return count
  }

  /// Puts a column into a slot. False where it holds something that the slot cannot.
  @inline(__always)
  private func read(
    _ read: ColumnValue, _ column: Column, into row: inout Row, at slot: Int, bytes: inout Int
  ) -> Bool {
    let storageClass = read.storageClass
    if storageClass == ColumnValue.StorageClass.null { return true }
    if column.decoding == .string {
      guard storageClass == ColumnValue.StorageClass.text else { return false }
      let text = read.text
      bytes += text.count
      row.setText(UnsafeRawBufferPointer(text), at: slot)
      return true
    }
    guard let value = decode(read, column, bytes: &bytes) else { return false }
    row.set(value, at: slot)
    return true
  }

  /// Nil where the column holds something that the slot cannot.
  @inline(__always)
  private func decode(_ read: ColumnValue, _ column: Column, bytes: inout Int) -> Value? {
    let storageClass = read.storageClass
    switch column.decoding {
    case .decimal, .binary, .uuid, .uri: return decodeLonger(read, column.decoding, bytes: &bytes)
    default: break
    }
    bytes += 8
    let isInteger = storageClass == ColumnValue.StorageClass.integer
    switch column.decoding {
    case .integer: return isInteger ? .integer(read.integer) : nil
    case .boolean: return isInteger ? .boolean(read.integer != 0) : nil
    case .toOne:
      guard isInteger else { return nil }
      return .object(ObjectID(entity: Int(column.destination), key: read.integer))
    case .double, .date:
      // A whole number in a column that prefers numbers is stored as an integer.
      guard isInteger || storageClass == ColumnValue.StorageClass.float else { return nil }
      return column.decoding == .date ? .date(read.double) : .double(read.double)
    case .string, .decimal, .binary, .uuid, .uri: return nil
    }
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

  private func wrongStorage(at slot: Int, _ statement: SQLiteStatement) -> PersistenceError {
    let key = statement.column(Self.keyColumn).integer
    let found =
      switch columns[slot].index.map({ statement.column($0).storageClass }) {
      case ColumnValue.StorageClass.integer: "an integer"
      case ColumnValue.StorageClass.float: "a floating-point number"
      case ColumnValue.StorageClass.text: "text"
      default: "a blob"
      }
    let column = table.columns[slot]
    return PersistenceError(
      .storeIncompatible,
      "column \(column.name) of table \(table.name) holds \(found) in the row with key \(key); "
        + "\(table.entity.name).\(table.entity.slots[slot].name) is stored as \(column.storage.rawValue)",
      objectIDs: [ObjectID(entity: table.index, key: key)], sql: statement.sql, path: statement.path)
  }
}
