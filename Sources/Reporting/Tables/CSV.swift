import OutputFiles

/// A table of text in the format of RFC 4180: a header, then records, each line ended by CR LF.
///
/// A spreadsheet takes a field for a formula if it begins with `=`, `+`, `-`, `@`, a tab or a carriage return. Such a
/// field is written with an apostrophe before it, unless it is a number, and read back without the apostrophe.
package struct CSV: Hashable, Sendable {
  package var header: [String]
  package var records: [[String]]

  package init(header: [String], records: [[String]] = []) {
    self.header = header
    self.records = records
  }

  /// The text of the table. A field is quoted only if it must be.
  package var text: String {
    var text = ""
    for record in [header] + records {
      text += record.map(Self.quotedIfNeeded).joined(separator: ",")
      text += "\r\n"
    }
    return text
  }

  private static func quotedIfNeeded(_ plain: String) -> String {
    let field = SpreadsheetText.escaped(plain)
    guard field.utf8.contains(where: { [.comma, .quote, .carriageReturn, .lineFeed].contains($0) }) else {
      return field
    }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

// MARK: - Reading

extension CSV {
  /// Reads a table. Lines may also end in LF alone.
  ///
  /// - Throws: `FileError` with code `malformed`, naming `path` and the line, for a quote out of place, a record
  ///   longer or shorter than the header, or a missing header.
  package init(parsing text: String, path: String) throws(FileError) {
    var parser = CSVParser(path: path)
    for byte in text.utf8 {
      try parser.take(byte)
    }
    let records = try parser.finished()
    guard let header = records.first else {
      throw FileError(.malformed, path: path, line: 1, message: "the file is empty; a header is expected")
    }
    for record in records where record.fields.count != header.fields.count {
      throw FileError(
        .malformed, path: path, line: record.line,
        message: "\(record.fields.count) fields where the header has \(header.fields.count)")
    }
    self.init(header: header.fields, records: records.dropFirst().map(\.fields))
  }
}

/// Splits the bytes of a table into records.
private struct CSVParser {
  struct Record {
    var line: Int
    var fields: [String]
  }

  private enum State {
    case fieldStart
    case plain
    case quoted
    /// The parser is behind a quote inside a quoted field. The quote ends the field or is the first of a pair.
    case quoteInQuoted
  }

  let path: String
  private var state = State.fieldStart
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var records: [Record] = []
  private var line = 1
  private var recordLine = 1
  private var hasCarriageReturn = false

  init(path: String) {
    self.path = path
  }

  mutating func take(_ byte: UInt8) throws(FileError) {
    if hasCarriageReturn, byte != .lineFeed { throw malformed("a carriage return without a line feed") }
    hasCarriageReturn = false
    switch (state, byte) {
    case (.quoted, .quote): state = .quoteInQuoted
    case (.quoted, _):
      if byte == .lineFeed { line += 1 }
      field.append(byte)
    case (.quoteInQuoted, .quote):
      field.append(byte)
      state = .quoted
    case (.fieldStart, .quote): state = .quoted
    case (_, .comma): endField()
    case (_, .carriageReturn): hasCarriageReturn = true
    case (_, .lineFeed): endRecord()
    case (.plain, .quote): throw malformed("a quote inside a field that does not begin with one")
    case (.quoteInQuoted, _): throw malformed("text after the closing quote of a field")
    default:
      field.append(byte)
      state = .plain
    }
  }

  /// Returns the records after the last byte. The last record may lack its line end.
  mutating func finished() throws(FileError) -> [Record] {
    if hasCarriageReturn { throw malformed("a carriage return without a line feed") }
    if state == .quoted { throw malformed("a quoted field without its closing quote") }
    if !fields.isEmpty || state != .fieldStart { endRecord() }
    return records
  }

  private mutating func endField() {
    fields.append(SpreadsheetText.unescaped(String(decoding: field, as: UTF8.self)))
    field.removeAll(keepingCapacity: true)
    state = .fieldStart
  }

  private mutating func endRecord() {
    endField()
    records.append(Record(line: recordLine, fields: fields))
    fields = []
    line += 1
    recordLine = line
  }

  private func malformed(_ message: String) -> FileError {
    FileError(.malformed, path: path, line: line, message: message)
  }
}

extension UInt8 {
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
}
