import Foundation

/// Writes counts and values one after the other. A value is a tag, followed by eight bytes, by the length and the bytes
/// of a string, or, for null and booleans, by no more bytes. A count has no tag.
struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ count: Int) {
    withUnsafeBytes(of: Int64(count).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: FieldValue) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let value): append(1, UInt64(bitPattern: value))
    case .double(let value): append(2, value.bitPattern)
    case .boolean(let value): bytes.append(value ? 4 : 3)
    case .date(let value): append(5, value.bitPattern)
    case .string(let value):
      bytes.append(6)
      append(value.utf8.count)
      bytes.append(contentsOf: value.utf8)
    }
  }

  private mutating func append(_ tag: UInt8, _ word: UInt64) {
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
    case 6:
      let count = try count()
      defer { position += count }
      return .string(String(decoding: bytes[position..<position + count], as: UTF8.self))
    default: throw damage
    }
  }

  mutating func key() throws(WorkloadError) -> RecordKey {
    guard let key = RecordKey(try value()) else { throw damage }
    return key
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
        writer.append(row.key.fieldValue)
        for value in row.values { writer.append(value) }
        for link in row.links { writer.append(link?.fieldValue ?? .null) }
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
    for _ in entity.links { links.append(RecordKey(try value())) }
    return Answer.Row(key: key, values: values, links: links)
  }
}

/// The keys of the rows that some payload deletes, for each entity.
struct DeletedKeys {
  var keys: [Set<RecordKey>]

  var binary: [UInt8] {
    var writer = BinaryWriter()
    for keys in keys {
      writer.append(keys.count)
      for key in keys.sorted() { writer.append(key.fieldValue) }
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
