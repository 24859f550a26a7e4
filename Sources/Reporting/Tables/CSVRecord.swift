import OutputFiles

/// One record of a table that is being read, with typed fields by column name.
struct CSVRecord {
  private let fields: [String]
  private let columns: [String: Int]
  private let path: String
  private let line: Int

  /// Returns the records of `csv`, whose header must contain every column in `required`. Further columns are ignored.
  static func records(of csv: CSV, required: [String], path: String) throws(FileError) -> [CSVRecord] {
    let columns = Dictionary(zip(csv.header, csv.header.indices), uniquingKeysWith: { first, _ in first })
    if let missing = required.first(where: { columns[$0] == nil }) {
      throw FileError(.malformed, path: path, line: 1, message: "the column \(missing) is missing")
    }
    // Fields that this program writes contain no line breaks, so each record is one line.
    return csv.records.enumerated().map { index, fields in
      CSVRecord(fields: fields, columns: columns, path: path, line: index + 2)
    }
  }

  private init(fields: [String], columns: [String: Int], path: String, line: Int) {
    self.fields = fields
    self.columns = columns
    self.path = path
    self.line = line
  }

  /// Returns the text of a field, or nil if the field is empty or there is no such column.
  func text(_ column: String) -> String? {
    guard let index = columns[column], !fields[index].isEmpty else { return nil }
    return fields[index]
  }

  /// Returns the integer in a field, or nil if the field is empty or there is no such column.
  ///
  /// - Throws: `FileError` with code `malformed` for anything but an integer in the column's range.
  func integer<Value: FixedWidthInteger>(_ column: String, as type: Value.Type = Value.self)
    throws(FileError) -> Value?
  {
    guard let text = text(column) else { return nil }
    if let flaw = FigureRange.flaw(of: text, named: column) { throw malformed("\(column): \(flaw)") }
    guard let value = Value(text) else { throw malformed("\(column): \(text) is out of range") }
    return value
  }

  /// Returns the value of a field that must not be empty.
  func required<Value>(_ column: String, value: Value?) throws(FileError) -> Value {
    guard let value else { throw malformed("\(column) is empty") }
    return value
  }

  func malformed(_ message: String) -> FileError {
    FileError(.malformed, path: path, line: line, message: message)
  }
}
