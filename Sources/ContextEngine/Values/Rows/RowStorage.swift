import Synchronization

/// The memory of one row, in one piece: a header, a word for each slot, the kind of value that each word is, the slots
/// that were read unless all of them were, and behind them the bytes of values that are longer than a word.
///
/// Unsafe: this class does not check slots or kinds. `Row` does, and other code uses `Row`.
///
/// The memory changes while only one thread has it and is immutable once `isShared` is true, except for the number of
/// holders, which is atomic then.
package class RowStorage: ManagedBuffer<RowStorage.Header, UInt64> {
  /// The properties of a row in 16 bytes. A row of five slots with two short strings then takes 128 bytes, a size of the
  /// allocator's; eight more bytes would take 160.
  package struct Header {
    /// The number of snapshots and row caches that have the row. It is the first field, because an `Atomic` is read at
    /// the address of the header.
    var holderCount: Int32
    let slotCount: UInt16
    let byteCapacity: Capacity
    /// The number of bytes behind the words that are in use, including the bytes of values that were replaced.
    var usedByteCount: UInt32
    var form: Form

    // The properties of these types are not properties of the header, because one of the header would read all its
    // fields, the number of holders included.

    /// A number of bytes that is exact up to 2,047, and may be larger by one part in 1,024 above.
    struct Capacity {
      /// The lower eleven bits are a number, and the upper five are the number of zero bits behind it.
      private let bits: UInt16

      /// Creates the smallest capacity of at least a number of bytes.
      @inline(__always)
      init(atLeast count: Int) {
        guard count > Self.largestExactCount else {
          bits = UInt16(count)
          return
        }
        let shift = Int.bitWidth - count.leadingZeroBitCount - 11
        let number = (count + (1 << shift) - 1) >> shift
        // A number that was rounded up to a power of two has a half with one more zero bit.
        bits = number > Self.largestExactCount ? UInt16((shift + 1) << 11 | number >> 1) : UInt16(shift << 11 | number)
      }

      @inline(__always)
      var count: Int { Int(bits & 0x7ff) << Int(bits >> 11) }

      static let largestExactCount = 0x7ff
    }

    /// The version and the flags of a row, which share four bytes.
    struct Form {
      private var bits: UInt32

      @inline(__always)
      init(version: Int64, isWhole: Bool, countsReferences: Bool) {
        bits = (isWhole ? 2 : 0) | (countsReferences ? 4 : 0)
        self.version = version
      }

      /// The version, which is 0 to 2²⁹ − 1. A number in a file that lies outside becomes the nearest of these, so that a
      /// save of the row is a conflict.
      @inline(__always)
      var version: Int64 {
        get { Int64(bits >> 3) }
        set { bits = bits & 7 | UInt32(min(max(newValue, 0), Self.largestVersion)) << 3 }
      }

      /// True if others may have the row, which therefore never changes again.
      @inline(__always)
      var isShared: Bool {
        get { bits & 1 != 0 }
        set { bits = newValue ? bits | 1 : bits & ~1 }
      }

      /// True if every slot was read.
      @inline(__always)
      var isWhole: Bool { bits & 2 != 0 }

      /// True if slots may hold counted references; the memory is a `ReferringRowStorage` then.
      @inline(__always)
      var countsReferences: Bool { bits & 4 != 0 }

      private static let largestVersion: Int64 = (1 << 29) - 1
    }
  }

  /// Creates storage in which every slot is null.
  ///
  /// - Parameters:
  ///   - version: The version of the row.
  ///   - slots: The slots that were read.
  ///   - slotCount: The number of slots.
  ///   - byteCapacity: The least number of bytes to reserve for strings and other long values.
  ///   - countsReferences: True if slots may refer to objects.
  /// - Returns: The storage, which has no holder yet.
  @inline(__always)
  static func make(
    version: Int64, slots: SlotSet, slotCount: Int, byteCapacity: Int, countsReferences: Bool = false
  ) -> RowStorage {
    let isWhole = slots.isAll
    let fixedByteCount = slotCount * MemoryLayout<UInt16>.size + (isWhole ? 0 : setByteCount(ofSlots: slotCount))
    // The bytes of the last word belong to the capacity if it can be exact.
    let exactCount = (fixedByteCount + byteCapacity + 7) & ~7 - fixedByteCount
    let capacity = Header.Capacity(
      atLeast: exactCount <= Header.Capacity.largestExactCount ? exactCount : byteCapacity)
    let wordCount = slotCount + (fixedByteCount + capacity.count + 7) / 8
    let header = Header(
      holderCount: 0, slotCount: UInt16(slotCount), byteCapacity: capacity, usedByteCount: 0,
      form: Header.Form(version: version, isWhole: isWhole, countsReferences: countsReferences))
    let buffer =
      countsReferences
      ? ReferringRowStorage.create(minimumCapacity: wordCount) { _ in header }
      : RowStorage.create(minimumCapacity: wordCount) { _ in header }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withParts { parts in
      parts.words.update(repeating: 0, count: slotCount + (fixedByteCount + 7) / 8)
      if !isWhole { parts.store(slots) }
    }
    return storage
  }

  /// Pointers to the parts of a row; valid inside `withParts`.
  struct Parts {
    let header: UnsafeMutablePointer<Header>
    let words: UnsafeMutablePointer<UInt64>
    let kinds: UnsafeMutablePointer<UInt16>

    @inline(__always)
    init(header: UnsafeMutablePointer<Header>, words: UnsafeMutablePointer<UInt64>) {
      self.header = header
      self.words = words
      kinds = UnsafeMutableRawPointer(words + Int(header.pointee.slotCount)).assumingMemoryBound(to: UInt16.self)
    }

    /// The address of the bytes of long values, which follow all other parts and are not aligned.
    @inline(__always)
    var bytes: UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(kinds + Int(header.pointee.slotCount))
        + (header.pointee.form.isWhole ? 0 : RowStorage.setByteCount(ofSlots: Int(header.pointee.slotCount)))
    }

    /// The slots that were read.
    @inline(__always)
    var slots: SlotSet {
      if header.pointee.form.isWhole { return .all }
      if Int(header.pointee.slotCount) <= SlotSet.wordWidth { return SlotSet(firstWord: word(0)) }
      return SlotSet(words: (0..<setByteCount / MemoryLayout<UInt64>.size).map(word))
    }

    /// Returns true if the slot was read.
    @inline(__always)
    func wasRead(_ slot: Int) -> Bool {
      header.pointee.form.isWhole || word(slot / SlotSet.wordWidth) & (1 << UInt64(slot % SlotSet.wordWidth)) != 0
    }

    /// Writes the set of slots that were read; the row must have room for one.
    fileprivate func store(_ slots: SlotSet) {
      for index in 0..<setByteCount / MemoryLayout<UInt64>.size {
        (bytes - setByteCount).storeBytes(
          of: slots.word(index), toByteOffset: index * MemoryLayout<UInt64>.size, as: UInt64.self)
      }
    }

    /// Returns a word of the set of slots that were read; the row must have one.
    @inline(__always)
    private func word(_ index: Int) -> UInt64 {
      (bytes - setByteCount).loadUnaligned(fromByteOffset: index * MemoryLayout<UInt64>.size, as: UInt64.self)
    }

    @inline(__always)
    private var setByteCount: Int { RowStorage.setByteCount(ofSlots: Int(header.pointee.slotCount)) }
  }

  /// Returns the number of bytes of a set of a row's slots: a word for each 64 of them, and one at least.
  @inline(__always)
  private static func setByteCount(ofSlots slotCount: Int) -> Int {
    max(1, (slotCount + SlotSet.wordWidth - 1) / SlotSet.wordWidth) * MemoryLayout<UInt64>.size
  }

  @inline(__always)
  func withParts<Result>(_ body: (Parts) -> Result) -> Result {
    withUnsafeMutablePointers { header, words in body(Parts(header: header, words: words)) }
  }

  /// Calls `body` with a pointer to the header, through which it accesses single fields. Access through `header` or as
  /// `inout` would be an access to all fields, including the number of holders.
  @inline(__always)
  func withHeader<Result>(_ body: (UnsafeMutablePointer<Header>) -> Result) -> Result {
    withUnsafeMutablePointerToHeader(body)
  }

  /// Adds to the number of holders and returns the number before.
  @inline(__always)
  func addHolders(_ count: Int32) -> Int32 {
    withUnsafeMutablePointerToHeader { header in
      guard header.pointee.form.isShared else {
        // The row belongs to one object only, so no atomic operation is needed.
        let before = header.pointee.holderCount
        header.pointee.holderCount = before + count
        return before
      }
      return UnsafeMutableRawPointer(header).assumingMemoryBound(to: Atomic<Int32>.self).pointee
        .wrappingAdd(count, ordering: .relaxed).oldValue
    }
  }
}

/// The kinds of values that the word of a slot can be. The lowest four bits are the kind; for a relationship, the bits
/// above them are the entity.
package enum SlotKind {
  static let null: UInt16 = 0
  static let integer: UInt16 = 1
  static let double: UInt16 = 2
  static let boolean: UInt16 = 3
  static let date: UInt16 = 4
  static let object: UInt16 = 5
  /// The first kind whose word is not a value but a place behind the words: the offset in the upper half, the length in
  /// the lower.
  static let string: UInt16 = 6
  static let binary: UInt16 = 7
  static let uri: UInt16 = 8
  static let decimal: UInt16 = 9
  static let uuid: UInt16 = 10
  /// The first kind whose bytes are the address of a retained object.
  static let firstReference = external
  /// A reference to an `ExternalData`, a value in a file.
  static let external: UInt16 = 11
  /// A reference to a `TransformableValue` that could not be converted to bytes.
  static let unformed: UInt16 = 12
  static let lastReference = unformed

  static let firstLong = string
  private static let mask: UInt16 = 0xf
  private static let entityShift: UInt16 = 4
  /// The number of entities that a model can have.
  package static let entityLimit = 1 << (16 - entityShift)

  @inline(__always)
  static func of(_ bits: UInt16) -> UInt16 { bits & mask }

  @inline(__always)
  static func object(ofEntity entity: some BinaryInteger) -> UInt16 {
    precondition(entity < entityLimit, "a reference leads to an object of an entity number that is too large")
    return UInt16(truncatingIfNeeded: entity) << entityShift | object
  }

  @inline(__always)
  static func entity(_ bits: UInt16) -> Int { Int(bits >> entityShift) }
}
