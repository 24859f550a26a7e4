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

  /// Appends keys after their number.
  mutating func append(_ keys: [RecordKey]) {
    append(keys.count)
    for key in keys { append(key) }
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
  private(set) var position: Int

  /// Creates a reader of bytes that must outlive it, from a position on.
  init(_ bytes: UnsafeRawBufferPointer, path: String, at position: Int = 0) {
    self.bytes = bytes
    self.path = path
    self.position = position
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

  /// Returns keys that follow their number.
  mutating func keys() throws(WorkloadError) -> [RecordKey] {
    var keys: [RecordKey] = []
    for _ in 0..<(try count()) { keys.append(try key()) }
    return keys
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
