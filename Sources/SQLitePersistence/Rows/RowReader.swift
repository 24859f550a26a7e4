import ContextEngine
import Foundation

/// Reads rows of one entity from a statement that selects the key, the version and some of the slots.
struct RowReader: Sendable {
  let entity: EntityDescription
  let tableName: String
  let tableColumns: [EntityTable.Column]
  private let slots: SlotSet
  private let slotCount: Int
  /// The columns of numbers, strings and plain references.
  private let columns: [Column]
  /// The columns of all other types.
  private let rareColumns: [Column]
  /// The indexes of the entities by their numbers in the file. Empty if no polymorphic to-one relationship is read.
  private let entityIndexes: [Int64: Int]
  /// The values of transient attributes, which have no column.
  private let transientValues: [(slot: Int, value: Value)]
  /// The store's external files, or nil if no attribute allows them.
  private let external: ExternalStorage?

  /// The place and the decoding of a slot. The type is trivial, since it is accessed for every value.
  struct Column: Sendable {
    /// The index of the column in the SELECT.
    let index: Int32
    let slotNumber: Int32
    let decoding: Decoding
    /// The kind of cell for the values of a column that is not rare. It is `.string`, and not used, if the decoding has
    /// no kind of cell.
    let kind: RowCell.Kind
    let destination: Int32

    var slot: Int { Int(slotNumber) }

    init(at index: Int32, of slot: Int, _ decoding: Decoding, destination: Int = 0) {
      self.index = index
      slotNumber = Int32(slot)
      self.decoding = decoding
      self.destination = Int32(destination)
      kind =
        switch decoding {
        case .integer: .integer
        case .double: .double
        case .boolean: .boolean
        case .date: .date
        case .toOne, .polymorphicToOne: .object(ofEntity: destination)
        default: .string
        }
    }
  }

  enum Decoding: UInt8 {
    case integer
    case double
    case boolean
    case date
    case toOne
    /// The key of an object that may be of several entities. The next column has the number of its entity.
    case polymorphicToOne
    // The values of the following kinds are longer than a word.
    case string
    case decimal
    case binary
    /// Binary data that may be stored in an external file, with a reference in the column.
    case external
    case uuid
    case uri

    var isLong: Bool { rawValue >= Self.string.rawValue }
    var isRare: Bool { rawValue > Self.string.rawValue || self == .polymorphicToOne }
  }

  /// The columns before the slots: `Z_ENT` or 0, key, version.
  static let keyColumn: Int32 = 1
  private static let versionColumn: Int32 = 2
  static let firstSlotColumn: Int32 = 3

  /// Creates a reader of the rows of one entity.
  ///
  /// - Parameters:
  ///   - member: the entity with its columns.
  ///   - tableName: the name of the table, for errors.
  ///   - slots: the slots that the statement selects, normalised by the table.
  ///   - places: the column of each slot in the SELECT, or nil if the slot is not read.
  ///   - entityIndexes: the indexes of the model's entities by their numbers in the file.
  ///   - external: the store's external files, or nil if no attribute allows them.
  init(
    _ member: EntityTable.Member, in tableName: String, slots: SlotSet, places: [Int32?], entityIndexes: [Int64: Int],
    external: ExternalStorage?
  ) {
    entity = member.entity
    tableColumns = member.columns
    self.tableName = tableName
    self.slots = slots
    slotCount = member.entity.slots.count
    let all = zip(member.entity.slots.indices, places).compactMap { slot, index in
      index.map { Self.column(at: $0, of: slot, member.entity) }
    }
    columns = all.filter { !$0.decoding.isRare }
    rareColumns = all.filter(\.decoding.isRare)
    transientValues = zip(member.entity.slots, member.columns).enumerated().compactMap { slot, property in
      guard !property.1.isStored else { return nil }
      guard case .attribute(let attribute) = property.0, attribute.isTransient else { return nil }
      return (slot, attribute.stored(attribute.defaultValue))
    }
    self.external = external
    self.entityIndexes = all.contains { $0.decoding == .polymorphicToOne } ? entityIndexes : [:]
  }

  private static func column(at index: Int32, of slot: Int, _ entity: EntityDescription) -> Column {
    switch entity.slots[slot] {
    case .attribute(let attribute):
      return Column(at: index, of: slot, attribute.mayBeExternal ? .external : decoding(of: attribute.type))
    case .toOne(let relationship):
      return Column(
        at: index, of: slot, relationship.isPolymorphic ? .polymorphicToOne : .toOne,
        destination: relationship.destination)
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

  /// Returns all rows of the statement, in its order. O(rows · slots).
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

  /// Returns the statement's current row with its object ID, and adds the size of its values to `bytes`.
  func storeRow(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> StoreRow {
    let row = try row(of: statement, bytes: &bytes)
    let key = statement.column(Self.keyColumn).integer
    return StoreRow(objectID: ObjectID(entity: entity.index, key: key), row: row)
  }

  /// Returns the statement's current row, and adds the size of its values to `bytes`.
  func row(of statement: SQLiteStatement, bytes: inout Int) throws(PersistenceError) -> Row {
    var wrong: Column?
    let version = statement.column(Self.versionColumn).integer
    let spareByteCount = rareColumns.isEmpty ? 0 : longByteCount(ofRareColumnsOf: statement)
    var row = withUnsafeTemporaryAllocation(of: RowCell.self, capacity: columns.count) { cells in
      var count = 0
      var textByteCount = 0
      for column in columns {
        let value = statement.column(column.index)
        let storageClass = value.storageClass
        if storageClass == ColumnValue.StorageClass.null { continue }
        guard let (word, start) = Self.word(of: value, storageClass: storageClass, column: column) else {
          wrong = column
          continue
        }
        if column.decoding == .string { textByteCount += Int(word) } else { bytes += 8 }
        cells[count] = RowCell(column.kind, word: word, start: start, slot: column.slotNumber)
        count += 1
      }
      bytes += textByteCount
      return Row(
        version: version, slots: slots, slotCount: slotCount, cells: UnsafeBufferPointer(rebasing: cells[..<count]),
        textByteCount: textByteCount, spareByteCount: spareByteCount)
    }
    if let wrong { throw wrongStorage(wrong, in: statement) }
    if !rareColumns.isEmpty { try readRareColumns(of: statement, into: &row, bytes: &bytes) }
    for (slot, value) in transientValues { row.set(value, at: slot) }
    return row.shared()
  }

  /// Returns an upper bound for the number of bytes that the values of rare types take.
  private func longByteCount(ofRareColumnsOf statement: SQLiteStatement) -> Int {
    var count = 0
    for column in rareColumns where column.decoding.isLong {
      count += column.decoding == .decimal ? MemoryLayout<Decimal>.size : statement.column(column.index).longByteCount
    }
    return count
  }

  /// Returns the contents of a cell for a column: a number, or the length and the address of text. Returns nil if the
  /// column holds a value that its slot cannot have.
  @inline(__always)
  private static func word(
    of value: ColumnValue, storageClass: Int32, column: Column
  ) -> (word: UInt64, start: UnsafeRawPointer?)? {
    let isInteger = storageClass == ColumnValue.StorageClass.integer
    switch column.decoding {
    case .string:
      guard storageClass == ColumnValue.StorageClass.text else { return nil }
      let text = value.text
      return (UInt64(text.count), UnsafeRawPointer(text.baseAddress))
    case .double, .date:
      // SQLite stores a whole number as an integer if the column has numeric affinity.
      guard isInteger || storageClass == ColumnValue.StorageClass.float else { return nil }
      return (value.double.bitPattern, nil)
    case .integer, .toOne: return isInteger ? (UInt64(bitPattern: value.integer), nil) : nil
    case .boolean: return isInteger ? (value.integer == 0 ? 0 : 1, nil) : nil
    default: return nil
    }
  }

  private func readRareColumns(
    of statement: SQLiteStatement, into row: inout Row, bytes: inout Int
  ) throws(PersistenceError) {
    for column in rareColumns {
      let read = statement.column(column.index)
      let storageClass = read.storageClass
      if storageClass == ColumnValue.StorageClass.null { continue }
      let value: Value?
      switch column.decoding {
      case .external:
        guard readExternal(read, into: &row, at: column.slot, bytes: &bytes) else {
          throw wrongStorage(column, in: statement)
        }
        continue
      case .polymorphicToOne:
        bytes += 8
        value =
          storageClass == ColumnValue.StorageClass.integer
          ? objectID(of: read, column: column, in: statement).map(Value.object) : nil
      default: value = decodeLonger(read, as: column.decoding, bytes: &bytes)
      }
      guard let value else { throw wrongStorage(column, in: statement) }
      row.set(value, at: column.slot)
    }
  }

  /// Returns a value of a rare type, or nil if the column holds something else. Adds the size of the value as it is
  /// stored.
  private func decodeLonger(_ read: ColumnValue, as decoding: Decoding, bytes: inout Int) -> Value? {
    let storageClass = read.storageClass
    let isText = storageClass == ColumnValue.StorageClass.text
    let isBlob = storageClass == ColumnValue.StorageClass.blob
    // The decimal is read first, since SQLite converts a number to text when it is asked for its bytes.
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

  /// Sets a slot to a value or to the external data of a file. Returns false if the column holds neither.
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

  /// Returns the object with a key, of the entity whose number is in the next column, or nil if the model has no such
  /// entity.
  private func objectID(of key: ColumnValue, column: Column, in statement: SQLiteStatement) -> ObjectID? {
    let number = statement.column(column.index + 1)
    // A key without an entity number refers to an object of the relationship's destination entity.
    if number.storageClass == ColumnValue.StorageClass.null {
      return ObjectID(entity: Int(column.destination), key: key.integer)
    }
    return entityIndexes[number.integer].map { ObjectID(entity: $0, key: key.integer) }
  }
}
