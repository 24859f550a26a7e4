import FeedReading
import MachineCore
import ModelReading

/// A source of payloads that reads a feed record by record and converts it by a mapping.
///
/// If more records are needed than the feed has, it is read again, and the keys of each further pass differ from those of
/// the earlier ones. Existing rows are made of the feed's first records. An update gives the values of the feed's next
/// record to a row that is there.
struct MappedFeedSource: RecordSource {
  let schema: WorkloadSchema
  let rows: Int
  let remarks: [String]
  private let groups: FeedGroups
  private var changes: GroupChanges
  private var existingCount = 0
  private let existingRows: Int

  /// Reads the feed once or several times to infer its mapping, and checks that it can be imported with the options.
  ///
  /// - Throws: `WorkloadError` if the feed, the model or the map cannot be read, or if they do not fit each other.
  init(options: WorkloadOptions, path: String) throws(WorkloadError) {
    let mapped = try MappedFeed(options: options, path: path)
    schema = mapped.schema
    var usableCount = mapped.recordCount
    var remarks = mapped.remarks
    if options.onBadRecord == .skip {
      let (count, messages) = try mapped.countUsable()
      if count < usableCount {
        remarks.append(
          "\(usableCount - count) of \(usableCount) records do not fit and are left out; the first: "
            + messages.joined(separator: "; "))
      }
      usableCount = count
    }
    self.remarks = remarks
    existingRows = options.existingRows
    rows = options.rows ?? max(1, usableCount - existingRows)
    groups = try FeedGroups(mapped, options)
    changes = GroupChanges(options, schema)
  }

  mutating func nextExisting(count: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    for _ in 0..<min(count, existingRows - existingCount) {
      let group = try changes.insertion(try groups.next(), lane: existingCount % changes.laneCount)
      existingCount += 1
      for record in group.records { piece.append(record) { $0.append($1, of: schema) } }
    }
    piece.close()
    return piece
  }

  mutating func nextPayload(count: Int, lane: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    let groups = groups
    for action in changes.actions(count, lane: lane) {
      var group: RecordGroup?
      if action == .delete { group = changes.deletion(lane: lane) }
      if action != .insert, group == nil {
        group = try changes.update(lane: lane) { (record: ImportRecord) throws(WorkloadError) -> [FieldValue]? in
          // The values of the feed's next record of the same entity.
          let next = try groups.next()
          return next.records[next.main].entity == record.entity ? next.records[next.main].values : nil
        }
      }
      let records: [ImportRecord]
      if let group {
        records = group.records
      } else {
        records = try changes.insertion(try groups.next(), lane: lane).records
      }
      for record in records { piece.append(record) { $0.append($1, of: schema) } }
    }
    piece.close()
    return piece
  }
}
