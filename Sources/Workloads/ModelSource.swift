import MachineCore
import ModelReading

/// Generates rows of a model that the user brings.
struct ModelSource: RecordSource {
  let schema: WorkloadSchema
  let rows: Int
  private let generator: ModelRows
  private var changes: GroupChanges
  private var existingCount = 0
  private let existingRows: Int

  /// - Throws: `WorkloadError` if the model cannot be read, or if no value satisfies a rule of the model.
  init(options: WorkloadOptions) throws(WorkloadError) {
    guard let model = try options.modelDocument() else {
      throw WorkloadError(.workload, "model", "generated rows of a model need a model; name one")
    }
    generator = try ModelRows(model, seed: options.seed, laneCount: options.lanes)
    schema = generator.schema
    rows = options.rows ?? 0
    existingRows = options.existingRows
    changes = GroupChanges(options, schema)
  }

  var remarks: [String] { generator.remarks }

  mutating func nextExisting(count: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    for _ in 0..<min(count, existingRows - existingCount) {
      let lane = existingCount % changes.laneCount
      let group = try changes.insertion(try generator.next(lane: lane), lane: lane)
      existingCount += 1
      for record in group.records { piece.append(record) { $0.append($1, of: schema) } }
    }
    piece.close()
    return piece
  }

  mutating func nextPayload(count: Int, lane: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    let generator = generator
    for action in changes.actions(count, lane: lane) {
      var group: RecordGroup?
      if action == .delete { group = changes.deletion(lane: lane) }
      if action != .insert, group == nil {
        group = try changes.update(lane: lane) { (record: ImportRecord) throws(WorkloadError) -> [FieldValue]? in
          try generator.values(of: record, lane: lane)
        }
      }
      let records: [ImportRecord]
      if let group {
        records = group.records
      } else {
        records = try changes.insertion(try generator.next(lane: lane), lane: lane).records
      }
      for record in records { piece.append(record) { $0.append($1, of: schema) } }
    }
    piece.close()
    return piece
  }
}
