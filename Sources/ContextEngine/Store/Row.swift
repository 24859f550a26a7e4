import Synchronization

/// One row of a store as it was read or written: version and one value per slot of its entity. Immutable.
///
/// Snapshots, the row cache and every level of nested contexts share one row by reference.
package final class Row: Sendable {
  /// `Z_OPT`: raised by one with each update.
  package let version: Int64
  /// One value per slot; `.null` where the row is partial and the slot was not read.
  package let values: [Value]
  /// The slots that were read, as bits from the lowest; a whole row has `Row.allSlots`.
  package let slots: UInt64

  /// What the row takes by the rule of `ModelledSize`.
  let byteCount: Int
  /// How many snapshots and row caches have the row, those that only pass it on left out.
  private let holderCount = Atomic(0)

  package static let allSlots = UInt64.max

  package init(version: Int64, values: [Value], slots: UInt64 = Row.allSlots) {
    self.version = version
    self.values = values
    self.slots = slots
    byteCount = ModelledSize.row + ModelledSize.array(of: values)
  }

  /// Whether every slot was read.
  package var isWhole: Bool { slots == Row.allSlots }

  /// The slots in which two whole rows of one entity differ, as bits.
  package func slotsDiffering(from other: Row) -> UInt64 {
    var bits: UInt64 = 0
    for slot in values.indices where values[slot] != other.values[slot] {
      bits |= 1 << UInt64(slot)
    }
    return bits
  }

  package func value(at slot: Int) -> Value { values[slot] }

  // MARK: Holders

  /// Counts one holder more.
  ///
  /// - Returns: the bytes that are held now and were not before: all for the first holder, none for others.
  func hold() -> Int {
    holderCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? byteCount : 0
  }

  /// Counts one holder less.
  ///
  /// - Returns: the bytes that nobody holds any more: all for the last holder, none for others.
  func letGo() -> Int {
    holderCount.wrappingSubtract(1, ordering: .relaxed).newValue == 0 ? byteCount : 0
  }
}
