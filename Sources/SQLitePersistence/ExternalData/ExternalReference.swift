import ContextEngine
import Foundation

/// How a column of an attribute that allows external storage holds a value, as Core Data has it: a byte 1 and the value,
/// or a byte 2, the name of the file that has the value, which is a UUID as text, and a byte 0.
enum ExternalReference {
  private static let inlineMark: UInt8 = 1
  private static let fileMark: UInt8 = 2
  private static let nameLength = 36

  /// What stands in the column for a value that lies in the row.
  static func column(inline bytes: Data) -> [UInt8] { [inlineMark] + bytes }

  /// What stands in the column for the value of a file.
  static func column(file name: String) -> [UInt8] { [fileMark] + Array(name.utf8) + [0] }

  /// The SQL of a column's reference; nothing where it refers to no file. Without reading long values.
  static func sql(of column: String) -> String {
    "CASE WHEN length(\(column)) = \(nameLength + 2) AND substr(\(column), 1, 1) = X'02' THEN \(column) END"
  }
}

extension ColumnValue {
  /// What a column of an attribute that allows external storage holds.
  enum ExternalContent {
    case inline(Data)
    /// The name of a file.
    case file(String)
  }

  /// Nil where the blob is neither.
  var externalContent: ExternalContent? {
    let bytes = bytes
    if bytes.first == 1 { return .inline(Data(bytes.dropFirst())) }
    return externalName.map(ExternalContent.file)
  }

  /// The name of the file that a blob refers to; nil where it refers to none.
  var externalName: String? {
    let bytes = bytes
    guard bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }
}
