import Foundation

// MARK: - Replacing values in place

extension RowStorage {
  /// The outcome of putting a value into a slot.
  package enum Replacement {
    /// The slot holds the value already.
    case same
    /// The slot holds the value now. `longByteCount` and `before` are the numbers of bytes behind the words that the
    /// slot's new value has and that its old one had.
    case done(longByteCount: Int, before: Int)
    /// The value cannot be put into the slot, for example because there is no room for it or the row is shared.
    case impossible
  }

  /// Puts a number, a truth value, a date or a string into a slot, if the row is not shared and has room.
  package func replace(_ slot: Int, by value: Value) -> Replacement {
    withParts { parts in
      if parts.header.pointee.form.isShared || slot >= Int(parts.header.pointee.slotCount) { return .impossible }
      switch value {
      case .integer(let number): return parts.replace(slot, with: UInt64(bitPattern: number), as: SlotKind.integer)
      case .boolean(let isTrue): return parts.replace(slot, with: UInt64(isTrue ? 1 : 0), as: SlotKind.boolean)
      case .double(let number): return parts.replace(slot, with: number, as: SlotKind.double)
      case .date(let seconds): return parts.replace(slot, with: seconds, as: SlotKind.date)
      case .string(let string):
        return string.utf8.withContiguousStorageIfAvailable { text in
          parts.replace(slot, with: UnsafeRawBufferPointer(text))
        } ?? .impossible
      default: return .impossible
      }
    }
  }
}

extension RowStorage.Parts {
  @inline(__always)
  fileprivate func longByteCount(at slot: Int) -> Int {
    SlotKind.of(kinds[slot]) >= SlotKind.firstLong ? Int(words[slot] & 0xffff_ffff) : 0
  }

  @inline(__always)
  fileprivate func replace(_ slot: Int, with word: UInt64, as bits: UInt16) -> RowStorage.Replacement {
    if kinds[slot] == bits, words[slot] == word { return .same }
    let before = longByteCount(at: slot)
    kinds[slot] = bits
    words[slot] = word
    return .done(longByteCount: 0, before: before)
  }

  @inline(__always)
  fileprivate func replace(_ slot: Int, with number: Double, as bits: UInt16) -> RowStorage.Replacement {
    // Zero equals minus zero.
    if kinds[slot] == bits, Double(bitPattern: words[slot]) == number { return .same }
    let before = longByteCount(at: slot)
    kinds[slot] = bits
    words[slot] = number.bitPattern
    return .done(longByteCount: 0, before: before)
  }

  @inline(__always)
  fileprivate func replace(_ slot: Int, with text: UnsafeRawBufferPointer) -> RowStorage.Replacement {
    let before = longByteCount(at: slot)
    if kinds[slot] == SlotKind.string, before == text.count {
      let isSame =
        if let new = text.baseAddress, let old = bytes(words[slot]).baseAddress { memcmp(new, old, before) == 0 } else {
          true
        }
      if isSame { return .same }
    }
    let room = header.pointee.byteCapacity.count - Int(header.pointee.usedByteCount)
    if text.count > room { return .impossible }
    kinds[slot] = SlotKind.string
    put(text, as: SlotKind.string, at: slot)
    return .done(longByteCount: text.count, before: before)
  }
}
