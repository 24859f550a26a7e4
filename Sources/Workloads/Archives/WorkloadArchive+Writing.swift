import Foundation

extension WorkloadArchive {
  /// The number of existing rows in one text.
  private static let existingRowsPerText = 1_000

  /// Generates a workload or reads its feed, and writes it into a folder, which must exist.
  ///
  /// Complexity: O(n log n) in the records. All live rows are held in memory.
  /// - Parameters:
  ///   - options: The options of the workload.
  ///   - folder: An existing folder.
  ///   - insertsBlindly: True if the import inserts each record without looking for its row.
  ///   - startingRows: A function that returns the rows of the store from which the run starts, or nil to start from an
  ///     empty store.
  /// - Returns: The archive.
  /// - Throws: `WorkloadError` if the options, the feed or the store cannot be used, or if the folder cannot be written.
  @discardableResult
  package static func write(
    _ options: WorkloadOptions, to folder: URL, insertsBlindly: Bool = false,
    startingRows: StartingRowsReader? = nil
  ) throws(WorkloadError) -> WorkloadArchive {
    try options.validate()
    switch options.workload {
    case .catalog, .catalogReorder, .flat:
      try write(GeneratedSource(options: options, rows: options.rows ?? 0), options: options, to: folder)
    case .feed(let path):
      let source = try GroupedSource(feed: path, options: options, startingRows)
      try write(source, options: options, to: folder, start: source.start, insertsBlindly: insertsBlindly)
    case .model:
      let source = try GroupedSource(modelOf: options, startingRows)
      try write(source, options: options, to: folder, start: source.start, insertsBlindly: insertsBlindly)
    }
    return try WorkloadArchive(opening: folder)
  }

  private static func write(
    _ recordSource: some RecordSource, options: WorkloadOptions, to folder: URL, start: StartingRows? = nil,
    insertsBlindly: Bool = false
  ) throws(WorkloadError) {
    var source = recordSource
    var model = AnswerModel(schema: source.schema)
    var meeting = start.map { MeetingCheck(source.schema, $0, insertsBlindly: insertsBlindly) }
    if let start {
      model.add(start)
      try write(start, schema: source.schema, to: folder)
    }

    var existing = try TextFile(folder.appending(path: ArchiveFileName.existing))
    var texts: [Text] = []
    while true {
      let piece = try source.nextExisting(count: existingRowsPerText)
      guard !piece.isEmpty else { break }
      for record in piece.records {
        try meeting?.check(record, model)
        model.apply(record)
      }
      texts.append(try existing.append(piece))
    }
    try existing.close()

    let listLength = model.listLength
    var changesSortKeys = false
    var changes = ChangeCounts()
    var text = try TextFile(folder.appending(path: ArchiveFileName.payloads))
    var payloads: [Payload] = []
    for start in stride(from: 0, to: source.rows, by: options.batchSize) {
      let lane = payloads.count % options.lanes
      let piece = try source.nextPayload(count: min(options.batchSize, source.rows - start), lane: lane)
      var entities: Set<Int> = []
      for record in piece.records {
        try meeting?.check(record, model)
        changes.count(record, in: model)
        if !changesSortKeys { changesSortKeys = model.changesSortKeys(record) }
        entities.formUnion(model.apply(record))
      }
      payloads.append(Payload(text: try text.append(piece), lane: lane, entities: entities.sorted()))
    }
    try text.close()

    try write(KeySets(keys: model.deletedKeys).binary, to: folder.appending(path: ArchiveFileName.deleted))
    try write(model.answer().binary, to: folder.appending(path: ArchiveFileName.answer))
    var options = options
    options.rows = source.rows
    options.existingRows = source.existingRows
    // The description is written last: a folder without it is not a workload.
    let contents = ArchiveContents(
      options: options, schema: source.schema, payloads: payloads, existing: texts,
      remarks: source.remarks + (meeting?.remarks ?? []), changesSortKeys: changesSortKeys, mapping: source.mapping,
      feedRecordCount: source.feedRecordCount, changes: changes, listLength: listLength)
    try contents.write(to: contentsFile(of: folder))
  }

  /// Writes the rows of a starting store, and the primary keys of those that screens show.
  private static func write(_ start: StartingRows, schema: WorkloadSchema, to folder: URL) throws(WorkloadError) {
    try write(start.answer.binary, to: folder.appending(path: ArchiveFileName.start))
    let numbered = start.answer.tables.enumerated().map { entity, table in
      schema.entities[entity].isImported ? Set(table.rows.lazy.map(\.key).filter(\.isStoreRow)) : []
    }
    try write(KeySets(keys: numbered).binary, to: folder.appending(path: ArchiveFileName.numbered))
  }

  static func write(_ bytes: [UInt8], to file: URL) throws(WorkloadError) {
    do {
      try Data(bytes).write(to: file)
    } catch {
      let reason = FileFault(error).sentence
      throw WorkloadError(
        .unwritableFolder, "the workload cannot be written: \(reason)", path: file.path(percentEncoded: false))
    }
  }
}

/// Texts, one after the other, which are written to a file in pieces.
private struct TextFile {
  private let path: String
  private let handle: FileHandle
  private var waiting: [UInt8] = []
  private var count = 0

  /// The number of bytes that are kept in memory.
  private static let pieceSize = 1 << 20

  /// Creates an empty file.
  init(_ file: URL) throws(WorkloadError) {
    path = file.path(percentEncoded: false)
    try WorkloadArchive.write([], to: file)
    do {
      handle = try FileHandle(forWritingTo: file)
    } catch {
      throw TextFile.failure(error, path: path)
    }
  }

  mutating func append(_ piece: Piece) throws(WorkloadError) -> WorkloadArchive.Text {
    let text = WorkloadArchive.Text(
      offset: count, byteCount: piece.text.bytes.count, recordCount: piece.records.count)
    count += piece.text.bytes.count
    waiting += piece.text.bytes
    if waiting.count >= Self.pieceSize { try flush() }
    return text
  }

  mutating func close() throws(WorkloadError) {
    try flush()
    do {
      try handle.close()
    } catch {
      throw TextFile.failure(error, path: path)
    }
  }

  private mutating func flush() throws(WorkloadError) {
    do {
      try handle.write(contentsOf: waiting)
    } catch {
      throw TextFile.failure(error, path: path)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private static func failure(_ error: any Error, path: String) -> WorkloadError {
    WorkloadError(.unwritableFolder, "the workload cannot be written: \(FileFault(error).sentence)", path: path)
  }
}
