import Foundation

/// Writes the rows of an answer to a file: the rows, their places, the numbers of the entities' rows, and the number of
/// the rows' bytes.
struct AnswerWriter {
  private let file: PieceFile
  private var places = BinaryWriter()
  private var counts: [Int] = []
  private var count = 0

  init(_ file: URL) throws(WorkloadError) {
    self.file = try PieceFile(file)
  }

  mutating func append(_ row: Answer.Row) throws(WorkloadError) {
    places.append(file.count)
    count += 1
    var writer = BinaryWriter()
    writer.append(row)
    try file.append(writer.bytes)
  }

  /// Ends the rows of an entity.
  mutating func endTable() {
    counts.append(count)
    count = 0
  }

  mutating func close() throws(WorkloadError) {
    let byteCount = file.count
    for count in counts { places.append(count) }
    places.append(byteCount)
    try file.append(places.bytes)
    try file.close()
  }
}

extension Answer {
  /// Reads the rows of a file that `AnswerWriter` wrote.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - schema: The schema of the rows.
  ///   - byteCountInMemory: The largest number of bytes of a file whose rows are all kept in memory. Those of a larger
  ///     file are read when they are used.
  /// - Throws: `WorkloadError` with `.damagedArchive` if the file cannot be read or is damaged.
  init(reading file: URL, schema: WorkloadSchema, byteCountInMemory: Int) throws(WorkloadError) {
    let (mapped, path) = (try WorkloadArchive.map(file), file.path(percentEncoded: false))
    let isInMemory = mapped.data.count <= byteCountInMemory
    let result = mapped.data.withUnsafeBytes { bytes in
      Result { () throws(WorkloadError) in
        func word(fromEnd place: Int) throws(WorkloadError) -> Int {
          let place = bytes.count - 8 * place
          guard place >= 0 else { throw BinaryReader(bytes, path: path).damage }
          return Int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)))
        }
        let byteCount = try word(fromEnd: 1)
        let entityCount = schema.entities.count
        var counts: [Int] = []
        for entity in 0..<entityCount { counts.append(try word(fromEnd: 1 + entityCount - entity)) }
        let wordCount = counts.reduce(1 + entityCount) { $0.addingReportingOverflow($1).partialValue }
        guard counts.allSatisfy({ (0...bytes.count).contains($0) }), (0...bytes.count).contains(byteCount),
          byteCount + 8 * wordCount == bytes.count
        else { throw BinaryReader(bytes, path: path).damage }
        var firstPlace = byteCount
        var tables: [Table] = []
        var reader = BinaryReader(bytes, path: path)
        for (entity, count) in zip(schema.entities, counts) {
          if isInMemory {
            var rows: [Row] = []
            rows.reserveCapacity(count)
            for _ in 0..<count { rows.append(try reader.row(of: entity)) }
            tables.append(Table(rows: rows))
          } else {
            let rows = StoredRows(mapped, firstPlace: firstPlace, count: count, of: entity, path: path)
            tables.append(Table(rows: Rows(rows)))
          }
          firstPlace += 8 * count
        }
        guard !isInMemory || reader.position == byteCount else { throw reader.damage }
        return Answer(tables: tables)
      }
    }
    self = try result.get()
  }
}

extension BinaryWriter {
  fileprivate mutating func append(_ row: Answer.Row) {
    append(row.key)
    for value in row.values { append(value) }
    for link in row.links { append(link) }
    for list in row.lists { append(list) }
    append(row.edited)
  }
}
