// MARK: - Holders

extension Row {
  /// The number of bytes that the row takes by the rules of `ModelledSize`. O(slots).
  package var byteCount: Int { storage.byteCount }

  /// Copies the number of holders from the row that this one replaces, which must not be shared.
  func takeHolders(of other: Row) {
    let holderCount = other.storage.withHeader { $0.pointee.holderCount }
    storage.withHeader { $0.pointee.holderCount = holderCount }
  }

  /// Returns the number of bytes of a slot's value that lie behind the words, or 0 if the value fits into a word.
  package func longByteCount(at slot: Int) -> Int {
    withSlot(slot) { SlotKind.of($0.kinds[slot]) >= SlotKind.firstLong ? Int($0.words[slot] & 0xffff_ffff) : 0 }
  }
}

extension RowStorage {
  var byteCount: Int {
    withParts { parts in
      ModelledSize.row + ModelledSize.slot * Int(parts.header.pointee.slotCount) + parts.liveByteCount
    }
  }

  /// Adds a holder.
  ///
  /// - Returns: The number of bytes that are now held for the first time: the row's size for the first holder, 0 for
  ///   others.
  func hold() -> Int { addHolders(1) == 0 ? byteCount : 0 }

  /// Removes a holder.
  ///
  /// - Returns: The number of bytes that are no longer held: the row's size for the last holder, 0 for others.
  func letGo() -> Int { addHolders(-1) == 1 ? byteCount : 0 }
}
