import Foundation

// Slots can hold counted references to objects. Rows without such slots count no references.

/// The memory of a row that has, or had, a slot with a counted reference.
final class ReferringRowStorage: RowStorage {
  deinit {
    withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount) { parts.releaseReference(at: slot) }
    }
  }
}

extension RowStorage.Parts {
  /// Returns the object that a slot refers to, or nil if the slot holds another kind of value.
  func reference(at slot: Int) -> Unmanaged<AnyObject>? {
    guard kinds[slot] >= SlotKind.firstReference, kinds[slot] <= SlotKind.lastReference else { return nil }
    return .fromOpaque(bytes(words[slot]).loadUnaligned(as: UnsafeRawPointer.self))
  }

  func retainReference(at slot: Int) { _ = reference(at: slot)?.retain() }

  func releaseReference(at slot: Int) { reference(at: slot)?.release() }

  /// Returns the external data of a slot, or nil if the slot holds another kind of value.
  func externalData(at slot: Int) -> ExternalData? {
    guard kinds[slot] == SlotKind.external else { return nil }
    return reference(at: slot).map { unsafeDowncast($0.takeUnretainedValue(), to: ExternalData.self) }
  }

  /// Returns the value of a slot that could not be converted to bytes, or nil if the slot holds another kind of value.
  func unformedValue(at slot: Int) -> TransformableValue? {
    guard kinds[slot] == SlotKind.unformed else { return nil }
    return reference(at: slot).map { unsafeDowncast($0.takeUnretainedValue(), to: TransformableValue.self) }
  }
}

extension Row {
  /// Returns true if a slot holds a reference to an object instead of bytes.
  func holdsReference(at slot: Int) -> Bool { withSlot(slot) { $0.reference(at: slot) != nil } }

  /// Returns the value of a transformable attribute that its transformer could not convert to bytes, or nil if the slot
  /// holds another kind of value. A save refuses such a value.
  func unformedValue(at slot: Int) -> TransformableValue? { withSlot(slot) { $0.unformedValue(at: slot) } }

  /// Puts a counted reference into a slot of a row that is not shared.
  mutating func setReference(_ object: AnyObject, as bits: UInt16, at slot: Int) {
    withUnsafeBytes(of: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) {
      setBytes($0, as: bits, at: slot)
    }
  }

  /// Returns true if a slot that refers to an object in at least one of two rows holds the same value in both. Returns
  /// false if it refers to an object in neither.
  static func isEqualByReference(_ left: RowStorage.Parts, _ right: RowStorage.Parts, at slot: Int) -> Bool {
    if let value = left.unformedValue(at: slot) { return value == right.unformedValue(at: slot) }
    switch (left.externalData(at: slot), right.externalData(at: slot)) {
    case (let left?, let right?): return ExternalData.areSame(left, right)
    case (let external?, nil): return external.holds(right, at: slot)
    case (nil, let external?): return external.holds(left, at: slot)
    case (nil, nil): return false
    }
  }
}

extension ExternalData {
  fileprivate func holds(_ parts: RowStorage.Parts, at slot: Int) -> Bool {
    parts.kinds[slot] == SlotKind.binary && holds(Data(parts.bytes(parts.words[slot])))
  }
}
