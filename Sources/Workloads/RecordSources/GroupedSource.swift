/// A type that gives groups of new rows, one after another and without end.
protocol RecordGroups {
  /// Returns the next group.
  ///
  /// - Parameters:
  ///   - lane: The lane that imports the group.
  ///   - isThere: Returns true if the row of an entity and a key exists, so that new rows may refer to it.
  /// - Returns: The group.
  /// - Throws: `WorkloadError` if there are no usable records or values.
  func next(lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup

  /// Returns new values for the attributes of a record's row, or nil if they do not fit its entity.
  func values(of record: ImportRecord, lane: Int) throws(WorkloadError) -> [FieldValue]?

  /// Returns the next group whose main record is of an entity among `mainEntities`.
  func next(of entity: Int, lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup

  /// True if new values are made, and false if they are those of the next record, which then inserts no row.
  var makesValues: Bool { get }

  /// The indexes of the entities that the main records of groups have.
  var mainEntities: [Int] { get }

  /// Prepares groups whose rows are new beside those of a starting store, and that may refer to these.
  ///
  /// - Parameters:
  ///   - start: The rows of the store.
  ///   - records: The rows of the store that each lane may change or refer to.
  func start(from start: StartingRows, _ records: [[ImportRecord]])
}

extension RecordGroups {
  /// Returns the next group. Groups of a feed all have main records of one entity.
  func next(of entity: Int, lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup {
    try next(lane: lane, isThere: isThere)
  }
}

/// A source of payloads that makes inserts, updates and deletions of groups of rows.
///
/// Existing rows are made of the first groups. If the groups come from a feed, the rows have other values, and all
/// records of the feed arrive after them. An update gives new values to a row that exists.
///
/// Every lane inserts the shared groups, in the same order. The relationships of their rows are the same in all lanes.
/// So are their values if they come from a feed. If they are generated, each lane has values of its own, except for the
/// keys, the values that lists are sorted by, and the values that must be unique.
struct GroupedSource: RecordSource {
  let schema: WorkloadSchema
  let rows: Int
  let existingRows: ExistingRows
  let remarks: [String]
  let mapping: FeedMapping?
  let feedRecordCount: Int?
  private let groups: any RecordGroups
  private let changes: GroupChanges
  /// The groups of a feed as they exist before its records arrive, or nil if the rows are generated.
  private let earlierGroups: EarlierGroups?
  private var existingPlan: ExistingRowPlan
  private var existingCount = 0
  private var sharedProgress: SharedProgress
  /// The shared groups in the order in which lanes insert them.
  private var sharedGroups: [RecordGroup] = []
  /// The rows of the store from which the run starts, or nil if it starts from an empty store.
  let start: StartingRows?

  private init(
    _ groups: any RecordGroups, schema mappedSchema: WorkloadSchema, rows: Int, existingRows: ExistingRows,
    remarks: [String], feed: MappedFeed? = nil, options: WorkloadOptions, startingRows: StartingRowsReader?
  ) throws(WorkloadError) {
    mapping = feed?.mapping
    feedRecordCount = feed?.recordCount
    earlierGroups = existingRows == 0 ? nil : feed.map { EarlierGroups($0, options: options) }
    var schema = mappedSchema
    schema.startsFromStore = startingRows != nil
    try schema.show(options.list)
    start = try startingRows.map { (read: StartingRowsReader) throws(WorkloadError) in try read(schema) }
    self.groups = groups
    self.schema = schema
    self.rows = rows
    self.remarks = remarks
    self.existingRows = existingRows
    existingPlan = try ExistingRowPlan(existingRows, schema, able: groups.mainEntities)
    changes = GroupChanges(options, schema)
    sharedProgress = SharedProgress(options)
    guard let start else { return }
    let records = start.records(of: groups.mainEntities, in: schema, laneCount: options.lanes)
    changes.start(from: start, records)
    groups.start(from: start, records)
    if options.mix.inserts == 0, existingRows.count < options.lanes, records.contains(where: \.isEmpty) {
      throw WorkloadError(
        .mix, "\(options.mix)",
        "without inserts there is nothing to update or delete for each import: the store has \(records.joined().count) "
          + "rows that records can change; insert some, or use \(options.lanes) or more existing rows")
    }
  }

  /// Creates a source of a feed's records, which are converted by a mapping. The feed is read once or several times to
  /// infer the mapping.
  ///
  /// - Parameters:
  ///   - path: The path of the feed.
  ///   - options: The options of the workload.
  ///   - startingRows: A function that returns the rows of the store from which the run starts, or nil.
  /// - Throws: `WorkloadError` if the feed, the model or the map cannot be read, or if they do not fit each other.
  init(
    feed path: String, options: WorkloadOptions, _ startingRows: StartingRowsReader? = nil
  ) throws(WorkloadError) {
    let mapped = try MappedFeed(options: options, path: path)
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
    try self.init(
      FeedGroups(mapped, options: options), schema: mapped.schema, rows: options.rows ?? usableCount,
      existingRows: options.existingRows == .everyRecord ? .count(usableCount) : options.existingRows,
      remarks: remarks, feed: mapped, options: options, startingRows: startingRows)
  }

  /// Creates a source of generated rows of the model that the options name.
  ///
  /// - Parameters:
  ///   - options: The options of the workload.
  ///   - startingRows: A function that returns the rows of the store from which the run starts, or nil.
  /// - Throws: `WorkloadError` if the model cannot be read, or if no value satisfies a rule of the model.
  init(modelOf options: WorkloadOptions, _ startingRows: StartingRowsReader? = nil) throws(WorkloadError) {
    guard let model = try options.modelDocument() else {
      throw WorkloadError(.workload, "model", "generated rows of a model need a model; name one")
    }
    let generator = try ModelRows(
      model, seed: options.seed, laneCount: options.lanes + (options.overlap > 0 ? 1 : 0))
    try self.init(
      generator, schema: generator.schema, rows: options.rows ?? 0, existingRows: options.existingRows,
      remarks: generator.remarks, options: options, startingRows: startingRows)
  }

  mutating func nextExisting(count: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    for _ in 0..<count {
      guard let step = existingPlan.next() else { break }
      let group = try existingGroup(step.entity, lane: existingCount % changes.laneCount)
      for record in group.records { existingPlan.made(record.entity) }
      append(group, to: &piece)
      existingCount += 1
    }
    piece.close()
    return piece
  }

  mutating func nextPayload(count: Int, lane: Int) throws(WorkloadError) -> Piece {
    var piece = Piece()
    let isShared = sharedProgress.takeRecords(count, lane: lane)
    for (place, action) in changes.actions(isShared, lane: lane).enumerated() {
      if isShared[place] {
        append(try sharedGroup(action, lane: lane), to: &piece)
        continue
      }
      var group: RecordGroup?
      if action == .delete { group = changes.deletion(lane: lane) }
      if action != .insert, group == nil {
        group = try changes.update(lane: lane) { (record: ImportRecord) throws(WorkloadError) -> [FieldValue]? in
          try groups.values(of: record, lane: lane)
        }
      }
      if let group { append(group, to: &piece) } else { append(try insertion(lane: lane), to: &piece) }
    }
    piece.close()
    return piece
  }

  private mutating func existingGroup(_ entity: Int?, lane: Int) throws(WorkloadError) -> RecordGroup {
    if let earlierGroups { return try earlierGroups.next(before: changes) }
    guard sharedProgress.takeExisting() else { return try insertion(of: entity, lane: lane) }
    try appendSharedGroup(of: entity)
    return sharedGroups[sharedGroups.count - 1]
  }

  /// Returns the lane's next shared group, or an update of the main row of one that the lane has inserted.
  private mutating func sharedGroup(
    _ action: GroupChanges.Action, lane: Int
  ) throws(WorkloadError) -> RecordGroup {
    if action != .insert {
      let first = sharedGroups.prefix(sharedProgress.count(in: lane))
      let record = changes.sharedRecord(of: first, lane: lane)
      if let record, let new = try groups.values(of: record, lane: lane) {
        return RecordGroup([changes.changing(record, to: new)], main: 0)
      }
    }
    let place = sharedProgress.takePlace(lane: lane)
    if place == sharedGroups.count { try appendSharedGroup() }
    let group = sharedGroups[place]
    guard groups.makesValues else { return group }
    var records = group.records
    for index in records.indices {
      guard let new = try groups.values(of: records[index], lane: lane) else { continue }
      records[index] = changes.changing(records[index], to: new)
    }
    return RecordGroup(records, main: group.main)
  }

  private mutating func appendSharedGroup(of entity: Int? = nil) throws(WorkloadError) {
    let group = try insertion(of: entity, lane: changes.laneCount)
    sharedGroups.append(group)
  }

  private func insertion(of entity: Int? = nil, lane: Int) throws(WorkloadError) -> RecordGroup {
    let isThere = { changes.isThere($0, $1) }
    let group =
      if let entity { try groups.next(of: entity, lane: lane, isThere: isThere) } else {
        try groups.next(lane: lane, isThere: isThere)
      }
    return try changes.insertion(group, lane: lane)
  }

  private func append(_ group: RecordGroup, to piece: inout Piece) {
    for record in group.records {
      piece.append(record) { text, record in
        switch schema.recordForm {
        case .tagged: text.append(record, of: schema)
        case .plain: text.append(plain: record, of: schema.entities[0])
        }
      }
    }
  }
}
