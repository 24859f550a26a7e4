import Foundation

/// A workload in a folder. It is written once, before the trials, and each trial opens it.
///
/// An archive takes little heap while a trial runs: texts are mapped into memory, each payload's description is a few
/// words long, and the answer is read only on request.
package struct WorkloadArchive: Sendable {
  package let folder: URL
  /// The options that the workload was written with. Its `rows` and `existingRows` are the actual numbers, which are the
  /// feed's size if they were not given as numbers.
  package let options: WorkloadOptions
  package let schema: WorkloadSchema
  /// The payloads in order of arrival.
  package let payloads: [Payload]
  /// The texts, in order, of the rows that are in the store before the first payload. They have the same form as
  /// payloads.
  package let existing: [Text]
  /// Sentences about records that were left out, and about what the schema lacks. They are meant for the user.
  package let remarks: [String]
  /// True if some payload changes a value by which a list is sorted.
  package let changesSortKeys: Bool
  /// The way from a feed's members to the records, or nil if the records come from no feed.
  package let mapping: FeedMapping?
  /// The number of the feed's records, or nil if the records come from no feed.
  package let feedRecordCount: Int?

  /// The numbers of the payloads' records by what they do.
  package let changes: ChangeCounts
  /// The number of rows of the list that screens show before the first payload, or of the first entity's rows without a
  /// list of the user's.
  package let listLength: Int

  private let payloadText: MappedFile
  private let existingText: MappedFile
  /// The memory of the values that are made from the workload, or nil if each use makes them anew.
  private let memory: ArchiveMemory?
  private let deletedKeys: KeySets
  /// The rows of a starting store that are shown on screen and named by their primary keys.
  package let numberedRows: NumberedRows

  /// A range of text that `PayloadDecoder` decodes.
  package struct Text: Equatable, Sendable, Codable {
    package var offset: Int
    package var byteCount: Int
    package var recordCount: Int
  }

  /// The facts about a payload that are known without decoding it.
  package struct Payload: Equatable, Sendable, Codable {
    package var text: Text
    package var lane: Int
    /// The entities, in ascending order, of the rows that it creates, changes or deletes, also by delete rules.
    package var entities: [Int]
    package var recordCount: Int { text.recordCount }
  }

  /// Opens the workload in a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - keepsValues: True if decoded payloads and other values that are made from the workload stay in memory.
  /// - Throws: `WorkloadError` if the folder does not contain a complete workload.
  package init(opening folder: URL, keepsValues: Bool = false) throws(WorkloadError) {
    self.folder = folder
    let contents = try ArchiveContents(reading: Self.contentsFile(of: folder))
    options = contents.options
    schema = contents.schema
    payloads = contents.payloads
    existing = contents.existing
    remarks = contents.remarks
    changesSortKeys = contents.changesSortKeys
    mapping = contents.mapping
    feedRecordCount = contents.feedRecordCount
    changes = contents.changes
    listLength = contents.listLength
    payloadText = try Self.map(folder.appending(path: ArchiveFileName.payloads), holding: payloads.last?.text)
    existingText = try Self.map(folder.appending(path: ArchiveFileName.existing), holding: existing.last)
    memory = keepsValues ? ArchiveMemory(payloadCount: payloads.count) : nil
    let deleted = folder.appending(path: ArchiveFileName.deleted)
    deletedKeys = try KeySets(
      binary: try WorkloadArchive.map(deleted).data, schema: schema, path: deleted.path(percentEncoded: false))
    var numberedRows = NumberedRows(schema)
    if schema.startsFromStore {
      let file = folder.appending(path: ArchiveFileName.numbered)
      let sets = try KeySets(
        binary: try WorkloadArchive.map(file).data, schema: schema, path: file.path(percentEncoded: false))
      for (entity, keys) in sets.keys.enumerated() {
        for key in keys { numberedRows.insert(key, of: entity) }
      }
    }
    self.numberedRows = numberedRows
  }

  /// Returns the bytes of a payload. They are mapped into memory and not on the heap.
  package func payload(_ index: Int) -> Data {
    bytes(payloads[index].text, of: payloadText)
  }

  /// The number of bytes of all payloads.
  var payloadByteCount: Int { payloadText.data.count }

  /// The file with the description of a workload, without which a folder is none.
  static func contentsFile(of folder: URL) -> URL { folder.appending(path: ArchiveFileName.contents) }

  /// Returns the records of a payload. Only the first call decodes them if the workload keeps values.
  ///
  /// - Throws: `WorkloadError` if the payload cannot be decoded.
  package func records(of payload: Int, by decoder: PayloadDecoder) throws(WorkloadError) -> [ImportRecord] {
    guard let memory else { return try decoder.decode(self.payload(payload)) }
    return try memory.records(of: payload) { () throws(WorkloadError) in try decoder.decode(self.payload(payload)) }
  }

  /// Makes a value from this workload alone, once if the workload keeps values.
  ///
  /// - Parameters:
  ///   - name: The name of the value, which no value of another type has.
  ///   - make: Makes the value.
  /// - Returns: The value.
  /// - Throws: The error of `make`.
  package func value<Value: Sendable, Failure: Error>(
    named name: String, _ make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let memory else { return try make() }
    return try memory.value(named: name, make)
  }

  /// Returns the bytes of one text of the existing rows. They are mapped into memory and not on the heap.
  package func existingText(_ index: Int) -> Data {
    bytes(existing[index], of: existingText)
  }

  /// Returns true if some payload deletes the row, directly or by cascade.
  package func isEverDeleted(_ entity: Int, _ key: RecordKey) -> Bool {
    deletedKeys.keys[entity].contains(key)
  }

  /// Reads the right final state. Call it outside the measured window, because the figures of the heap must not include
  /// it.
  ///
  /// Complexity: O(n) in the rows, about 0.2 µs for each. The rows of a large file are read when they are used, unless
  /// the workload keeps values.
  /// - Parameter byteCountInMemory: The largest number of bytes of a file whose rows are all kept in memory.
  /// - Returns: The rows.
  /// - Throws: `WorkloadError` with `.damagedArchive` if the file cannot be read or is damaged.
  package func answer(inMemoryUpTo byteCountInMemory: Int = 16 << 20) throws(WorkloadError) -> Answer {
    try value(named: "answer") { () throws(WorkloadError) in
      let file = folder.appending(path: ArchiveFileName.answer)
      return try Answer(
        reading: file, schema: schema, byteCountInMemory: memory == nil ? byteCountInMemory : .max)
    }
  }

  /// Reads the rows of the store from which the run starts, or returns nil if it starts from an empty store.
  ///
  /// - Throws: `WorkloadError` with `.damagedArchive` if the file cannot be read or is damaged.
  package func startingRows() throws(WorkloadError) -> StartingRows? {
    guard schema.startsFromStore else { return nil }
    return StartingRows(
      answer: try Answer(
        reading: folder.appending(path: ArchiveFileName.start), schema: schema, byteCountInMemory: .max))
  }

  private func bytes(_ text: Text, of file: MappedFile) -> Data {
    file.willRead(text.byteCount)
    return file.data[text.offset..<text.offset + text.byteCount]
  }
}

// MARK: - Files

extension WorkloadArchive {
  static func map(_ file: URL, holding text: Text? = nil) throws(WorkloadError) -> MappedFile {
    let path = file.path(percentEncoded: false)
    let mapped: MappedFile
    do {
      mapped = try MappedFile(file)
    } catch {
      let reason = FileFault(error).sentence
      throw WorkloadError(.damagedArchive, "the workload's file cannot be read: \(reason)", path: path)
    }
    guard let text else { return mapped }
    guard text.offset + text.byteCount == mapped.data.count else {
      throw WorkloadError(
        .damagedArchive, "the file holds \(mapped.data.count) bytes and should hold \(text.offset + text.byteCount)",
        path: path)
    }
    return mapped
  }
}

/// The names of the files in an archive.
enum ArchiveFileName {
  static let contents = "workload.json"
  static let payloads = "payloads.text"
  static let existing = "existing.text"
  static let deleted = "deleted.binary"
  static let answer = "answer.binary"
  static let start = "start.binary"
  static let numbered = "numbered.binary"
  /// The rows of the answer while a workload is written.
  static let rows = "rows.sqlite"
}

/// An archive's description of itself.
struct ArchiveContents: Codable {
  static let currentFormat = 7

  var format = currentFormat
  var options: WorkloadOptions
  var schema: WorkloadSchema
  var payloads: [WorkloadArchive.Payload]
  var existing: [WorkloadArchive.Text]
  var remarks: [String]
  var changesSortKeys: Bool
  var mapping: FeedMapping?
  var feedRecordCount: Int?
  var changes: WorkloadArchive.ChangeCounts
  var listLength: Int
}

extension ArchiveContents {
  init(reading file: URL) throws(WorkloadError) {
    let data = try WorkloadArchive.map(file).data
    do {
      self = try JSONDecoder().decode(ArchiveContents.self, from: data)
    } catch {
      throw WorkloadError(
        .damagedArchive, "not a workload's description: \(JSONFault(error).sentence)",
        path: file.path(percentEncoded: false))
    }
    guard format == ArchiveContents.currentFormat else {
      throw WorkloadError(
        .damagedArchive, "the workload is of format \(format); this version reads \(ArchiveContents.currentFormat)",
        path: file.path(percentEncoded: false))
    }
  }

  func write(to file: URL) throws(WorkloadError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let text = try? encoder.encode(self) else {
      throw WorkloadError(
        .unwritableFolder, "the workload's description cannot be encoded", path: file.path(percentEncoded: false))
    }
    try WorkloadArchive.write(Array(text), to: file)
  }
}
