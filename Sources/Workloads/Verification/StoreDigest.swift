import Foundation

/// A SHA-256 digest over the data that the import owns: all rows, their attributes and links, in one canonical form.
///
/// The form is a sequence of items. Each item is one ASCII letter, the number of bytes in decimal, a colon, and the
/// bytes.
///
/// | item | is | bytes |
/// |---|---|---|
/// | `E` | an entity; entities by name | its name |
/// | `P` | a property of the entity: imported attributes, to-one and to-many relationships, by name | its name |
/// | `R` | a row; rows by key, integers before strings, those of one key by their bytes | none |
///
/// After the entity's last `P` come its rows, and after each `R` one value for each property, in the same order:
///
/// | item | is | bytes |
/// |---|---|---|
/// | `N` | absent | none |
/// | `I` | an integer | decimal |
/// | `D` | a double | its bit pattern as 16 lower-case hexadecimal digits; −0 as 0 |
/// | `B` | a boolean | `0` or `1` |
/// | `T` | a date | microseconds since 2001-01-01 00:00 UTC, rounded to the nearest, decimal |
/// | `S` | a string | its UTF-8 as stored |
/// | `C` | a decimal number | its digits, with a point if it is not whole |
/// | `Y` | bytes | the bytes |
/// | `U` | a UUID | its 16 bytes |
/// | `L` | a URI | its UTF-8 as stored |
/// | `M` | a to-many | the number of targets, decimal; the key of each follows, ascending |
/// | `O` | an ordered to-many | the number of targets, decimal; the key of each follows, in order |
/// | `X` | a to-one, or a target of a to-many, that does not exist | none |
/// | `K` | a key of several attributes | the number of attributes, decimal; their values follow |
///
/// A to-one is its target's key. A key of one attribute is the value of the attribute. Names and strings sort by their
/// UTF-8 bytes. The form leaves out row numbers, versions and the user's `note`. It includes duplicate rows.
package struct StoreDigest {
  /// The number of bytes at which a chunk is passed to the hash.
  private static let chunkSize = 1 << 16

  /// Returns the digest of a store with these tables, as 64 lower-case hexadecimal digits.
  package static func hexadecimal(of tables: [CanonicalTable], schema: WorkloadSchema) -> String {
    let hash = SHA256Hash()
    write(schema, { hash.update($0) }) { entity, body in tables[entity].forEachKey(body) }
    return hash.hexadecimal()
  }

  /// Returns the digest of the store that a right store is equal to.
  static func hexadecimal(of right: RightRows) -> String {
    let hash = SHA256Hash()
    write(right.schema, { hash.update($0) }) { entity, body in right.forEachRow(of: entity) { body([$0]) } }
    return hash.hexadecimal()
  }

  /// Returns the bytes that the digest is computed over.
  package static func bytes(of tables: [CanonicalTable], schema: WorkloadSchema) -> [UInt8] {
    var bytes: [UInt8] = []
    write(schema, { bytes += $0 }) { entity, body in tables[entity].forEachKey(body) }
    return bytes
  }

  /// Passes the form to `consume` in chunks. `forEachKey` calls a closure with the rows of each key of an entity.
  private static func write(
    _ schema: WorkloadSchema, _ consume: @escaping ([UInt8]) -> Void,
    _ forEachKey: (Int, (ArraySlice<CanonicalTable.Row>) -> Void) -> Void
  ) {
    var bytes = CanonicalBytes()
    let order = schema.entities.indices.sorted { schema.entities[$0].name.bytesPrecede(schema.entities[$1].name) }
    for index in order {
      let properties = Property.sorted(of: index, schema)
      bytes.append("E", schema.entities[index].name)
      for property in properties { bytes.append("P", property.name) }
      forEachKey(index) { rows in
        if rows.count == 1 {
          bytes.append(rows[rows.startIndex], properties)
        } else {
          bytes.append(duplicates: rows, properties)
        }
        if bytes.content.count >= chunkSize { consume(bytes.take()) }
      }
    }
    consume(bytes.take())
  }
}

/// The name of a property, and its place in a row.
private struct Property {
  enum Place {
    case value(Int)
    case toOne(Int)
    case toMany(Int, isOrdered: Bool)
    case inverse(Int)
  }

  var name: String
  var place: Place

  static func sorted(of index: Int, _ schema: WorkloadSchema) -> [Property] {
    let entity = schema.entities[index]
    let properties =
      entity.attributes.enumerated().map { Property(name: $1.name, place: .value($0)) }
      + entity.relationships.enumerated().map {
        Property(name: $1.name, place: $1.isToMany ? .toMany($0, isOrdered: $1.isOrdered) : .toOne($0))
      }
      + schema.inverses(of: index).enumerated().map { Property(name: $1.name, place: .inverse($0)) }
    return properties.sorted { $0.name.bytesPrecede($1.name) }
  }
}

/// A sequence of canonical items.
private struct CanonicalBytes {
  static let digits = Array("0123456789abcdef".utf8)

  private(set) var content: [UInt8] = []

  /// Returns the bytes collected so far and removes them.
  mutating func take() -> [UInt8] {
    defer { content.removeAll(keepingCapacity: true) }
    return content
  }

  mutating func append(_ letter: Unicode.Scalar, _ text: String) { append(letter, text.utf8) }

  mutating func append(_ row: CanonicalTable.Row, _ properties: [Property]) {
    append("R", "")
    for property in properties {
      switch property.place {
      case .value(let place): append(row.values[place])
      case .toOne(let place):
        if row.targets[place] == CanonicalTable.Targets(keys: []) { append("N", "") }
        append(row.targets[place])
      case .inverse(let place):
        append("M", String(row.inverses[place].count))
        for key in row.inverses[place] { append(key) }
      case .toMany(let place, let isOrdered):
        append(isOrdered ? "O" : "M", String(row.targets[place].keys.count + row.targets[place].danglingCount))
        append(row.targets[place])
      }
    }
  }

  /// Appends the rows of one key. They are in no defined order, so they are sorted by their bytes.
  mutating func append(duplicates rows: ArraySlice<CanonicalTable.Row>, _ properties: [Property]) {
    let texts = rows.map { row in
      var bytes = CanonicalBytes()
      bytes.append(row, properties)
      return bytes.content
    }
    for text in texts.sorted(by: { $0.lexicographicallyPrecedes($1) }) { content += text }
  }

  private mutating func append(_ targets: CanonicalTable.Targets) {
    for key in targets.keys { append(key) }
    for _ in 0..<targets.danglingCount { append("X", "") }
  }

  private mutating func append(_ key: RecordKey) {
    let values = key.fieldValues
    if values.count > 1 { append("K", String(values.count)) }
    for value in values { append(value) }
  }

  private mutating func append(_ value: FieldValue) {
    switch value {
    case .null: append("N", "")
    case .integer(let value): append("I", String(value))
    case .double(let value): append(double: value)
    case .boolean(let value): append("B", value ? "1" : "0")
    case .date(let seconds): append("T", CanonicalBytes.microseconds(seconds))
    case .string(let value): append("S", value)
    case .decimal(let value): append("C", value.description)
    case .binary(let value): append("Y", value)
    case .uuid(let value): append("U", value.bytes)
    case .uri(let value): append("L", value)
    }
  }

  private mutating func append(_ letter: Unicode.Scalar, _ bytes: some Collection<UInt8>) {
    content.append(UInt8(ascii: letter))
    appendDecimal(bytes.count)
    content.append(UInt8(ascii: ":"))
    content.append(contentsOf: bytes)
  }

  private mutating func append(double value: Double) {
    let pattern = value == 0 ? 0 : value.bitPattern
    append("D", stride(from: 60, through: 0, by: -4).map { CanonicalBytes.digits[Int(pattern >> UInt64($0) & 15)] })
  }

  private static func microseconds(_ seconds: Double) -> String {
    let rounded = (seconds * 1_000_000).rounded()
    // A value out of range or not a number is not a date that an import wrote.
    return Int64(exactly: rounded).map { String($0) } ?? "\(seconds)"
  }

  private mutating func appendDecimal(_ number: Int) {
    if number >= 10 { appendDecimal(number / 10) }
    content.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
