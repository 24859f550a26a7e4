// MARK: - Holders

extension Row {
  /// What the row takes by the rule of `ModelledSize`. O(slots).
  var byteCount: Int { storage.byteCount }

  /// Takes the place of a row that is being changed, which nobody else has.
  func takeHolders(of other: Row) {
    let holderCount = other.storage.withHeader { $0.pointee.holderCount }
    storage.withHeader { $0.pointee.holderCount = holderCount }
  }

  /// The bytes of a slot's value that lie behind the words; 0 for those that are no longer than a word.
  func longByteCount(at slot: Int) -> Int {
    withSlot(slot) { SlotKind.of($0.kinds[slot]) >= SlotKind.firstLong ? Int($0.words[slot] & 0xffff_ffff) : 0 }
  }
}

extension RowStorage {
  var byteCount: Int {
    withParts { parts in
      ModelledSize.row + ModelledSize.slot * Int(parts.header.pointee.slotCount) + parts.liveByteCount
    }
  }

  /// Counts one holder more.
  ///
  /// - Returns: the bytes that are held now and were not before: all for the first holder, none for others.
  func hold() -> Int { addHolders(1) == 0 ? byteCount : 0 }

  /// Counts one holder less.
  ///
  /// - Returns: the bytes that nobody holds any more: all for the last holder, none for others.
  func letGo() -> Int { addHolders(-1) == 1 ? byteCount : 0 }
}
