import Foundation
import MachineCore

// Values that a store keeps in files of their own, in whose place a row refers to what stands for the file.

extension Row {
  /// What stands for the file of a slot's value; nil where the slot holds something else.
  package func externalData(at slot: Int) -> ExternalData? {
    withSlot(slot) { $0.externalData(at: slot) }
  }

  /// Puts what stands for a file into a slot of a row that is not shared.
  package mutating func set(_ data: ExternalData, at slot: Int) {
    setReference(data, SlotKind.external, at: slot)
  }

  /// The value of a slot.
  ///
  /// - Throws: `.externalDataUnreadable` where its file is gone or cannot be read; `value(at:)` traps then.
  package func readValue(at slot: Int) throws(PersistenceError) -> Value {
    guard let data = externalData(at: slot) else { return value(at: slot) }
    return .binary(try data.bytes())
  }

  /// The row with bytes that are more than `limit` in these slots, as bits, replaced by what will stand for their files;
  /// without a limit, for a store that keeps everything itself, the other way round.
  ///
  /// - Throws: `.externalDataUnreadable`.
  func movingLongValues(of slots: UInt64, longerThan limit: Int?) throws(PersistenceError) -> Row {
    var moved: Row?
    for slot in 0..<slotCount where slots & (1 << UInt64(slot)) != 0 {
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
  /// The bytes, for those who cannot throw. Traps, naming the file, where it is gone or cannot be read.
  var bytesOrTrap: Data {
    do throws(PersistenceError) {
      return try bytes()
    } catch {
      trapMisuse("a value could not be read: \(error)")
    }
  }
}
