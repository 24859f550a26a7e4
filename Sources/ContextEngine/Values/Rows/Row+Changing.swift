import Foundation
import MachineCore

// MARK: - Changing

extension Row {
  /// Returns an unshared row with the same values, which may be changed, and room for the given number of additional
  /// bytes.
  package func copy(spareByteCount: Int = 0) -> Row {
    storage.withParts { source in
      // The fields are copied one by one, because other threads may change the number of holders at the same time.
      let header = source.header
      let usedByteCount = Int(header.pointee.usedByteCount)
      let copy = RowStorage.make(
        version: header.pointee.form.version, slots: source.slots, slotCount: Int(header.pointee.slotCount),
        byteCapacity: usedByteCount + spareByteCount, countsReferences: header.pointee.form.countsReferences)
      copy.withParts { target in
        target.header.pointee.usedByteCount = UInt32(usedByteCount)
        let byteCount = UnsafeRawPointer(source.bytes) - UnsafeRawPointer(source.words) + usedByteCount
        UnsafeMutableRawPointer(target.words).copyMemory(from: source.words, byteCount: byteCount)
        if header.pointee.form.countsReferences {
          for slot in 0..<Int(header.pointee.slotCount) { target.retainReference(at: slot) }
        }
      }
      return Row(copy)
    }
  }

  /// Returns an unshared copy without the bytes that belong to replaced values.
  private func rebuilt(spareByteCount: Int = 0, countsReferences: Bool = false) -> Row {
    storage.withParts { source in
      let slotCount = Int(source.header.pointee.slotCount)
      let copy = RowStorage.make(
        version: source.header.pointee.form.version, slots: source.slots, slotCount: slotCount,
        byteCapacity: source.liveByteCount + spareByteCount,
        countsReferences: countsReferences || source.header.pointee.form.countsReferences)
      copy.withParts { target in
        for slot in 0..<slotCount {
          let bits = source.kinds[slot]
          target.kinds[slot] = bits
          if SlotKind.of(bits) >= SlotKind.firstLong {
            target.put(source.bytes(source.words[slot]), as: bits, at: slot)
            if bits >= SlotKind.firstReference { target.retainReference(at: slot) }
          } else {
            target.words[slot] = source.words[slot]
          }
        }
      }
      return Row(copy)
    }
  }

  /// Marks the row as shared, so that it never changes again, and returns it.
  package func shared() -> Row {
    if !isShared { storage.withHeader { $0.pointee.form.isShared = true } }
    return self
  }

  /// Returns the row without the bytes that belong to replaced values and without much spare room: often the row
  /// itself.
  package func compacted() -> Row { isCompact ? self : rebuilt() }

  var isCompact: Bool {
    storage.withParts { parts in
      if parts.header.pointee.form.isShared { return true }
      let live = parts.liveByteCount
      return live == Int(parts.header.pointee.usedByteCount)
        && parts.header.pointee.byteCapacity.count <= live + Self.tolerableRoom
    }
  }

  private static var tolerableRoom: Int { 64 }

  /// Marks the row as shared, so that it never changes again.
  func becomeShared() { if !isShared { storage.withHeader { $0.pointee.form.isShared = true } } }

  /// Sets the row's version. A shared row is replaced by a copy first.
  mutating func setVersion(_ version: Int64) {
    if version == self.version { return }
    if isShared { self = copy() }
    storage.withHeader { $0.pointee.form.version = version }
  }

  /// Returns the row with another version. An unshared row is changed in place; a shared one is copied.
  package func with(version: Int64) -> Row {
    if version == self.version { return self }
    let row = isShared ? copy() : self
    row.storage.withHeader { $0.pointee.form.version = version }
    return row
  }

  /// Sets the value of a slot of a row that is not shared. O(1) amortised; O(row) if the row's bytes have to move.
  package mutating func set(_ value: Value, at slot: Int) {
    switch value {
    case .null: setWord(0, as: SlotKind.null, at: slot)
    case .integer(let number): setWord(UInt64(bitPattern: number), as: SlotKind.integer, at: slot)
    case .double(let number): setWord(number.bitPattern, as: SlotKind.double, at: slot)
    case .boolean(let isTrue): setWord(isTrue ? 1 : 0, as: SlotKind.boolean, at: slot)
    case .date(let seconds): setWord(seconds.bitPattern, as: SlotKind.date, at: slot)
    case .object(let objectID):
      setWord(UInt64(bitPattern: objectID.key), as: SlotKind.object(ofEntity: objectID.entity), at: slot)
    case .string(let string): set(string, at: slot)
    case .binary(let data): data.withUnsafeBytes { setBytes($0, as: SlotKind.binary, at: slot) }
    case .uri(let uri): setText(uri.absoluteString, as: SlotKind.uri, at: slot)
    case .decimal(let decimal): withUnsafeBytes(of: decimal) { setBytes($0, as: SlotKind.decimal, at: slot) }
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { setBytes($0, as: SlotKind.uuid, at: slot) }
    // This is a value that its transformer could not convert to bytes.
    case .transformable(let value): setReference(value, as: SlotKind.unformed, at: slot)
    }
  }

  /// Sets a slot of a row that is not shared to a string.
  package mutating func set(_ string: String, at slot: Int) {
    setText(string, as: SlotKind.string, at: slot)
  }

  /// Copies the value of a slot from another row into this one, which must not be shared.
  package mutating func set(_ slot: Int, from other: Row) {
    other.withSlot(slot) { source in
      let bits = source.kinds[slot]
      if SlotKind.of(bits) >= SlotKind.firstLong {
        setBytes(source.bytes(source.words[slot]), as: bits, at: slot)
      } else {
        setWord(source.words[slot], as: bits, at: slot)
      }
    }
  }

  /// Returns an unshared copy in which some slots have the values of another row.
  package func replacing(_ slots: SlotSet, by other: Row) -> Row {
    var row = copy()
    for slot in 0..<slotCount where slots.contains(slot) { row.set(slot, from: other) }
    return row
  }

  private mutating func setText(_ string: String, as bits: UInt16, at slot: Int) {
    var string = string
    string.withUTF8 { setBytes(UnsafeRawBufferPointer($0), as: bits, at: slot) }
  }

  @inline(__always)
  private mutating func setWord(_ word: UInt64, as bits: UInt16, at slot: Int) {
    withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      if parts.header.pointee.form.countsReferences { parts.releaseReference(at: slot) }
      parts.kinds[slot] = bits
      parts.words[slot] = word
    }
  }

  /// Puts a value that is longer than a word into a slot of a row that is not shared. If the value is a reference, it
  /// is retained.
  mutating func setBytes(_ bytes: UnsafeRawBufferPointer, as bits: UInt16, at slot: Int) {
    let refers = bits >= SlotKind.firstReference && bits <= SlotKind.lastReference
    let hasRoom = withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      guard Int(parts.header.pointee.usedByteCount) + bytes.count <= parts.header.pointee.byteCapacity.count else {
        return false
      }
      let counts = parts.header.pointee.form.countsReferences
      if refers, !counts { return false }
      let replaced = counts ? parts.reference(at: slot) : nil
      parts.kinds[slot] = bits
      parts.put(bytes, as: bits, at: slot)
      if refers { parts.retainReference(at: slot) }
      replaced?.release()
      return true
    }
    if hasRoom { return }
    // The new row leaves out the bytes of values that were replaced before. Its spare room grows with the row, so that
    // setting values is O(1) amortised.
    var grown = rebuilt(
      spareByteCount: bytes.count + Int(storage.withHeader { $0.pointee.usedByteCount }),
      countsReferences: refers)
    grown.setBytes(bytes, as: bits, at: slot)
    self = grown
  }

  @inline(__always)
  private static func checkIsOwn(_ parts: RowStorage.Parts) {
    precondition(!parts.header.pointee.form.isShared, "a row that is shared cannot be changed")
  }
}

extension RowStorage.Parts {
  /// Appends bytes to those of the row and makes a slot refer to them. There must be room for them.
  @inline(__always)
  func put(_ source: UnsafeRawBufferPointer, as bits: UInt16, at slot: Int) {
    let offset = Int(header.pointee.usedByteCount)
    if let start = source.baseAddress { (bytes + offset).copyMemory(from: start, byteCount: source.count) }
    header.pointee.usedByteCount = UInt32(offset + source.count)
    words[slot] = UInt64(offset) << 32 | UInt64(source.count)
  }
}
