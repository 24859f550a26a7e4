import Foundation
import MachineCore

// These methods report the work that requests do.

extension InMemoryStore {
  func report(stepped rows: [StoreRow]) {
    guard !rows.isEmpty else { return }
    let bytes = rows.reduce(0) { $0 + Self.bytes(of: $1.row, slots: $1.row.slots) }
    machine.account(Work(.rowStepped, count: rows.count, bytes: bytes))
  }

  func report(steppedKeyCount count: Int) {
    guard count > 0 else { return }
    machine.account(Work(.rowStepped, count: count, bytes: 8 * count))
  }

  /// Reports the rows that a save has written, unless it has no changes. An insertion counts with the bytes of all
  /// values, an update with those of the changed slots, and a deletion with 0 bytes.
  func report(written changes: StoreChanges) {
    let inserted = changes.insertions.reduce(0) { $0 + Self.bytes(of: $1.row, slots: .all) }
    let updated = changes.updates.reduce(0) { $0 + Self.bytes(of: $1.row, slots: $1.slots) }
    let count = changes.insertions.count + changes.updates.count + changes.deletions.count
    if count > 0 { machine.account(Work(.rowWritten, count: count, bytes: inserted + updated)) }
  }

  /// Returns the number of bytes of some of a row's values: the length of strings, binary data and URIs, 16 for a
  /// UUID, 0 for null and 8 for other values.
  private static func bytes(of row: Row, slots: SlotSet) -> Int {
    var bytes = 0
    for (slot, value) in row.values.enumerated() where slots.contains(slot) {
      switch value {
      case .null: break
      case .string(let string): bytes += string.utf8.count
      case .binary(let data): bytes += data.count
      case .uri(let uri): bytes += uri.absoluteString.utf8.count
      case .uuid: bytes += MemoryLayout<uuid_t>.size
      default: bytes += 8
      }
    }
    return bytes
  }
}
