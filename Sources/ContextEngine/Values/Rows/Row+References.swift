import Foundation

// Slots that hold counted references to objects. Rows without any have nothing to count.

/// The memory of a row that has, or had, such a slot.
final class ReferringRowStorage: RowStorage {
  deinit {
    withParts { parts in
      for slot in 0..<Int(parts.header.pointee.slotCount) { parts.releaseReference(at: slot) }
    }
  }
}

extension RowStorage.Parts {
  /// The object that a slot refers to; nil where it holds something else.
  func reference(at slot: Int) -> Unmanaged<AnyObject>? {
    guard kinds[slot] >= SlotKind.firstReference, kinds[slot] <= SlotKind.lastReference else { return nil }
    return .fromOpaque(bytes(words[slot]).loadUnaligned(as: UnsafeRawPointer.self))
  }

  func retainReference(at slot: Int) { _ = reference(at: slot)?.retain() }

  func releaseReference(at slot: Int) { reference(at: slot)?.release() }

  /// What stands for the file of a slot's value; nil where the slot holds something else.
  func externalData(at slot: Int) -> ExternalData? {
    guard kinds[slot] == SlotKind.external else { return nil }
    return reference(at: slot).map { unsafeDowncast($0.takeUnretainedValue(), to: ExternalData.self) }
  }

  /// The value that a slot holds since no bytes could be made of it; nil where it holds something else.
  func unformedValue(at slot: Int) -> TransformableValue? {
    guard kinds[slot] == SlotKind.unformed else { return nil }
    return reference(at: slot).map { unsafeDowncast($0.takeUnretainedValue(), to: TransformableValue.self) }
  }
}

extension Row {
  /// Whether a slot refers to an object, in place of bytes.
  func holdsReference(at slot: Int) -> Bool { withSlot(slot) { $0.reference(at: slot) != nil } }

  /// The value of a transformable attribute of which its transformer could make no bytes; nil where a slot holds something
  /// else. A save refuses it.
  func unformedValue(at slot: Int) -> TransformableValue? { withSlot(slot) { $0.unformedValue(at: slot) } }

  /// Puts a counted reference into a slot of a row that is not shared.
  mutating func setReference(_ object: AnyObject, _ bits: UInt16, at slot: Int) {
    withUnsafeBytes(of: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) { setBytes($0, bits, at: slot) }
  }

  /// Whether slots of which at least one refers to an object hold the same value; false where none does.
  static func isEqualByReference(_ left: RowStorage.Parts, _ right: RowStorage.Parts, _ slot: Int) -> Bool {
    if let value = left.unformedValue(at: slot) { return value == right.unformedValue(at: slot) }
    switch (left.externalData(at: slot), right.externalData(at: slot)) {
    case (let left?, let right?): return ExternalData.areSame(left, right)
    case (let external?, nil): return external.holds(right, slot)
    case (nil, let external?): return external.holds(left, slot)
    case (nil, nil): return false
    }
  }
}

extension ExternalData {
  fileprivate func holds(_ parts: RowStorage.Parts, _ slot: Int) -> Bool {
    parts.kinds[slot] == SlotKind.binary && holds(Data(parts.bytes(parts.words[slot])))
  }
}
