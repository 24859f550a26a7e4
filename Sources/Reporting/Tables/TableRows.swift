/// A table as a list of JSON objects, one for each record, for programs that do not read CSV.
///
/// The members have the names of the columns. The value of a member is a string in a column of text, an integer in any
/// other column, and `null` if the field is empty. Encoding throws if a field of such a column is not an integer.
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
      // A seed may use all 64 bits.
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
