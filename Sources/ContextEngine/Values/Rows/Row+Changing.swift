import Foundation
import MachineCore

// MARK: - Changing

extension Row {
  /// A row of its own with the same values, which may be changed.
  ///
  /// - Parameter spareByteCount: room for so many bytes more.
  package func copy(spareByteCount: Int = 0) -> Row {
    storage.withParts { source in
      // Field by field: the number of holders may change meanwhile.
      let header = source.header
      let usedByteCount = Int(header.pointee.usedByteCount)
      let copy = RowStorage.make(
        version: header.pointee.version, slots: source.slots, slotCount: Int(header.pointee.slotCount),
        byteCapacity: usedByteCount + spareByteCount, countsReferences: header.pointee.countsReferences)
      copy.withParts { target in
        target.header.pointee.usedByteCount = UInt32(usedByteCount)
        let byteCount = UnsafeRawPointer(source.bytes) - UnsafeRawPointer(source.words) + usedByteCount
        UnsafeMutableRawPointer(target.words).copyMemory(from: source.words, byteCount: byteCount)
        if header.pointee.countsReferences {
          for slot in 0..<Int(header.pointee.slotCount) { target.retainReference(at: slot) }
        }
      }
      return Row(copy)
    }
  }

  /// The same without the bytes that belong to no value any more.
  private func rebuilt(spareByteCount: Int = 0, countsReferences: Bool = false) -> Row {
    storage.withParts { source in
      let slotCount = Int(source.header.pointee.slotCount)
      let copy = RowStorage.make(
        version: source.header.pointee.version, slots: source.slots, slotCount: slotCount,
        byteCapacity: source.liveByteCount + spareByteCount,
        countsReferences: countsReferences || source.header.pointee.countsReferences)
      copy.withParts { target in
        for slot in 0..<slotCount {
          let bits = source.kinds[slot]
          target.kinds[slot] = bits
          if SlotKind.of(bits) >= SlotKind.firstLong {
            target.put(source.bytes(source.words[slot]), bits, at: slot)
            if bits >= SlotKind.firstReference { target.retainReference(at: slot) }
          } else {
            target.words[slot] = source.words[slot]
          }
        }
      }
      return Row(copy)
    }
  }

  /// The row, from now on with others and never changed again.
  package func shared() -> Row {
    if !isShared { storage.withHeader { $0.pointee.isShared = true } }
    return self
  }

  /// The row without bytes that belong to no value any more, and without much room for others: often the row itself.
  func compacted() -> Row { isCompact ? self : rebuilt() }

  var isCompact: Bool {
    storage.withParts { parts in
      if parts.header.pointee.isShared { return true }
      let live = parts.liveByteCount
      return live == Int(parts.header.pointee.usedByteCount)
        && Int(parts.header.pointee.byteCapacity) <= live + Self.tolerableRoom
    }
  }

  private static var tolerableRoom: Int { 64 }

  /// The row, from now on with others and never changed again.
  func becomeShared() { if !isShared { storage.withHeader { $0.pointee.isShared = true } } }

  /// Gives the row another version; a row of its own where it is shared.
  mutating func setVersion(_ version: Int64) {
    if version == self.version { return }
    if isShared { self = copy() }
    storage.withHeader { $0.pointee.version = version }
  }

  /// The row with another version: the same memory where it is not shared.
  package func with(version: Int64) -> Row {
    if version == self.version { return self }
    let row = isShared ? copy() : self
    row.storage.withHeader { $0.pointee.version = version }
    return row
  }

  /// Changes a slot of a row that is not shared. O(1) amortised; O(row) where its bytes have to move.
  package mutating func set(_ value: Value, at slot: Int) {
    switch value {
    case .null: setWord(0, SlotKind.null, at: slot)
    case .integer(let number): setWord(UInt64(bitPattern: number), SlotKind.integer, at: slot)
    case .double(let number): setWord(number.bitPattern, SlotKind.double, at: slot)
    case .boolean(let isTrue): setWord(isTrue ? 1 : 0, SlotKind.boolean, at: slot)
    case .date(let seconds): setWord(seconds.bitPattern, SlotKind.date, at: slot)
    case .object(let objectID):
      setWord(UInt64(bitPattern: objectID.key), SlotKind.object(ofEntity: objectID.entity), at: slot)
    case .string(let string): set(string, at: slot)
    case .binary(let data): data.withUnsafeBytes { setBytes($0, SlotKind.binary, at: slot) }
    case .uri(let uri): setText(uri.absoluteString, SlotKind.uri, at: slot)
    case .decimal(let decimal): withUnsafeBytes(of: decimal) { setBytes($0, SlotKind.decimal, at: slot) }
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { setBytes($0, SlotKind.uuid, at: slot) }
    // Of which its transformer could make no bytes.
    case .transformable(let value): setReference(value, SlotKind.unformed, at: slot)
    }
  }

  /// The same for a string.
  package mutating func set(_ string: String, at slot: Int) {
    setText(string, SlotKind.string, at: slot)
  }

  /// Takes a slot over from another row.
  package mutating func set(_ slot: Int, from other: Row) {
    other.withSlot(slot) { source in
      let bits = source.kinds[slot]
      if SlotKind.of(bits) >= SlotKind.firstLong {
        setBytes(source.bytes(source.words[slot]), bits, at: slot)
      } else {
        setWord(source.words[slot], bits, at: slot)
      }
    }
  }

  /// A row of its own with some slots, as bits, taken over from another.
  package func replacing(_ slots: UInt64, by other: Row) -> Row {
    var row = copy()
    for slot in 0..<slotCount where slots & (1 << UInt64(slot)) != 0 { row.set(slot, from: other) }
    return row
  }

  private mutating func setText(_ string: String, _ bits: UInt16, at slot: Int) {
    var string = string
    string.withUTF8 { setBytes(UnsafeRawBufferPointer($0), bits, at: slot) }
  }

  @inline(__always)
  private mutating func setWord(_ word: UInt64, _ bits: UInt16, at slot: Int) {
    withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      if parts.header.pointee.countsReferences { parts.releaseReference(at: slot) }
      parts.kinds[slot] = bits
      parts.words[slot] = word
    }
  }

  /// Puts what is longer than a word into a slot of a row that is not shared; counts a reference.
  mutating func setBytes(_ bytes: UnsafeRawBufferPointer, _ bits: UInt16, at slot: Int) {
    let refers = bits >= SlotKind.firstReference && bits <= SlotKind.lastReference
    let hasRoom = withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      guard Int(parts.header.pointee.usedByteCount) + bytes.count <= Int(parts.header.pointee.byteCapacity) else {
        return false
      }
      let counts = parts.header.pointee.countsReferences
      if refers, !counts { return false }
      let replaced = counts ? parts.reference(at: slot) : nil
      parts.kinds[slot] = bits
      parts.put(bytes, bits, at: slot)
      if refers { parts.retainReference(at: slot) }
      replaced?.release()
      return true
    }
    if hasRoom { return }
    // What the slot held is not taken along, unless the bytes are its own.
    var grown = rebuilt(
      spareByteCount: bytes.count + Int(storage.withHeader { $0.pointee.usedByteCount }),
      countsReferences: refers)
    grown.setBytes(bytes, bits, at: slot)
    self = grown
  }

  @inline(__always)
  private static func checkIsOwn(_ parts: RowStorage.Parts) {
    precondition(!parts.header.pointee.isShared, "a row that others may have was to be changed")
  }
}

extension RowStorage.Parts {
  /// Puts bytes behind those that are there already; there must be room.
  @inline(__always)
  func put(_ source: UnsafeRawBufferPointer, _ bits: UInt16, at slot: Int) {
    let offset = Int(header.pointee.usedByteCount)
    if let start = source.baseAddress { (bytes + offset).copyMemory(from: start, byteCount: source.count) }
    header.pointee.usedByteCount = UInt32(offset + source.count)
    words[slot] = UInt64(offset) << 32 | UInt64(source.count)
  }
}
