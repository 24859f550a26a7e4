import Synchronization

/// The memory of one row, in one piece: a header, a word a slot, what kind of value each word is, and behind them the bytes
/// of what is longer than a word.
///
/// Unsafe: nothing here checks slots or kinds. `Row` does, and is what everybody else uses.
///
/// Changed while one thread alone has it; immutable once `isShared`, but for the number of holders, which is atomic.
class RowStorage: ManagedBuffer<RowStorage.Header, UInt64> {
  struct Header {
    /// How many snapshots and row caches have the row; first, where an `Atomic` finds it.
    var holderCount: Int32
    let slotCount: UInt16
    /// Whether others may have the row, so that it never changes again.
    var isShared: Bool
    /// Whether slots may hold references that are counted; the memory is an `ReferringRowStorage` then.
    let countsReferences: Bool
    /// How many bytes behind the words are taken, those of values that were replaced included.
    var usedByteCount: UInt32
    let byteCapacity: UInt32
    var version: Int64
    /// The slots that were read, as bits from the lowest.
    var slots: UInt64
  }

  /// Storage with nothing in any slot.
  ///
  /// - Parameters:
  ///   - byteCapacity: for so many bytes of strings and other long values.
  ///   - countsReferences: whether slots may refer to objects.
  static func make(
    version: Int64, slots: UInt64, slotCount: Int, byteCapacity: Int, countsReferences: Bool = false
  ) -> RowStorage {
    let kindWordCount = (slotCount + 1) / 2
    let byteWordCount = (byteCapacity + 7) / 8
    let header = Header(
      holderCount: 0, slotCount: UInt16(truncatingIfNeeded: slotCount), isShared: false,
      countsReferences: countsReferences, usedByteCount: 0,
      byteCapacity: UInt32(truncatingIfNeeded: byteWordCount * 8), version: version, slots: slots)
    let capacity = slotCount + kindWordCount + byteWordCount
    let buffer =
      countsReferences
      ? ReferringRowStorage.create(minimumCapacity: capacity) { _ in header }
      : RowStorage.create(minimumCapacity: capacity) { _ in header }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withParts { parts in parts.words.update(repeating: 0, count: slotCount + kindWordCount) }
    return storage
  }

  /// Where the parts of a row lie; valid inside `withParts`.
  struct Parts {
    let header: UnsafeMutablePointer<Header>
    let words: UnsafeMutablePointer<UInt64>
    let kinds: UnsafeMutablePointer<UInt32>
    let bytes: UnsafeMutableRawPointer
  }

  @inline(__always)
  func withParts<Result>(_ body: (Parts) -> Result) -> Result {
    withUnsafeMutablePointers { header, words in
      let slotCount = Int(header.pointee.slotCount)
      let kinds = UnsafeMutableRawPointer(words + slotCount)
      return body(
        Parts(
          header: header, words: words, kinds: kinds.assumingMemoryBound(to: UInt32.self),
          bytes: kinds + (slotCount + 1) / 2 * 8))
    }
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
      UnsafeMutableRawPointer(header).assumingMemoryBound(to: Atomic<Int32>.self).pointee
        .wrappingAdd(count, ordering: .relaxed).oldValue
    }
  }
}

/// What the word of a slot is; its lowest byte says so, and of references the bits above name the entity.
enum SlotKind {
  static let null: UInt32 = 0
  static let integer: UInt32 = 1
  static let double: UInt32 = 2
  static let boolean: UInt32 = 3
  static let date: UInt32 = 4
  static let object: UInt32 = 5
  /// From here on the word is a place behind the words: offset above, length below.
  static let string: UInt32 = 6
  static let binary: UInt32 = 7
  static let uri: UInt32 = 8
  static let decimal: UInt32 = 9
  static let uuid: UInt32 = 10
  /// From here on it is the place of the address of an object, which is retained.
  static let firstReference = external
  /// `ExternalData`, which stands for a file.
  static let external: UInt32 = 11
  /// `TransformableValue`, of which no bytes could be made.
  static let unformed: UInt32 = 12
  static let lastReference = unformed

  static let firstLong = string
  private static let mask: UInt32 = 0xff
  private static let entityShift: UInt32 = 8

  @inline(__always)
  static func of(_ bits: UInt32) -> UInt32 { bits & mask }

  @inline(__always)
  static func object(ofEntity entity: Int32) -> UInt32 { UInt32(bitPattern: entity) << entityShift | object }

  @inline(__always)
  static func entity(_ bits: UInt32) -> Int { Int(bits >> entityShift) }
}
