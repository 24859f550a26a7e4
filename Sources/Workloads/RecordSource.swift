/// Where an archive gets its records from, piece by piece.
protocol RecordSource {
  var schema: WorkloadSchema { get }
  /// Records in all payloads together.
  var rows: Int { get }

  /// The next rows that are there before the first payload, at most `count`; empty at the end.
  mutating func nextExisting(count: Int) -> Piece

  /// The next payload of so many records, for a lane. Payloads are asked for in order.
  mutating func nextPayload(count: Int, lane: Int) -> Piece
}

/// Records, and the text that decodes to them.
struct Piece {
  var records: [ImportRecord] = []
  var text = JSONText()

  var isEmpty: Bool { records.isEmpty }

  /// Adds a record whose own text `write` appends.
  mutating func append(_ record: ImportRecord, _ write: (inout JSONText, ImportRecord) -> Void) {
    if records.isEmpty { text.append(raw: "[\n") } else { text.append(raw: ",\n") }
    records.append(record)
    write(&text, record)
  }

  mutating func close() {
    if !isEmpty { text.append(raw: "\n]\n") }
  }
}
