/// A table as a list of JSON objects, one a record, for programs that would rather not read CSV.
///
/// A member is called as the column is. Its value is an integer, or a string in the columns that are said to hold text;
/// `null` where the field is empty.
package struct TableRows: Encodable, Sendable {
  private let table: CSV
  private let textColumns: Set<String>

  package init(_ table: CSV, textColumns: Set<String>) {
    self.table = table
    self.textColumns = textColumns
  }

  package func encode(to encoder: any Encoder) throws {
    var rows = encoder.unkeyedContainer()
    for record in table.records {
      var row = rows.nestedContainer(keyedBy: Column.self)
      for (column, field) in zip(table.header, record) {
        try encode(field, of: column, into: &row)
      }
    }
  }

  private func encode(
    _ field: String, of column: String, into row: inout KeyedEncodingContainer<Column>
  ) throws {
    let key = Column(stringValue: column)
    if field.isEmpty {
      try row.encodeNil(forKey: key)
    } else if textColumns.contains(column) {
      try row.encode(field, forKey: key)
    } else if let integer = Int64(field) {
      try row.encode(integer, forKey: key)
    } else if let integer = UInt64(field) {
      // Seeds have all 64 bits.
      try row.encode(integer, forKey: key)
    } else {
      throw EncodingError.invalidValue(
        field, EncodingError.Context(codingPath: row.codingPath + [key], debugDescription: "not an integer"))
    }
  }

  private struct Column: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
  }
}
