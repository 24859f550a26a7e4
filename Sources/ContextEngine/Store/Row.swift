import Foundation
import MachineCore

/// One row as it was read or written, or as it is being changed: version and one value per slot of its entity.
///
/// A row is immutable once it is shared; snapshots, the row cache and every level of nested contexts then have it by
/// reference. Until then it belongs to one object with local changes, which changes it in place. One allocation; values
/// that are longer than a word lie in it as bytes, ready to be bound, compared and copied without being made anew.
// `@unchecked Sendable`: changed by the one owner that it has until it is shared.
package struct Row: @unchecked Sendable {
  private let storage: RowStorage

  package static let allSlots = UInt64.max

  init(_ storage: RowStorage) {
    self.storage = storage
  }

  /// The memory, kept alive until somebody releases it.
  var retainedStorage: Unmanaged<RowStorage> { .passRetained(storage) }

  /// A shared row.
  ///
  /// - Parameters:
  ///   - values: one per slot; `.null` where the row is partial and the slot was not read.
  ///   - slots: the slots that were read, as bits; a whole row has `Row.allSlots`.
  package init(version: Int64, values: [Value], slots: UInt64 = Row.allSlots) {
    let byteCount = values.reduce(0) { $0 + ModelledSize.payload(of: $1) }
    var row = Row(version: version, slots: slots, slotCount: values.count, byteCapacity: byteCount)
    for (slot, value) in values.enumerated() { row.set(value, at: slot) }
    self = row.shared()
  }

  /// A shared row in which nothing is anything.
  static func empty(slotCount: Int) -> Row {
    Row(version: 0, slotCount: slotCount, byteCapacity: 0).shared()
  }

  /// A row of its own with nothing in any slot, to be filled.
  package init(version: Int64, slots: UInt64 = Row.allSlots, slotCount: Int, byteCapacity: Int) {
    storage = RowStorage.make(version: version, slots: slots, slotCount: slotCount, byteCapacity: byteCapacity)
  }

  /// `Z_OPT`: raised by one with each update.
  package var version: Int64 { storage.withHeader { $0.version } }

  /// The slots that were read, as bits from the lowest.
  package var slots: UInt64 { storage.withHeader { $0.slots } }

  package var slotCount: Int { Int(storage.withHeader { $0.slotCount }) }

  /// Whether every slot was read.
  package var isWhole: Bool { storage.withHeader { $0.slots } == Row.allSlots }

  /// Whether the row may be with others, so that it never changes again.
  package var isShared: Bool { storage.withHeader { $0.isShared } }

  /// Whether both are the same memory.
  package static func === (left: Row, right: Row) -> Bool { left.identifier == right.identifier }

  /// Names the memory, for those who count rows.
  package var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  @inline(__always)
  private func withSlot<Result>(_ slot: Int, _ body: (RowStorage.Parts) -> Result) -> Result {
    storage.withParts { parts in
      precondition(slot >= 0 && slot < Int(parts.header.pointee.slotCount), "a row was asked for a slot that it lacks")
      return body(parts)
    }
  }
}

extension Row? {
  /// Whether both are the same memory, or nothing.
  package static func === (left: Row?, right: Row?) -> Bool { left?.identifier == right?.identifier }
}

// MARK: - Reading

extension Row {
  /// Every value. O(slots), and slow: makes each of them.
  package var values: [Value] { (0..<slotCount).map(value) }

  /// The value of a slot.
  package func value(at slot: Int) -> Value {
    withSlot(slot) { parts in
      let bits = parts.kinds[slot]
      let word = parts.words[slot]
      switch SlotKind.of(bits) {
      case SlotKind.null: return .null
      case SlotKind.integer: return .integer(Int64(bitPattern: word))
      case SlotKind.double: return .double(Double(bitPattern: word))
      case SlotKind.boolean: return .boolean(word != 0)
      case SlotKind.date: return .date(Double(bitPattern: word))
      case SlotKind.object: return .object(ObjectID(entity: SlotKind.entity(bits), key: Int64(bitPattern: word)))
      case SlotKind.string: return .string(String(decoding: parts.bytes(word), as: UTF8.self))
      default: return parts.longValue(bits, word)
      }
    }
  }

  package func isNull(at slot: Int) -> Bool {
    withSlot(slot) { SlotKind.of($0.kinds[slot]) == SlotKind.null }
  }

  /// Whether one of some slots, as bits, holds nothing.
  func isAnyNull(of slots: UInt64) -> Bool {
    storage.withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount)
      where slots & (1 << UInt64(slot)) != 0 && parts.kinds[slot] == SlotKind.null {
        return true
      }
      return false
    }
  }

  /// The integer in a slot; nil where there is something else or nothing.
  package func integer(at slot: Int) -> Int64? {
    withSlot(slot) { $0.kinds[slot] == SlotKind.integer ? Int64(bitPattern: $0.words[slot]) : nil }
  }

  /// The number, or the seconds of the date, in a slot; nil where there is something else or nothing.
  package func double(at slot: Int) -> Double? {
    withSlot(slot) { parts in
      let kind = parts.kinds[slot]
      return kind == SlotKind.double || kind == SlotKind.date ? Double(bitPattern: parts.words[slot]) : nil
    }
  }

  package func boolean(at slot: Int) -> Bool? {
    withSlot(slot) { $0.kinds[slot] == SlotKind.boolean ? $0.words[slot] != 0 : nil }
  }

  package func string(at slot: Int) -> String? {
    withSlot(slot) { parts in
      guard parts.kinds[slot] == SlotKind.string else { return nil }
      return String(decoding: parts.bytes(parts.words[slot]), as: UTF8.self)
    }
  }

  /// The object that a to-one relationship leads to.
  package func objectID(at slot: Int) -> ObjectID? {
    withSlot(slot) { parts in
      let bits = parts.kinds[slot]
      guard SlotKind.of(bits) == SlotKind.object else { return nil }
      return ObjectID(entity: SlotKind.entity(bits), key: Int64(bitPattern: parts.words[slot]))
    }
  }

  /// Calls `body` with a slot's value as a column takes it: strings and bytes lie in the row, for as long as that lives.
  @inline(__always)
  package func withColumnValue<Result>(at slot: Int, _ body: (ColumnForm) -> Result) -> Result {
    withSlot(slot) { parts in
      let word = parts.words[slot]
      return switch SlotKind.of(parts.kinds[slot]) {
      case SlotKind.null: body(.null)
      case SlotKind.integer, SlotKind.boolean, SlotKind.object: body(.integer(Int64(bitPattern: word)))
      case SlotKind.double, SlotKind.date: body(.double(Double(bitPattern: word)))
      case SlotKind.string, SlotKind.uri: body(.text(parts.bytes(word)))
      case SlotKind.binary, SlotKind.uuid: body(.blob(parts.bytes(word)))
      default: body(.decimal(parts.bytes(word).loadUnaligned(as: Decimal.self)))
      }
    }
  }

  /// Calls `body` with each slot's value as a column takes it, as long as it returns true.
  @inline(__always)
  package func forEachColumnValue(_ body: (Int, ColumnForm) -> Bool) {
    for slot in 0..<slotCount {
      if !withColumnValue(at: slot, { body(slot, $0) }) { return }
    }
  }

  /// A value as a column takes it.
  package enum ColumnForm {
    case null
    case integer(Int64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
    case decimal(Decimal)
  }

  /// Whether a reference leads to an object that is not in a store. O(slots).
  var refersToTemporary: Bool {
    storage.withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount)
      where SlotKind.of(parts.kinds[slot]) == SlotKind.object && Int64(bitPattern: parts.words[slot]) < 0 {
        return true
      }
      return false
    }
  }
}

extension RowStorage {
  /// What became of a value that was put into a slot.
  enum Replacement {
    /// The slot holds it already.
    case same
    /// It is there now; how many bytes behind the words the slot's values have and had.
    case done(longByteCount: Int, before: Int)
    /// There is no room for it, or the row is shared.
    case impossible
  }

  /// Puts a number or a string into a slot, if the row is not shared and has room.
  func replace(_ slot: Int, by value: Value) -> Replacement {
    withParts { parts in
      if parts.header.pointee.isShared || slot >= Int(parts.header.pointee.slotCount) { return .impossible }
      switch value {
      case .integer(let number): return parts.replace(slot, UInt64(bitPattern: number), SlotKind.integer)
      case .boolean(let isTrue): return parts.replace(slot, UInt64(isTrue ? 1 : 0), SlotKind.boolean)
      case .double(let number): return parts.replace(slot, number, SlotKind.double)
      case .date(let seconds): return parts.replace(slot, seconds, SlotKind.date)
      case .string(let string):
        return string.utf8.withContiguousStorageIfAvailable { text in
          parts.replace(slot, UnsafeRawBufferPointer(text))
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
  fileprivate func replace(_ slot: Int, _ word: UInt64, _ bits: UInt32) -> RowStorage.Replacement {
    if kinds[slot] == bits, words[slot] == word { return .same }
    let before = longByteCount(at: slot)
    kinds[slot] = bits
    words[slot] = word
    return .done(longByteCount: 0, before: before)
  }

  @inline(__always)
  fileprivate func replace(_ slot: Int, _ number: Double, _ bits: UInt32) -> RowStorage.Replacement {
    // Zero equals minus zero.
    if kinds[slot] == bits, Double(bitPattern: words[slot]) == number { return .same }
    let before = longByteCount(at: slot)
    kinds[slot] = bits
    words[slot] = number.bitPattern
    return .done(longByteCount: 0, before: before)
  }

  @inline(__always)
  fileprivate func replace(_ slot: Int, _ text: UnsafeRawBufferPointer) -> RowStorage.Replacement {
    let before = longByteCount(at: slot)
    if kinds[slot] == SlotKind.string, before == text.count {
      let isSame =
        if let new = text.baseAddress, let old = bytes(words[slot]).baseAddress { memcmp(new, old, before) == 0 } else {
          true
        }
      if isSame { return .same }
    }
    let room = Int(header.pointee.byteCapacity) - Int(header.pointee.usedByteCount)
    if text.count > room { return .impossible }
    kinds[slot] = SlotKind.string
    put(text, SlotKind.string, at: slot)
    return .done(longByteCount: text.count, before: before)
  }

  @inline(__always)
  func bytes(_ place: UInt64) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(place >> 32), count: Int(place & 0xffff_ffff))
  }

  /// The value of a kind that is rare.
  func longValue(_ bits: UInt32, _ place: UInt64) -> Value {
    let bytes = bytes(place)
    switch SlotKind.of(bits) {
    case SlotKind.binary: return .binary(Data(bytes))
    case SlotKind.decimal: return .decimal(bytes.loadUnaligned(as: Decimal.self))
    case SlotKind.uuid: return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    default: return URL(string: String(decoding: bytes, as: UTF8.self)).map(Value.uri) ?? .null
    }
  }

  /// How many of the bytes behind the words belong to values.
  var liveByteCount: Int {
    var count = 0
    for slot in 0..<Int(header.pointee.slotCount) where SlotKind.of(kinds[slot]) >= SlotKind.firstLong {
      count += Int(words[slot] & 0xffff_ffff)
    }
    return count
  }
}

// MARK: - Comparing

extension Row {
  /// The slots in which two whole rows of one entity differ, as bits. Strings differ where their bytes do.
  package func slotsDiffering(from other: Row) -> UInt64 {
    if self === other { return 0 }
    return storage.withParts { left in
      other.storage.withParts { right in
        var bits: UInt64 = 0
        for slot in 0..<Int(min(left.header.pointee.slotCount, right.header.pointee.slotCount))
        where !Self.isEqual(left, right, slot) {
          bits |= 1 << UInt64(slot)
        }
        return bits
      }
    }
  }

  /// Whether a slot holds the same in both.
  package func isEqual(to other: Row, at slot: Int) -> Bool {
    withSlot(slot) { left in other.withSlot(slot) { right in Self.isEqual(left, right, slot) } }
  }

  @inline(__always)
  private static func isEqual(_ left: RowStorage.Parts, _ right: RowStorage.Parts, _ slot: Int) -> Bool {
    let bits = left.kinds[slot]
    guard bits == right.kinds[slot] else { return false }
    let (word, other) = (left.words[slot], right.words[slot])
    let kind = SlotKind.of(bits)
    if kind >= SlotKind.firstLong {
      return isEqual(left.bytes(word), right.bytes(other), kind)
    }
    // Zero equals minus zero.
    return kind == SlotKind.double || kind == SlotKind.date
      ? Double(bitPattern: word) == Double(bitPattern: other) : word == other
  }

  @inline(__always)
  private static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ kind: UInt32) -> Bool {
    if kind == SlotKind.decimal {
      return left.loadUnaligned(as: Decimal.self) == right.loadUnaligned(as: Decimal.self)
    }
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }

  /// Whether a slot holds this very value, strings byte by byte.
  package func holds(_ value: Value, at slot: Int) -> Bool {
    switch value {
    case .string(let string): holds(string, at: slot)
    case .integer(let number): integer(at: slot) == number
    default: self.value(at: slot) == value
    }
  }

  package func holds(_ string: String, at slot: Int) -> Bool {
    withSlot(slot) { parts in
      guard parts.kinds[slot] == SlotKind.string else { return false }
      let held = parts.bytes(parts.words[slot])
      var string = string
      return string.withUTF8 { Self.isEqual(held, UnsafeRawBufferPointer($0), SlotKind.string) }
    }
  }
}

// MARK: - Changing

extension Row {
  /// A row of its own with the same values, which may be changed.
  ///
  /// - Parameter spareByteCount: room for so many bytes more.
  package func copy(spareByteCount: Int = 0) -> Row {
    storage.withParts { source in
      let header = source.header.pointee
      let copy = RowStorage.make(
        version: header.version, slots: header.slots, slotCount: Int(header.slotCount),
        byteCapacity: Int(header.usedByteCount) + spareByteCount)
      copy.withParts { target in
        target.header.pointee.usedByteCount = header.usedByteCount
        let byteCount = UnsafeRawPointer(source.bytes) - UnsafeRawPointer(source.words) + Int(header.usedByteCount)
        UnsafeMutableRawPointer(target.words).copyMemory(from: source.words, byteCount: byteCount)
      }
      return Row(copy)
    }
  }

  /// The same without the bytes that belong to no value any more.
  private func rebuilt(spareByteCount: Int = 0) -> Row {
    storage.withParts { source in
      let slotCount = Int(source.header.pointee.slotCount)
      let copy = RowStorage.make(
        version: source.header.pointee.version, slots: source.header.pointee.slots, slotCount: slotCount,
        byteCapacity: source.liveByteCount + spareByteCount)
      copy.withParts { target in
        for slot in 0..<slotCount {
          let bits = source.kinds[slot]
          target.kinds[slot] = bits
          if SlotKind.of(bits) >= SlotKind.firstLong {
            target.put(source.bytes(source.words[slot]), bits, at: slot)
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
    if !isShared { storage.withHeader { $0.isShared = true } }
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

  /// The row with another version: the same memory where it is not shared.
  package func with(version: Int64) -> Row {
    if version == self.version { return self }
    let row = isShared ? copy() : self
    row.storage.withHeader { $0.version = version }
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
    case .transformable(let value): trapMisuse("\(value) was put into a row before its transformer made bytes of it")
    }
  }

  package mutating func setInteger(_ number: Int64, at slot: Int) {
    setWord(UInt64(bitPattern: number), SlotKind.integer, at: slot)
  }

  package mutating func setDouble(_ number: Double, isDate: Bool = false, at slot: Int) {
    setWord(number.bitPattern, isDate ? SlotKind.date : SlotKind.double, at: slot)
  }

  package mutating func setBoolean(_ isTrue: Bool, at slot: Int) {
    setWord(isTrue ? 1 : 0, SlotKind.boolean, at: slot)
  }

  package mutating func setObject(ofEntity entity: Int32, key: Int64, at slot: Int) {
    setWord(UInt64(bitPattern: key), SlotKind.object(ofEntity: entity), at: slot)
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

  /// The same for a string that is given as its UTF-8.
  package mutating func setText(_ text: UnsafeRawBufferPointer, at slot: Int) {
    setBytes(text, SlotKind.string, at: slot)
  }

  private mutating func setText(_ string: String, _ bits: UInt32, at slot: Int) {
    var string = string
    string.withUTF8 { setBytes(UnsafeRawBufferPointer($0), bits, at: slot) }
  }

  @inline(__always)
  private mutating func setWord(_ word: UInt64, _ bits: UInt32, at slot: Int) {
    withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      parts.kinds[slot] = bits
      parts.words[slot] = word
    }
  }

  private mutating func setBytes(_ bytes: UnsafeRawBufferPointer, _ bits: UInt32, at slot: Int) {
    let hasRoom = withSlot(slot) { parts in
      Self.checkIsOwn(parts)
      guard Int(parts.header.pointee.usedByteCount) + bytes.count <= Int(parts.header.pointee.byteCapacity) else {
        return false
      }
      parts.kinds[slot] = bits
      parts.put(bytes, bits, at: slot)
      return true
    }
    if hasRoom { return }
    // What the slot held is not taken along, unless the bytes are its own.
    var grown = rebuilt(spareByteCount: bytes.count + Int(storage.withHeader { $0.usedByteCount }))
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
  func put(_ source: UnsafeRawBufferPointer, _ bits: UInt32, at slot: Int) {
    let offset = Int(header.pointee.usedByteCount)
    if let start = source.baseAddress { (bytes + offset).copyMemory(from: start, byteCount: source.count) }
    header.pointee.usedByteCount = UInt32(offset + source.count)
    words[slot] = UInt64(offset) << 32 | UInt64(source.count)
  }
}

// MARK: - Holders

extension Row {
  /// What the row takes by the rule of `ModelledSize`. O(slots).
  var byteCount: Int {
    storage.withParts { parts in
      ModelledSize.row + ModelledSize.slot * Int(parts.header.pointee.slotCount) + parts.liveByteCount
    }
  }

  /// Counts one holder more.
  ///
  /// - Returns: the bytes that are held now and were not before: all for the first holder, none for others.
  func hold() -> Int { storage.addHolders(1) == 0 ? byteCount : 0 }

  /// Counts one holder less.
  ///
  /// - Returns: the bytes that nobody holds any more: all for the last holder, none for others.
  func letGo() -> Int { storage.addHolders(-1) == 1 ? byteCount : 0 }

  /// Takes the place of a row that is being changed, which nobody else has.
  func takeHolders(of other: Row) {
    let holderCount = other.storage.withHeader { $0.holderCount }
    storage.withHeader { $0.holderCount = holderCount }
  }

  /// The bytes of a slot's value that lie behind the words; 0 for those that are no longer than a word.
  func longByteCount(at slot: Int) -> Int {
    withSlot(slot) { SlotKind.of($0.kinds[slot]) >= SlotKind.firstLong ? Int($0.words[slot] & 0xffff_ffff) : 0 }
  }
}
