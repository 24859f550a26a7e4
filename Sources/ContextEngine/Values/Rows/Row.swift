import Foundation
import MachineCore

/// One row as it was read or written, or as it is being changed: version and one value per slot of its entity.
///
/// A row is immutable once it is shared; snapshots, the row cache and every level of nested contexts then have it by
/// reference. Until then it belongs to one object with local changes, which changes it in place. One allocation; values
/// that are longer than a word lie in it as bytes, ready to be bound, compared and copied without being made anew.
// `@unchecked Sendable`: changed by the one owner that it has until it is shared.
package struct Row: @unchecked Sendable {
  /// What the row is. Nobody but rows, and those who hold them, looks into it.
  let storage: RowStorage

  package static let allSlots = UInt64.max

  /// The version in which a row is written first. New objects' rows have it from the beginning, so that what a child pushed is
  /// the very row that the store gets, shared by all levels, and not a copy with another number.
  static let firstVersion: Int64 = 1

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
  package var version: Int64 { storage.withHeader { $0.pointee.version } }

  /// The slots that were read, as bits from the lowest.
  package var slots: UInt64 { storage.withParts { $0.slots } }

  package var slotCount: Int { Int(storage.withHeader { $0.pointee.slotCount }) }

  /// Whether every slot was read.
  package var isWhole: Bool { storage.withHeader { $0.pointee.isWhole } }

  /// Whether the row may be with others, so that it never changes again.
  package var isShared: Bool { storage.withHeader { $0.pointee.isShared } }

  /// Whether both are the same memory.
  package static func === (left: Row, right: Row) -> Bool { left.identifier == right.identifier }

  /// Names the memory, for those who count rows.
  package var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  @inline(__always)
  func withSlot<Result>(_ slot: Int, _ body: (RowStorage.Parts) -> Result) -> Result {
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
      case SlotKind.external, SlotKind.unformed: trapMisuse("a value that has no bytes was to be put into a column")
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
  /// Whether one of some slots, as bits, holds nothing.
  func isAnyNull(of slots: UInt64) -> Bool {
    withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount)
      where slots & (1 << UInt64(slot)) != 0 && parts.kinds[slot] == SlotKind.null {
        return true
      }
      return false
    }
  }
}

extension RowStorage.Parts {
  @inline(__always)
  func bytes(_ place: UInt64) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(place >> 32), count: Int(place & 0xffff_ffff))
  }

  /// The value of a kind that is rare.
  func longValue(_ bits: UInt16, _ place: UInt64) -> Value {
    let bytes = bytes(place)
    switch SlotKind.of(bits) {
    case SlotKind.binary: return .binary(Data(bytes))
    case SlotKind.decimal: return .decimal(bytes.loadUnaligned(as: Decimal.self))
    case SlotKind.uuid: return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    case SlotKind.external:
      let data = Unmanaged<ExternalData>.fromOpaque(bytes.loadUnaligned(as: UnsafeRawPointer.self))
      return .binary(data.takeUnretainedValue().bytesOrTrap)
    case SlotKind.unformed:
      let value = Unmanaged<TransformableValue>.fromOpaque(bytes.loadUnaligned(as: UnsafeRawPointer.self))
      return .transformable(value.takeUnretainedValue())
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
