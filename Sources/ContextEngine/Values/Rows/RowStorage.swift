import Synchronization

/// The memory of one row, in one piece: a header, a word a slot, what kind of value each word is, which slots were read where
/// that is not all of them, and behind them the bytes of what is longer than a word.
///
/// Unsafe: nothing here checks slots or kinds. `Row` does, and is what everybody else uses.
///
/// Changed while one thread alone has it; immutable once `isShared`, but for the number of holders, which is atomic.
class RowStorage: ManagedBuffer<RowStorage.Header, UInt64> {
  struct Header {
    /// How many snapshots and row caches have the row; first, where an `Atomic` finds it.
    var holderCount: Int32
    /// At most 64, which sets of slots are bits of a word for.
    let slotCount: UInt8
    /// Whether others may have the row, so that it never changes again.
    var isShared: Bool
    /// Whether every slot was read.
    let isWhole: Bool
    /// Whether slots may hold references that are counted; the memory is a `ReferringRowStorage` then.
    let countsReferences: Bool
    /// How many bytes behind the words are taken, those of values that were replaced included.
    var usedByteCount: UInt32
    let byteCapacity: UInt32
    var version: Int64
  }

  /// Storage with nothing in any slot.
  ///
  /// - Parameters:
  ///   - slots: those that were read, as bits from the lowest.
  ///   - byteCapacity: for so many bytes of strings and other long values, or a few more.
  ///   - countsReferences: whether slots may refer to objects.
  @inline(__always)
  static func make(
    version: Int64, slots: UInt64, slotCount: Int, byteCapacity: Int, countsReferences: Bool = false
  ) -> RowStorage {
    let isWhole = slots == Row.allSlots
    let fixedByteCount = slotCount * MemoryLayout<UInt16>.size + (isWhole ? 0 : MemoryLayout<UInt64>.size)
    let wordCount = slotCount + (fixedByteCount + byteCapacity + 7) / 8
    let header = Header(
      holderCount: 0, slotCount: UInt8(slotCount), isShared: false, isWhole: isWhole,
      countsReferences: countsReferences, usedByteCount: 0,
      byteCapacity: UInt32(truncatingIfNeeded: (wordCount - slotCount) * 8 - fixedByteCount), version: version)
    let buffer =
      countsReferences
      ? ReferringRowStorage.create(minimumCapacity: wordCount) { _ in header }
      : RowStorage.create(minimumCapacity: wordCount) { _ in header }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withParts { parts in
      parts.words.update(repeating: 0, count: slotCount + (fixedByteCount + 7) / 8)
      if !isWhole { (parts.bytes - MemoryLayout<UInt64>.size).storeBytes(of: slots, as: UInt64.self) }
    }
    return storage
  }

  /// Where the parts of a row lie; valid inside `withParts`.
  struct Parts {
    let header: UnsafeMutablePointer<Header>
    let words: UnsafeMutablePointer<UInt64>
    let kinds: UnsafeMutablePointer<UInt16>

    @inline(__always)
    init(_ header: UnsafeMutablePointer<Header>, _ words: UnsafeMutablePointer<UInt64>) {
      self.header = header
      self.words = words
      kinds = UnsafeMutableRawPointer(words + Int(header.pointee.slotCount)).assumingMemoryBound(to: UInt16.self)
    }

    /// Behind everything else, without alignment.
    @inline(__always)
    var bytes: UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(kinds + Int(header.pointee.slotCount))
        + (header.pointee.isWhole ? 0 : MemoryLayout<UInt64>.size)
    }

    /// The slots that were read, as bits from the lowest.
    @inline(__always)
    var slots: UInt64 {
      if header.pointee.isWhole { return Row.allSlots }
      return (bytes - MemoryLayout<UInt64>.size).loadUnaligned(as: UInt64.self)
    }
  }

  @inline(__always)
  func withParts<Result>(_ body: (Parts) -> Result) -> Result {
    withUnsafeMutablePointers { header, words in body(Parts(header, words)) }
  }

  /// For single fields, by a pointer: `header` and an `inout` are accesses to all of them, the number of holders too.
  @inline(__always)
  func withHeader<Result>(_ body: (UnsafeMutablePointer<Header>) -> Result) -> Result {
    withUnsafeMutablePointerToHeader(body)
  }

  /// Adds to the number of holders; returns what it was before.
  @inline(__always)
  func addHolders(_ count: Int32) -> Int32 {
    withUnsafeMutablePointerToHeader { header in
      guard header.pointee.isShared else {
        // Only one object has it.
        let before = header.pointee.holderCount
        header.pointee.holderCount = before + count
        return before
      }
      return UnsafeMutableRawPointer(header).assumingMemoryBound(to: Atomic<Int32>.self).pointee
        .wrappingAdd(count, ordering: .relaxed).oldValue
    }
  }
}

/// What the word of a slot is; its lowest four bits say so, and of references the bits above name the entity.
enum SlotKind {
  static let null: UInt16 = 0
  static let integer: UInt16 = 1
  static let double: UInt16 = 2
  static let boolean: UInt16 = 3
  static let date: UInt16 = 4
  static let object: UInt16 = 5
  /// From here on the word is a place behind the words: offset above, length below.
  static let string: UInt16 = 6
  static let binary: UInt16 = 7
  static let uri: UInt16 = 8
  static let decimal: UInt16 = 9
  static let uuid: UInt16 = 10
  /// From here on it is the place of the address of an object, which is retained.
  static let firstReference = external
  /// `ExternalData`, which stands for a file.
  static let external: UInt16 = 11
  /// `TransformableValue`, of which no bytes could be made.
  static let unformed: UInt16 = 12
  static let lastReference = unformed

  static let firstLong = string
  private static let mask: UInt16 = 0xf
  private static let entityShift: UInt16 = 4
  /// How many entities a model can have.
  static let entityLimit = 1 << (16 - entityShift)

  @inline(__always)
  static func of(_ bits: UInt16) -> UInt16 { bits & mask }

  @inline(__always)
  static func object(ofEntity entity: some BinaryInteger) -> UInt16 {
    precondition(entity < entityLimit, "a reference leads to an object of an entity that no model has")
    return UInt16(truncatingIfNeeded: entity) << entityShift | object
  }

  @inline(__always)
  static func entity(_ bits: UInt16) -> Int { Int(bits >> entityShift) }
}
