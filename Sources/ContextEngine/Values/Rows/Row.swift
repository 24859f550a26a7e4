import Foundation
import MachineCore

/// One row as it was read or written, or as it is being changed: a version and one value for each slot of its entity.
///
/// A row is immutable once it is shared; snapshots, the row cache and every level of nested contexts then refer to the
/// same row. Before that it belongs to one object with local changes, which changes it in place. A row is one
/// allocation. Values that are longer than a word are stored in it as bytes, which can be bound, compared and copied
/// without creating the values again.
// `@unchecked Sendable`: until a row is shared, only its one owner changes it.
package struct Row: @unchecked Sendable {
  /// The row's memory. Only rows and the code that holds them access it.
  package let storage: RowStorage

  /// The version in which a row is first written. The rows of new objects have it from the beginning, so that a row
  /// which a child pushes is the row that the store receives, shared by all levels, and not a copy with another
  /// version.
  static let firstVersion: Int64 = 1

  init(_ storage: RowStorage) {
    self.storage = storage
  }

  /// The row's memory, retained once more. The caller must release it.
  var retainedStorage: Unmanaged<RowStorage> { .passRetained(storage) }

  /// Creates a shared row.
  ///
  /// - Parameters:
  ///   - version: The version of the row.
  ///   - values: One value for each slot; `.null` if the row is partial and the slot was not read.
  ///   - slots: The slots that were read; a whole row has `.all`.
  package init(version: Int64, values: [Value], slots: SlotSet = .all) {
    let byteCount = values.reduce(0) { $0 + ModelledSize.payload(of: $1) }
    var row = Row(version: version, slots: slots, slotCount: values.count, byteCapacity: byteCount)
    for (slot, value) in values.enumerated() { row.set(value, at: slot) }
    self = row.shared()
  }

  /// Returns a shared row of version 0 in which every slot is null.
  static func empty(slotCount: Int) -> Row {
    Row(version: 0, slotCount: slotCount, byteCapacity: 0).shared()
  }

  /// Creates an unshared row in which every slot is null, to be filled.
  package init(version: Int64, slots: SlotSet = .all, slotCount: Int, byteCapacity: Int) {
    storage = RowStorage.make(version: version, slots: slots, slotCount: slotCount, byteCapacity: byteCapacity)
  }

  /// The `Z_OPT` of the row: a number that each update increases by one.
  package var version: Int64 { storage.withHeader { $0.pointee.form.version } }

  /// The slots that were read.
  package var slots: SlotSet { storage.withParts { $0.slots } }

  package var slotCount: Int { Int(storage.withHeader { $0.pointee.slotCount }) }

  /// Returns true if the slot was read.
  @inline(__always)
  package func wasRead(_ slot: Int) -> Bool { storage.withParts { $0.wasRead(slot) } }

  /// True if every slot was read.
  package var isWhole: Bool { storage.withHeader { $0.pointee.form.isWhole } }

  /// True if others may have the row, which therefore never changes again.
  package var isShared: Bool { storage.withHeader { $0.pointee.form.isShared } }

  /// Returns true if both are the same memory.
  package static func === (left: Row, right: Row) -> Bool { left.identifier == right.identifier }

  /// An identifier of the row's memory, for code that counts rows.
  package var identifier: ObjectIdentifier { ObjectIdentifier(storage) }

  @inline(__always)
  func withSlot<Result>(_ slot: Int, body: (RowStorage.Parts) -> Result) -> Result {
    storage.withParts { parts in
      precondition(slot >= 0 && slot < Int(parts.header.pointee.slotCount), "a row does not have the requested slot")
      return body(parts)
    }
  }
}

extension Row? {
  /// Returns true if both are the same memory or both are nil.
  package static func === (left: Row?, right: Row?) -> Bool { left?.identifier == right?.identifier }
}

// MARK: - Reading

extension Row {
  /// All values, in the order of the slots. O(slots), and slow, because each value is created.
  package var values: [Value] { (0..<slotCount).map(value) }

  /// Returns the value of a slot. Traps if the value is in a file that is missing or cannot be read.
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
      default: return parts.longValue(bits, at: word)
      }
    }
  }

  package func isNull(at slot: Int) -> Bool {
    withSlot(slot) { SlotKind.of($0.kinds[slot]) == SlotKind.null }
  }

  /// Returns the integer in a slot, or nil if the slot is null or holds another kind of value.
  package func integer(at slot: Int) -> Int64? {
    withSlot(slot) { $0.kinds[slot] == SlotKind.integer ? Int64(bitPattern: $0.words[slot]) : nil }
  }

  /// Returns the number, or the seconds of the date, in a slot, or nil if the slot is null or holds another kind of
  /// value.
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

  /// Returns the ID of the object that a to-one relationship leads to, or nil if there is none.
  package func objectID(at slot: Int) -> ObjectID? {
    withSlot(slot) { parts in
      let bits = parts.kinds[slot]
      guard SlotKind.of(bits) == SlotKind.object else { return nil }
      return ObjectID(entity: SlotKind.entity(bits), key: Int64(bitPattern: parts.words[slot]))
    }
  }

  /// Calls `body` with a slot's value in the form that a column takes. Strings and bytes point into the row and are
  /// valid only while it is alive.
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
      case SlotKind.external, SlotKind.unformed: trapMisuse("a value without bytes cannot be stored in a column")
      default: body(.decimal(parts.bytes(word).loadUnaligned(as: Decimal.self)))
      }
    }
  }

  /// Calls `body` with each slot's value in the form that a column takes, until `body` returns false.
  @inline(__always)
  package func forEachColumnValue(_ body: (Int, ColumnForm) -> Bool) {
    for slot in 0..<slotCount {
      if !withColumnValue(at: slot, { body(slot, $0) }) { return }
    }
  }

  /// A value in the form that a column takes.
  package enum ColumnForm {
    case null
    case integer(Int64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
    case decimal(Decimal)
  }

  /// True if a relationship refers to an object with a temporary ID. O(slots).
  package var refersToTemporary: Bool {
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
  /// Returns true if at least one of some slots is null.
  @inline(__always)
  func isAnyNull(of slots: SlotSet) -> Bool {
    withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount)
      where slots.contains(slot) && parts.kinds[slot] == SlotKind.null {
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

  /// Returns the value of one of the less frequent kinds, whose bytes lie behind the words.
  func longValue(_ bits: UInt16, at place: UInt64) -> Value {
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

  /// The number of bytes behind the words that belong to current values.
  var liveByteCount: Int {
    var count = 0
    for slot in 0..<Int(header.pointee.slotCount) where SlotKind.of(kinds[slot]) >= SlotKind.firstLong {
      count += Int(words[slot] & 0xffff_ffff)
    }
    return count
  }
}
