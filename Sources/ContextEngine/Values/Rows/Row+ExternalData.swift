import Foundation
import MachineCore

// A store can keep values in separate files. A row has a reference to an `ExternalData` in the slot of such a value.

extension Row {
  /// Returns the external data of a slot, or nil if the slot holds another kind of value.
  package func externalData(at slot: Int) -> ExternalData? {
    withSlot(slot) { $0.externalData(at: slot) }
  }

  /// Sets a slot of a row that is not shared to external data.
  package mutating func set(_ data: ExternalData, at slot: Int) {
    setReference(data, as: SlotKind.external, at: slot)
  }

  /// Returns the value of a slot.
  ///
  /// - Throws: `.externalDataUnreadable` if the value's file is missing or cannot be read; `value(at:)` traps in that
  ///   case.
  package func readValue(at slot: Int) throws(PersistenceError) -> Value {
    guard let data = externalData(at: slot) else { return value(at: slot) }
    return .binary(try data.bytes())
  }

  /// Returns the row with values of more than `limit` bytes in these slots replaced by external data.
  /// If `limit` is nil, for a store that keeps every value in its tables, external data is replaced by bytes.
  ///
  /// - Throws: `.externalDataUnreadable` if `limit` is nil and a value's file is missing or cannot be read.
  func movingLongValues(of slots: SlotSet, longerThan limit: Int?) throws(PersistenceError) -> Row {
    var moved: Row?
    for slot in 0..<slotCount where slots.contains(slot) {
      if let limit {
        guard longByteCount(at: slot) > limit, case .binary(let data) = value(at: slot) else { continue }
        var row = moved ?? copy()
        row.set(ExternalData(data), at: slot)
        moved = row
      } else if let data = externalData(at: slot) {
        var row = moved ?? copy()
        row.set(.binary(try data.bytes()), at: slot)
        moved = row
      }
    }
    return moved?.compacted() ?? self
  }
}

extension ExternalData {
  /// The bytes, for callers that cannot throw. Traps with the file's name if the file is missing or cannot be read.
  var bytesOrTrap: Data {
    do throws(PersistenceError) {
      return try bytes()
    } catch {
      trapMisuse("a value could not be read: \(error)")
    }
  }
}
