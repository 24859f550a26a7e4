import ContextEngine
import Foundation

/// The form in which a column holds a value if its attribute allows external storage. As in Core Data, it is either a
/// byte 1 and the value, or a byte 2, the name of the file with the value (a UUID as text) and a byte 0.
enum ExternalReference {
  private static let inlineMark: UInt8 = 1
  private static let fileMark: UInt8 = 2
  private static let nameLength = 36

  /// Returns the column's bytes for a value that is stored in the row.
  static func column(inline bytes: Data) -> [UInt8] { [inlineMark] + bytes }

  /// Returns the column's bytes for a value that is stored in a file.
  static func column(file name: String) -> [UInt8] { [fileMark] + Array(name.utf8) + [0] }

  /// Returns an SQL expression for a column's reference to a file, which is NULL if the column does not refer to a
  /// file. The expression does not read long values.
  static func sql(of column: String) -> String {
    "CASE WHEN length(\(column)) = \(nameLength + 2) AND substr(\(column), 1, 1) = X'02' THEN \(column) END"
  }
}

extension ColumnValue {
  /// The contents of a column whose attribute allows external storage.
  enum ExternalContent {
    case inline(Data)
    /// The name of a file.
    case file(String)
  }

  /// The contents of a blob, or nil if the blob is neither a value nor a reference.
  var externalContent: ExternalContent? {
    let bytes = bytes
    if bytes.first == 1 { return .inline(Data(bytes.dropFirst())) }
    return externalName.map(ExternalContent.file)
  }

  /// The name of the file that a blob refers to, or nil if the blob does not refer to a file.
  var externalName: String? {
    let bytes = bytes
    guard bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }
}
