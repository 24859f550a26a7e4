/// A slot's value on its way into a new row: a number, or bytes that stay where they are until the row has been made.
///
/// Whoever reads rows by the thousand makes a list of these of each and then the row of all at once: it knows by then how
/// much room the row needs, and asks its source for every value once (instead of `Row.set`: 8 % of a fetch).
package struct RowCell {
  let word: UInt64
  let start: UnsafeRawPointer?
  let kind: Kind
  let entityNumber: UInt16
  let slotNumber: Int32

  package enum Kind: UInt16 {
    case integer = 1
    case double
    case boolean
    case date
    case object
    case string
  }

  /// A value that is a word.
  ///
  /// - Parameter entity: the index of a referenced object's entity.
  @inline(__always)
  package init(_ kind: Kind, _ word: UInt64, entity: Int32 = 0, slot: Int32) {
    self.word = word
    start = nil
    self.kind = kind
    entityNumber = UInt16(truncatingIfNeeded: entity)
    slotNumber = slot
  }

  /// A string as its UTF-8.
  @inline(__always)
  package init(text: UnsafeBufferPointer<UInt8>, slot: Int32) {
    word = UInt64(text.count)
    start = UnsafeRawPointer(text.baseAddress)
    kind = .string
    entityNumber = 0
    slotNumber = slot
  }
}

extension Row {
  /// A row of its own with these values, and nothing in the slots that they leave out.
  ///
  /// - Parameters:
  ///   - slots: those that were read, as bits from the lowest.
  ///   - textByteCount: what the strings among the cells take.
  ///   - spareByteCount: room for so many bytes of what is put in later.
  package init(
    version: Int64, slots: UInt64, slotCount: Int, cells: UnsafeBufferPointer<RowCell>, textByteCount: Int,
    spareByteCount: Int
  ) {
    storage = RowStorage.make(
      version: version, slots: slots, slotCount: slotCount, byteCapacity: textByteCount + spareByteCount)
    storage.withParts { parts in
      let bytes = parts.bytes
      var usedByteCount = 0
      for cell in cells {
        let slot = Int(cell.slotNumber)
        precondition(slot < slotCount, "a row was filled beyond its slots")
        if cell.kind == .string {
          let byteCount = Int(cell.word)
          precondition(usedByteCount + byteCount <= textByteCount, "a row was made too small for its strings")
          parts.kinds[slot] = SlotKind.string
          parts.words[slot] = UInt64(usedByteCount) << 32 | cell.word
          if let start = cell.start { (bytes + usedByteCount).copyMemory(from: start, byteCount: byteCount) }
          usedByteCount += byteCount
        } else {
          parts.kinds[slot] = cell.kind == .object ? SlotKind.object(ofEntity: cell.entityNumber) : cell.kind.rawValue
          parts.words[slot] = cell.word
        }
      }
      parts.header.pointee.usedByteCount = UInt32(usedByteCount)
    }
  }
}
