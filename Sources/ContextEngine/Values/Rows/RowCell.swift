/// A slot's value on its way into a new row: a number, or bytes that are not copied until the row is created.
///
/// Code that reads rows by the thousand collects the cells of each row and then creates the row from all of them. By
/// then it knows how much room the row needs, and it asks its source for each value only once (with `Row.set`, this
/// took 8 % of a fetch).
package struct RowCell {
  @usableFromInline let word: UInt64
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline let kind: Kind
  @usableFromInline let slotNumber: Int32

  /// The kind of value that a cell holds, chosen once for all rows.
  package struct Kind: Sendable {
    fileprivate let bits: UInt16

    package static let integer = Kind(bits: SlotKind.integer)
    package static let double = Kind(bits: SlotKind.double)
    package static let boolean = Kind(bits: SlotKind.boolean)
    package static let date = Kind(bits: SlotKind.date)
    package static let string = Kind(bits: SlotKind.string)

    /// Returns the kind of a reference to an object of the entity with this index.
    package static func object(ofEntity entity: Int) -> Kind { Kind(bits: SlotKind.object(ofEntity: entity)) }
  }

  /// Creates a cell.
  ///
  /// - Parameters:
  ///   - kind: The kind of the value.
  ///   - word: The value, or the number of bytes of a string.
  ///   - start: The UTF-8 of a string.
  ///   - slot: The slot that receives the value.
  // This is inlinable because it is called for every value: a call would take as long as its body.
  @inlinable
  package init(_ kind: Kind, word: UInt64, start: UnsafeRawPointer?, slot: Int32) {
    self.kind = kind
    self.word = word
    self.start = start
    slotNumber = slot
  }
}

extension Row {
  /// Creates an unshared row with the values of these cells; the slots without a cell are null.
  ///
  /// - Parameters:
  ///   - version: The version of the row.
  ///   - slots: The slots that were read.
  ///   - slotCount: The number of slots.
  ///   - cells: The values of the slots.
  ///   - textByteCount: The number of bytes of the strings among the cells.
  ///   - spareByteCount: The number of bytes to reserve for values that are set later.
  package init(
    version: Int64, slots: SlotSet, slotCount: Int, cells: UnsafeBufferPointer<RowCell>, textByteCount: Int,
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
