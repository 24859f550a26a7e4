/// A type that gives an archive its records, piece by piece.
protocol RecordSource {
  var schema: WorkloadSchema { get }
  /// The number of records in all payloads together.
  var rows: Int { get }
  /// The rows that are made before the first payload, with their actual number.
  var existingRows: ExistingRows { get }
  /// Sentences about records that were left out, and about what the schema lacks.
  var remarks: [String] { get }
  /// The way from a feed's members to the records, or nil if the records come from no feed.
  var mapping: FeedMapping? { get }
  /// The number of the feed's records, or nil if the records come from no feed.
  var feedRecordCount: Int? { get }

  /// Returns the next rows that exist before the first payload, at most `count`. The piece is empty at the end.
  mutating func nextExisting(count: Int) throws(WorkloadError) -> Piece

  /// Returns the next payload of `count` records, for a lane. Payloads are requested in order.
  mutating func nextPayload(count: Int, lane: Int) throws(WorkloadError) -> Piece
}

/// Records, and the text that decodes to them.
struct Piece {
  var records: [ImportRecord] = []
  var text = JSONBuilder()

  var isEmpty: Bool { records.isEmpty }

  /// Adds a record. The closure `write` appends the record's text.
  mutating func append(_ record: ImportRecord, write: (inout JSONBuilder, ImportRecord) -> Void) {
    if records.isEmpty { text.append(raw: "[\n") } else { text.append(raw: ",\n") }
    records.append(record)
    write(&text, record)
  }

  /// Ends the list of records. The text of a piece without records remains empty.
  mutating func close() {
    if !isEmpty { text.append(raw: "\n]\n") }
  }
}

extension RecordSource {
  var remarks: [String] { [] }
  var mapping: FeedMapping? { nil }
  var feedRecordCount: Int? { nil }
}
