import Foundation

extension ColumnValue {
  /// Whether the bytes are those that Core Data leaves in a row of which a file beside the store has the value: 2, then the
  /// file's name, which is a UUID as text, then 0.
  var isExternalReference: Bool {
    let bytes = bytes
    guard bytes.count == Self.externalReferenceByteCount, bytes.first == 2, bytes.last == 0 else { return false }
    return UUID(uuidString: String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)) != nil
  }

  private static var externalReferenceByteCount: Int { 38 }
}
