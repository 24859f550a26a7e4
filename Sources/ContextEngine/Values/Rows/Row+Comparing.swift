import Foundation

// MARK: - Comparing

extension Row {
  /// Returns the slots in which two whole rows of one entity differ. Strings differ if their bytes do.
  package func slotsDiffering(from other: Row) -> SlotSet {
    if self === other { return SlotSet() }
    return storage.withParts { left in
      other.storage.withParts { right in
        var slots = SlotSet()
        for slot in 0..<min(Int(left.header.pointee.slotCount), Int(right.header.pointee.slotCount))
        where !Self.isEqual(left, right, at: slot) {
          slots.insert(slot)
        }
        return slots
      }
    }
  }

  /// Returns true if a slot holds the same value in both rows.
  package func isEqual(to other: Row, at slot: Int) -> Bool {
    withSlot(slot) { left in other.withSlot(slot) { right in Self.isEqual(left, right, at: slot) } }
  }

  @inline(__always)
  private static func isEqual(_ left: RowStorage.Parts, _ right: RowStorage.Parts, at slot: Int) -> Bool {
    let bits = left.kinds[slot]
    guard bits == right.kinds[slot] else { return isEqualByReference(left, right, at: slot) }
    let (word, other) = (left.words[slot], right.words[slot])
    let kind = SlotKind.of(bits)
    if kind >= SlotKind.firstLong {
      if kind >= SlotKind.firstReference { return isEqualByReference(left, right, at: slot) }
      return isEqual(left.bytes(word), right.bytes(other), kind: kind)
    }
    // Zero equals minus zero.
    return kind == SlotKind.double || kind == SlotKind.date
      ? Double(bitPattern: word) == Double(bitPattern: other) : word == other
  }

  @inline(__always)
  private static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, kind: UInt16) -> Bool {
    if kind == SlotKind.decimal {
      return left.loadUnaligned(as: Decimal.self) == right.loadUnaligned(as: Decimal.self)
    }
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }

  /// Returns a negative number, zero or a positive number if a slot's value sorts before, with or after the value of
  /// the same slot in another row.
  package func compare(to other: borrowing Row, at slot: Int) -> Int {
    withSlot(slot) { left in
      other.withSlot(slot) { right in
        let (word, otherWord) = (left.words[slot], right.words[slot])
        switch (left.kinds[slot], right.kinds[slot]) {
        case (SlotKind.string, SlotKind.string):
          return Value.compareBytes(left.bytes(word), right.bytes(otherWord))
        case (SlotKind.integer, SlotKind.integer):
          let (number, otherNumber) = (Int64(bitPattern: word), Int64(bitPattern: otherWord))
          return number < otherNumber ? -1 : number > otherNumber ? 1 : 0
        default:
          return Value.compare(value(at: slot), other.value(at: slot))
        }
      }
    }
  }

  /// Returns true if a slot holds exactly this value; strings are compared byte by byte.
  package func holds(_ value: Value, at slot: Int) -> Bool {
    switch value {
    case .string(let string): holds(string, at: slot)
    case .integer(let number): integer(at: slot) == number
    case .binary(let data): externalData(at: slot)?.holds(data) ?? (self.value(at: slot) == value)
    // External data is not read for the comparison, because its file may be missing.
    default: externalData(at: slot) == nil && self.value(at: slot) == value
    }
  }

  package func holds(_ string: String, at slot: Int) -> Bool {
    withSlot(slot) { parts in
      guard parts.kinds[slot] == SlotKind.string else { return false }
      let held = parts.bytes(parts.words[slot])
      var string = string
      return string.withUTF8 { Self.isEqual(held, UnsafeRawBufferPointer($0), kind: SlotKind.string) }
    }
  }
}
