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
      try rows.encode(JSONObject(zip(table.header, record).map { ($0, try value(of: $1, in: $0)) }))
    }
  }

  private func value(of field: String, in column: String) throws -> (any Encodable)? {
    if field.isEmpty { return nil }
    if textColumns.contains(column) { return field }
    // A seed may use all 64 bits.
    guard let integer: any Encodable = Int64(field) ?? UInt64(field) else {
      throw EncodingError.invalidValue(
        field, EncodingError.Context(codingPath: [], debugDescription: "\(column) is not an integer"))
    }
    return integer
  }
}
