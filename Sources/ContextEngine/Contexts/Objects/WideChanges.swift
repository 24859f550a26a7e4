import MachineCore

/// The changed slots of an object of an entity with more than 64 slots.
final class WideChanges {
  var changed = SlotSet()
  var inEvent = SlotSet()
}

// An object has a word for each of its two sets of slots. That is all it needs if its entity has at most 64 slots. If
// there are more, the first word is the address of a `WideChanges` instead, and the flag `wide` is set.
extension ManagedObject {
  /// The slots changed since the last save.
  package internal(set) var changedSlots: SlotSet {
    @inline(__always)
    get {
      if flags.contains(.wide) { return withWideChanges(\.changed) }
      return SlotSet(first: changedWord, others: nil)
    }
    @inline(__always)
    set {
      if flags.contains(.wide) {
        withWideChanges { $0.changed = newValue }
      } else {
        changedWord = newValue.first
      }
    }
  }

  /// The slots changed since pending changes were last processed.
  var eventSlots: SlotSet {
    @inline(__always)
    get {
      if flags.contains(.wide) { return withWideChanges(\.inEvent) }
      return SlotSet(first: eventWord, others: nil)
    }
    @inline(__always)
    set {
      if flags.contains(.wide) {
        withWideChanges { $0.inEvent = newValue }
      } else {
        eventWord = newValue.first
      }
    }
  }

  /// Adds a slot to both sets.
  @inline(__always)
  func insertChanged(_ slot: Int) {
    if flags.contains(.wide) {
      withWideChanges {
        $0.changed.insert(slot)
        $0.inEvent.insert(slot)
      }
    } else {
      changedWord |= 1 << UInt64(truncatingIfNeeded: slot)
      eventWord |= 1 << UInt64(truncatingIfNeeded: slot)
    }
  }

  /// Replaces the words of a new object by a `WideChanges`.
  func makeWide() {
    flags.insert(.wide)
    changedWord = UInt64(UInt(bitPattern: Unmanaged.passRetained(WideChanges()).toOpaque()))
  }

  /// Releases the `WideChanges` of an object that is destroyed.
  func releaseWideChanges() {
    withWideReference { $0.release() }
  }

  private func withWideChanges<Result>(_ body: (WideChanges) -> Result) -> Result {
    withWideReference { $0._withUnsafeGuaranteedRef(body) }
  }

  private func withWideReference<Result>(_ body: (Unmanaged<WideChanges>) -> Result) -> Result {
    guard let address = UnsafeRawPointer(bitPattern: UInt(changedWord)) else {
      trapMisuse("an object of \(entity.name) has lost its changed slots")
    }
    return body(.fromOpaque(address))
  }
}
