import MachineCore

/// Gives the records of a generated source, and after them records that restore the rows from before the first payload.
///
/// The payloads can be imported any number of times, and leave the existing rows each time. A lane restores the existing
/// rows that its own records have changed or deleted, and deletes the rows that they have inserted. Its last record is
/// repeated until all lanes have the same number of full payloads. Each lane needs a payload.
struct RestoringSource: RecordSource {
  let schema: WorkloadSchema
  let rows: Int
  let existingRows: ExistingRows
  private var existing: ArraySlice<ImportRecord>
  /// The records that each lane has yet to give.
  private var lanes: [ArraySlice<ImportRecord>]

  private static let existingPieceSize = 1_000

  init(_ generated: GeneratedSource, _ options: WorkloadOptions) {
    var source = generated
    schema = source.schema
    var model = AnswerModel(schema: schema)
    var existing: [ImportRecord] = []
    while true {
      let piece = source.nextExisting(count: Self.existingPieceSize)
      guard !piece.isEmpty else { break }
      existing += piece.records
    }
    for record in existing { model.apply(record) }

    var lanes: [[ImportRecord]] = Array(repeating: [], count: options.lanes)
    // The rows that payloads change, each with its lane, in the order of their first changes.
    var changed: [(entity: Int, key: RecordKey)] = []
    var laneOfRow: [AnswerModel.RowName: Int] = [:]
    for (payload, start) in stride(from: 0, to: source.rows, by: options.batchSize).enumerated() {
      let lane = payload % options.lanes
      let records = source.nextPayload(count: min(options.batchSize, source.rows - start), lane: lane).records
      lanes[lane] += records
      for row in records.flatMap({ model.change($0) }) where laneOfRow[model.name(row.entity, row.key)] == nil {
        laneOfRow[model.name(row.entity, row.key)] = lane
        changed.append(row)
      }
    }
    for record in existing {
      if let lane = laneOfRow.removeValue(forKey: model.name(record.entity, record.key)) { lanes[lane].append(record) }
    }
    // Rows that others link to come first among the entities, and are deleted last.
    for entity in schema.entities.indices.reversed() {
      for row in changed where row.entity == entity && model.entity(ofRowFor: entity, row.key) != nil {
        guard let lane = laneOfRow[model.name(entity, row.key)] else { continue }
        lanes[lane].append(.deletion(entity: entity, key: row.key))
      }
    }

    let payloadCount = lanes.map { ($0.count + options.batchSize - 1) / options.batchSize }.max() ?? 0
    rows = payloadCount * options.batchSize * options.lanes
    existingRows = source.existingRows
    self.existing = existing[...]
    self.lanes = lanes.map { records in
      guard let last = records.last else { trapMisuse("a lane of a workload that restores its rows has no payload") }
      return (records + Array(repeating: last, count: payloadCount * options.batchSize - records.count))[...]
    }
  }

  mutating func nextExisting(count: Int) -> Piece { take(count, from: &existing) }

  mutating func nextPayload(count: Int, lane: Int) -> Piece { take(count, from: &lanes[lane]) }

  private func take(_ count: Int, from records: inout ArraySlice<ImportRecord>) -> Piece {
    var piece = Piece()
    for record in records.prefix(count) { piece.append(record) { $0.append($1, of: schema) } }
    piece.close()
    records.removeFirst(piece.records.count)
    return piece
  }
}
