import Foundation
import Glibc
import MachineCore

extension WorkloadArchive {
  /// The number of existing rows in one text.
  private static let existingRowsPerText = 1_000

  /// Generates a workload or reads its feed, and writes it into a folder, which must exist.
  ///
  /// Complexity: O(n log n) in the records. The rows are held in memory if records update or delete rows, or if the run
  /// starts from a store. Otherwise those beyond a limit are in a file of the folder meanwhile.
  /// - Parameters:
  ///   - options: The options of the workload.
  ///   - folder: An existing folder.
  ///   - insertsBlindly: True if the import inserts each record without looking for its row.
  ///   - startingRows: A function that returns the rows of the store from which the run starts, or nil to start from an
  ///     empty store.
  ///   - rowByteLimit: The number of bytes of rows in memory beyond which rows are in a file, about.
  ///   - memoryLimit: The number of bytes that the process may take if all rows are in memory, or nil for three quarters
  ///     of the computer's memory.
  /// - Returns: The archive.
  /// - Throws: `WorkloadError` if the options, the feed or the store cannot be used, or if the folder cannot be written.
  @discardableResult
  package static func write(
    _ options: WorkloadOptions, to folder: URL, insertsBlindly: Bool = false,
    startingRows: StartingRowsReader? = nil, rowByteLimit: Int = 32 << 20, memoryLimit: Int? = nil
  ) throws(WorkloadError) -> WorkloadArchive {
    try options.validate()
    switch options.workload {
    case .catalog, .catalogReorder, .flat:
      let generated = try GeneratedSource(options: options, rows: options.rows ?? 0)
      let source: any RecordSource =
        options.restoresRows == true ? RestoringSource(generated, options) : generated
      try write(source, options: options, to: folder, rowByteLimit: rowByteLimit, memoryLimit: memoryLimit)
    case .feed(let path):
      let source = try GroupedSource(feed: path, options: options, startingRows)
      try write(
        source, options: options, to: folder, start: source.start, insertsBlindly: insertsBlindly,
        rowByteLimit: rowByteLimit, memoryLimit: memoryLimit)
    case .model:
      let source = try GroupedSource(modelOf: options, startingRows)
      try write(
        source, options: options, to: folder, start: source.start, insertsBlindly: insertsBlindly,
        rowByteLimit: rowByteLimit, memoryLimit: memoryLimit)
    }
    return try WorkloadArchive(opening: folder)
  }

  private static func write(
    _ recordSource: some RecordSource, options: WorkloadOptions, to folder: URL, start: StartingRows? = nil,
    insertsBlindly: Bool = false, rowByteLimit: Int, memoryLimit: Int?
  ) throws(WorkloadError) {
    var source = recordSource
    let keepsRows = start != nil || options.mix != .insertsOnly
    var model = AnswerModel(
      schema: source.schema, file: keepsRows ? nil : RowFile(folder.appending(path: ArchiveFileName.rows)),
      byteLimit: rowByteLimit)
    var meeting = start.map { MeetingCheck(source.schema, $0, insertsBlindly: insertsBlindly) }
    if let start {
      model.add(start)
      try write(start, schema: source.schema, to: folder)
    }

    let existing = try PieceFile(folder.appending(path: ArchiveFileName.existing))
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

    let listLength = try model.listLength()
    var changesSortKeys = false
    var changes = ChangeCounts()
    let text = try PieceFile(folder.appending(path: ArchiveFileName.payloads))
    var payloads: [Payload] = []
    for start in stride(from: 0, to: source.rows, by: options.batchSize) {
      let lane = payloads.count % options.lanes
      if keepsRows, payloads.count % 100 == 0 { try checkMemory(limit: memoryLimit, rows: source.rows) }
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
    var answer = try AnswerWriter(folder.appending(path: ArchiveFileName.answer))
    for entity in source.schema.entities.indices {
      try model.forEachRow(of: entity) { (row) throws(WorkloadError) in try answer.append(row) }
      answer.endTable()
    }
    try answer.close()
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

  /// Checks that there is memory left for rows that are not in a file.
  private static func checkMemory(limit: Int?, rows: Int) throws(WorkloadError) {
    let limit = limit ?? sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 4 * 3
    // The second number is that of the pages in memory.
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    guard let pages, pages.count > 1, let count = Int(pages[1]), count * sysconf(Int32(_SC_PAGESIZE)) > limit else {
      return
    }
    throw WorkloadError(
      .rows, "\(rows)",
      "with updates, deletes or a store to start from, all rows are in memory, and they take over "
        + "\(limit / 1_000_000) MB, three quarters of this computer's memory; use fewer, or only inserts")
  }

  /// Writes the rows of a starting store, and the primary keys of those that screens show.
  private static func write(_ start: StartingRows, schema: WorkloadSchema, to folder: URL) throws(WorkloadError) {
    var answer = try AnswerWriter(folder.appending(path: ArchiveFileName.start))
    for table in start.answer.tables {
      for row in table.rows { try answer.append(row) }
      answer.endTable()
    }
    try answer.close()
    let numbered = start.answer.tables.enumerated().map { entity, table in
      schema.entities[entity].isImported ? Set(table.rows.lazy.map(\.key).filter(\.isStoreRow)) : []
    }
    try write(KeySets(keys: numbered).binary, to: folder.appending(path: ArchiveFileName.numbered))
  }

  static func write(_ bytes: [UInt8], to file: URL) throws(WorkloadError) {
    let pieces = try PieceFile(file)
    try pieces.append(bytes)
    try pieces.close()
  }
}

/// A file that is written in pieces.
final class PieceFile {
  private let path: String
  private let descriptor: CInt
  private var waiting: [UInt8] = []
  /// The number of bytes that were appended.
  private(set) var count = 0

  /// The number of bytes that are kept in memory.
  private static let pieceSize = 1 << 20

  /// Creates an empty file.
  init(_ file: URL) throws(WorkloadError) {
    path = file.path(percentEncoded: false)
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  func append(_ bytes: [UInt8]) throws(WorkloadError) {
    count += bytes.count
    waiting += bytes
    if waiting.count >= Self.pieceSize { try flush() }
  }

  /// Appends the text of a piece.
  fileprivate func append(_ piece: Piece) throws(WorkloadError) -> WorkloadArchive.Text {
    let text = WorkloadArchive.Text(
      offset: count, byteCount: piece.text.bytes.count, recordCount: piece.records.count)
    try append(piece.text.bytes)
    return text
  }

  /// Writes the bytes that are in memory. No further bytes may be appended.
  func close() throws(WorkloadError) {
    try flush()
    // Some file systems report only when a file is closed that they are full.
    let copy = dup(descriptor)
    guard copy >= 0, Glibc.close(copy) == 0 || errno == EINTR else { throw failure(errno) }
  }

  private func flush() throws(WorkloadError) {
    let code = CompleteWrite.write(waiting, to: descriptor)
    guard code == 0 else { throw failure(code) }
    waiting.removeAll(keepingCapacity: true)
  }

  private func failure(_ code: CInt) -> WorkloadError {
    WorkloadError(.unwritableFolder, "the workload cannot be written: \(FileFault(code).sentence)", path: path)
  }
}
