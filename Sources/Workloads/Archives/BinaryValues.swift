import Foundation

/// Writes counts and values one after the other. A value is a tag, followed by eight bytes, by the length and the bytes
/// of a string or of bytes, by the sixteen bytes of a UUID, or, for null and booleans, by no more bytes. A count has no
/// tag.
struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ count: Int) {
    withUnsafeBytes(of: Int64(count).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: FieldValue) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let value): append(1, word: UInt64(bitPattern: value))
    case .double(let value): append(2, word: value.bitPattern)
    case .boolean(let value): bytes.append(value ? 4 : 3)
    case .date(let value): append(5, word: value.bitPattern)
    case .string(let value): append(6, content: value.utf8)
    case .uri(let value): append(7, content: value.utf8)
    case .binary(let value): append(8, content: value)
    case .uuid(let value):
      bytes.append(9)
      bytes.append(contentsOf: value.bytes)
    case .decimal(let value): append(10, content: value.description.utf8)
    }
  }

  /// Appends a key, or a mark for an empty link.
  mutating func append(_ key: RecordKey?) {
    switch key {
    case nil: append(FieldValue.null)
    case .integer(let value): append(.integer(value))
    case .string(let value): append(.string(value))
    case .values(let values):
      bytes.append(Self.valuesTag)
      append(values.count)
      for value in values { append(value) }
    case .storeRow(let number):
      bytes.append(Self.storeRowTag)
      append(Int(number))
    }
  }

  /// The tag of a key of several values.
  static let valuesTag: UInt8 = 20
  /// The tag of a primary key.
  static let storeRowTag: UInt8 = 21

  private mutating func append(_ tag: UInt8, content: some Collection<UInt8>) {
    bytes.append(tag)
    append(content.count)
    bytes.append(contentsOf: content)
  }

  private mutating func append(_ tag: UInt8, word: UInt64) {
    bytes.append(tag)
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads the values that `BinaryWriter` wrote, in the same order.
struct BinaryReader {
  private let bytes: UnsafeRawBufferPointer
  private let path: String
  private var position = 0

  /// Creates a reader of bytes that must outlive it.
  init(_ bytes: UnsafeRawBufferPointer, path: String) {
    self.bytes = bytes
    self.path = path
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func count() throws(WorkloadError) -> Int {
    let count = Int(Int64(bitPattern: try word()))
    // Every counted item takes at least one byte.
    guard (0...bytes.count - position).contains(count) else { throw damage }
    return count
  }

  mutating func value() throws(WorkloadError) -> FieldValue {
    guard position < bytes.count else { throw damage }
    let tag = bytes[position]
    position += 1
    switch tag {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: try word()))
    case 2: return .double(Double(bitPattern: try word()))
    case 3: return .boolean(false)
    case 4: return .boolean(true)
    case 5: return .date(Double(bitPattern: try word()))
    case 6: return .string(String(decoding: try content(), as: UTF8.self))
    case 7: return .uri(String(decoding: try content(), as: UTF8.self))
    case 8: return .binary(Data(try content()))
    case 9:
      guard position + 16 <= bytes.count else { throw damage }
      defer { position += 16 }
      return .uuid(UUID(uuid: bytes.loadUnaligned(fromByteOffset: position, as: uuid_t.self)))
    case 10:
      guard let decimal = Decimal(string: String(decoding: try content(), as: UTF8.self)) else { throw damage }
      return .decimal(decimal)
    default: throw damage
    }
  }

  /// Returns the bytes after a length.
  private mutating func content() throws(WorkloadError) -> UnsafeRawBufferPointer.SubSequence {
    let count = try count()
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func key() throws(WorkloadError) -> RecordKey {
    guard let key = try keyIfPresent() else { throw damage }
    return key
  }

  /// Returns a key, or nil for an empty link.
  mutating func keyIfPresent() throws(WorkloadError) -> RecordKey? {
    guard position < bytes.count else { throw damage }
    if bytes[position] == BinaryWriter.storeRowTag {
      position += 1
      return .storeRow(Int64(bitPattern: try word()))
    }
    guard bytes[position] == BinaryWriter.valuesTag else { return RecordKey(try value()) }
    position += 1
    let count = try count()
    var values: [FieldValue] = []
    for _ in 0..<count { values.append(try value()) }
    return .values(values)
  }

  private mutating func word() throws(WorkloadError) -> UInt64 {
    guard position + 8 <= bytes.count else { throw damage }
    defer { position += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  var damage: WorkloadError {
    WorkloadError(.damagedArchive, "the workload's file is damaged at byte \(position); write it again", path: path)
  }
}

// MARK: - Stored types

extension Answer {
  var binary: [UInt8] {
    var writer = BinaryWriter()
    for table in tables {
      writer.append(table.rows.count)
      for row in table.rows {
        writer.append(row.key)
        for value in row.values { writer.append(value) }
        for link in row.links { writer.append(link) }
        for list in row.lists {
          writer.append(list.count)
          for key in list { writer.append(key) }
        }
        writer.append(row.edited)
      }
    }
    return writer.bytes
  }

  init(binary: Data, schema: WorkloadSchema, path: String) throws(WorkloadError) {
    let result = binary.withUnsafeBytes { bytes in
      Result { () throws(WorkloadError) in
        var reader = BinaryReader(bytes, path: path)
        var tables: [Table] = []
        for entity in schema.entities {
          var rows: [Row] = []
          let count = try reader.count()
          rows.reserveCapacity(count)
          for _ in 0..<count { rows.append(try reader.row(of: entity)) }
          tables.append(Table(rows: rows))
        }
        guard reader.isAtEnd else { throw reader.damage }
        return Answer(tables: tables)
      }
    }
    self = try result.get()
  }
}

extension BinaryReader {
  fileprivate mutating func row(of entity: WorkloadSchema.Entity) throws(WorkloadError) -> Answer.Row {
    let key = try key()
    var values: [FieldValue] = []
    values.reserveCapacity(entity.attributes.count)
    for _ in entity.attributes { values.append(try value()) }
    var links: [RecordKey?] = []
    for _ in entity.links { links.append(try keyIfPresent()) }
    var lists: [[RecordKey]] = []
    for _ in entity.lists {
      var list: [RecordKey] = []
      for _ in 0..<(try count()) { list.append(try self.key()) }
      lists.append(list)
    }
    return Answer.Row(key: key, values: values, links: links, lists: lists, edited: try value())
  }
}

extension RecordKey {
  /// The key in binary form, from which `init(binary:)` creates an equal key.
  package var binary: Data {
    var writer = BinaryWriter()
    writer.append(self)
    return Data(writer.bytes)
  }

  /// Creates a key from its binary form, or nil if the bytes are not the form of a key.
  package init?(binary: Data) {
    let key = binary.withUnsafeBytes { bytes in
      var reader = BinaryReader(bytes, path: "")
      return try? reader.keyIfPresent()
    }
    guard let key else { return nil }
    self = key
  }
}

/// Keys of rows, for each entity.
struct KeySets {
  var keys: [Set<RecordKey>]

  var binary: [UInt8] {
    var writer = BinaryWriter()
    for keys in keys {
      writer.append(keys.count)
      for key in keys.sorted() { writer.append(key) }
    }
    return writer.bytes
  }

  init(keys: [Set<RecordKey>]) {
    self.keys = keys
  }

  init(binary: Data, schema: WorkloadSchema, path: String) throws(WorkloadError) {
    let result = binary.withUnsafeBytes { bytes in
      Result { () throws(WorkloadError) in
        var reader = BinaryReader(bytes, path: path)
        var tables: [Set<RecordKey>] = []
        for _ in schema.entities {
          let count = try reader.count()
          var keys = Set<RecordKey>(minimumCapacity: count)
          for _ in 0..<count { keys.insert(try reader.key()) }
          tables.append(keys)
        }
        guard reader.isAtEnd else { throw reader.damage }
        return tables
      }
    }
    keys = try result.get()
  }
}
