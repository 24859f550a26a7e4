import MachineCore

/// Values that are made once for all tests that read them.
///
/// Tests that need the same value at the same time wait for the one that makes it. Other values can be made at the same
/// time.
package final class SharedValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Slot: Sendable {
    let value = Guarded<Value?>(nil)
  }

  private let slots = Guarded<[Key: Slot]>([:])

  package init() {}

  /// Returns the value of a key. `make` makes it at the first call.
  package func value(for key: Key, _ make: () throws -> Value) rethrows -> Value {
    let slot = slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = Slot()
      slots[key] = slot
      return slot
    }
    return try slot.value.withLock { value in
      if let value { return value }
      let made = try make()
      value = made
      return made
    }
  }
}
