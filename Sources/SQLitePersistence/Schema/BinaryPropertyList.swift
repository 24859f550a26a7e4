/// A property list of strings, integers, data, arrays and dictionaries, which is encoded in the binary format with its
/// keys in the given order.
///
/// Foundation writes the same format and can read this output, but its order of keys is arbitrary, and a file that is
/// created twice in the same way must have the same bytes.
package enum BinaryPropertyList {
  case string(String)
  case integer(Int64)
  case data([UInt8])
  case array([BinaryPropertyList])
  case dictionary([(key: String, value: BinaryPropertyList)])

  /// The bytes of the property list.
  ///
  /// They consist of a header, the objects, the offset of each object, and a trailer with the position of the offsets.
  /// Objects refer to other objects by number.
  package var encoded: [UInt8] {
    var writer = Writer()
    let top = writer.append(self)
    return writer.finish(top: top)
  }
}

/// Collects objects and their offsets.
private struct Writer {
  private var bytes = Array("bplist00".utf8)
  private var offsets: [Int] = []

  /// The number of bytes of a reference to an object, and of an offset.
  private static let referenceSize = 2
  private static let offsetSize = 4

  /// Appends an object after those that it refers to, and returns its number.
  mutating func append(_ list: BinaryPropertyList) -> Int {
    switch list {
    case .string(let text):
      let units = Array(text.utf16)
      let isASCII = units.allSatisfy { $0 < 0x80 }
      begin(marker: isASCII ? 0x50 : 0x60, count: units.count)
      for unit in units { append(UInt64(unit), size: isASCII ? 1 : 2) }
    case .integer(let number):
      // Each integer takes eight bytes, since shorter forms hold only positive numbers.
      offsets.append(bytes.count)
      bytes.append(0x13)
      append(UInt64(bitPattern: number), size: 8)
    case .array(let elements):
      let references = elements.map { append($0) }
      begin(marker: 0xa0, count: elements.count)
      for reference in references { append(UInt64(reference), size: Self.referenceSize) }
    case .data(let data):
      begin(marker: 0x40, count: data.count)
      bytes += data
    case .dictionary(let pairs):
      let keys = pairs.map { append(.string($0.key)) }
      let values = pairs.map { append($0.value) }
      begin(marker: 0xd0, count: pairs.count)
      for reference in keys + values { append(UInt64(reference), size: Self.referenceSize) }
    }
    return offsets.count - 1
  }

  mutating func finish(top: Int) -> [UInt8] {
    let table = bytes.count
    for offset in offsets { append(UInt64(offset), size: Self.offsetSize) }
    append(0, size: 6)
    append(UInt64(Self.offsetSize), size: 1)
    append(UInt64(Self.referenceSize), size: 1)
    for number in [offsets.count, top, table] { append(UInt64(number), size: 8) }
    return bytes
  }

  /// Begins the next object with its marker. A count of less than 15 is part of the marker; a larger one follows as an
  /// integer.
  private mutating func begin(marker: UInt8, count: Int) {
    offsets.append(bytes.count)
    if count < 15 {
      bytes.append(marker | UInt8(count))
    } else {
      bytes += [marker | 0x0f, 0x12]
      append(UInt64(count), size: 4)
    }
  }

  /// Appends the lowest bytes of a number, the most significant first.
  private mutating func append(_ number: UInt64, size: Int) {
    for place in stride(from: size - 1, through: 0, by: -1) {
      bytes.append(place < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) : 0)
    }
  }
}
