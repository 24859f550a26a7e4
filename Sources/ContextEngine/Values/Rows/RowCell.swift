/// A slot's value on its way into a new row: a number, or bytes that stay where they are until the row has been made.
///
/// Whoever reads rows by the thousand makes a list of these of each and then the row of all at once: it knows by then how
/// much room the row needs, and asks its source for every value once (instead of `Row.set`: 8 % of a fetch).
package struct RowCell {
  @usableFromInline let word: UInt64
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline let kind: Kind
  @usableFromInline let slotNumber: Int32

  /// What becomes of values of one type, told once for all rows.
  package struct Kind: Sendable {
    fileprivate let bits: UInt16

    package static let integer = Kind(bits: SlotKind.integer)
    package static let double = Kind(bits: SlotKind.double)
    package static let boolean = Kind(bits: SlotKind.boolean)
    package static let date = Kind(bits: SlotKind.date)
    package static let string = Kind(bits: SlotKind.string)

    /// A reference to an object of the entity with this index.
    package static func object(ofEntity entity: Int) -> Kind { Kind(bits: SlotKind.object(ofEntity: entity)) }
  }

  /// - Parameters:
  ///   - word: the value, or the length of a string.
  ///   - start: the UTF-8 of a string.
  ///   - slot: where the value goes.
  // Inlinable, as it is called for every value: a call would be as long as what it does.
  @inlinable
  package init(_ kind: Kind, _ word: UInt64, _ start: UnsafeRawPointer?, slot: Int32) {
    self.kind = kind
    self.word = word
    self.start = start
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
        parts.kinds[slot] = cell.kind.bits
        guard cell.kind.bits == SlotKind.string else {
          parts.words[slot] = cell.word
          continue
        }
        let byteCount = Int(cell.word)
        precondition(usedByteCount + byteCount <= textByteCount, "a row was made too small for its strings")
        parts.words[slot] = UInt64(usedByteCount) << 32 | cell.word
        if let start = cell.start { (bytes + usedByteCount).copyMemory(from: start, byteCount: byteCount) }
        usedByteCount += byteCount
      }
      parts.header.pointee.usedByteCount = UInt32(usedByteCount)
    }
  }
}
