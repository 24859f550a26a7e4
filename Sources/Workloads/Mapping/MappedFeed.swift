/// A feed with the mapping of its records and the schema that follows from it.
package struct MappedFeed {
  package let reader: FeedReader
  package let mapping: FeedMapping
  package let schema: WorkloadSchema
  /// The number of records, usable or not.
  package let recordCount: Int
  let structure: FeedStructure
  /// The members that contain IDs of other objects. A map may leave some of them out.
  private var references: [FeedReference] = []
  /// True if a map gives the key of the records, or if a model's entities have the keys.
  private let isKeyGiven: Bool

  /// Reads a feed once or several times, with the model and the map of the options if they name any.
  ///
  /// - Throws: `WorkloadError` if a file cannot be read, or if they do not fit each other.
  package init(options: WorkloadOptions, path: String) throws(WorkloadError) {
    let model = try options.modelDocument()
    let limits = FeedLimits(maxRecordBytes: options.maxRecordBytes)
    do {
      reader = try Self.reader(of: path, map: options.map, limits: limits)
      structure = try FeedStructure(reader)
      recordCount = structure.recordCount
      if let model {
        mapping = try FeedMapping.match(structure, with: model, reader: reader, map: options.map)
      } else {
        references = try FeedReference.find(in: structure, kinds: structure.entityKinds, reader)
        mapping = try FeedMapping.infer(structure, references, shape: reader.shape, options.map)
          .separatingOwnedLists(reader)
      }
      let records = mapping.entities.first?.name
      isKeyGiven = model != nil || options.map?.entities.contains { $0.name == records && $0.key != nil } ?? false
      schema = try mapping.schema(model: model, isInsertsOnly: options.mix == .insertsOnly)
      if model == nil {
        try Self.checkWidth(of: structure, schema: schema, path: path)
        try Self.checkKeys(structure: structure, mapping: mapping, reader: reader)
      }
    } catch let error as FeedError {
      throw WorkloadError(error)
    } catch let error as WorkloadError {
      throw error
    } catch {
      throw WorkloadError(.unreadableFile, "\(error)", path: path)
    }
  }

  /// Opens a feed in the shape that a map gives, as far as it gives one.
  private static func reader(
    of path: String, map: FeedMap?, limits: FeedLimits
  ) throws(FeedError) -> FeedReader {
    guard let map, map.shape != FeedMap.Shape() else { return try FeedReader(path: path, limits: limits) }
    do throws(FeedError) {
      let detected = try FeedReader(path: path, limits: limits)
      return try FeedReader(path: path, shape: map.shape.completing(detected.shape), limits: limits)
    } catch {
      // A shape that cannot be detected can be given.
      guard error.code == .shape, let shape = map.shape.completing(nil) else { throw error }
      return try FeedReader(path: path, shape: shape, limits: limits)
    }
  }

  /// Sentences about members without a match and entities that the user does not edit.
  package var remarks: [String] {
    var remarks: [String] = []
    if let places = reader.furtherContainers {
      remarks.append(
        "the records at \(reader.shape.pathText) are read, and not those at \(places); a map file chooses others with "
          + "shape.path")
    }
    if reader.shape.container == .object, reader.shape.path.isEmpty {
      remarks.append("the feed is one object, which is read as one record")
    }
    if !reader.leftOut.isEmpty {
      remarks.append("members of the feed that are not objects are left out: \(NameList.text(reader.leftOut))")
    }
    if let proposed = structure.kinds[0].proposedID, !isKeyGiven,
      let attribute = mapping.entities[0].attributes.first(where: { $0.member == [proposed.name] }),
      mapping.entities[0].key == .attributes([attribute.name])
    {
      remarks.append(
        "no member is called like an ID; the key is \(proposed.name), which differs in all \(recordCount) records; a map "
          + "file chooses another")
    }
    if !mapping.unmatched.isEmpty { remarks.append("no property takes \(NameList.text(mapping.unmatched))") }
    remarks += references.compactMap { found in
      guard found.danglingCount > 0, let entity = found.entity(in: mapping, structure),
        let relationship = entity.relationships.first(where: { $0.isReference && $0.member == [found.member] })
      else { return nil }
      return "\(found.danglingCount) of \(found.count) IDs in \(entity.name).\(found.member) are not the ID of any "
        + "\(mapping.entities[relationship.target].name), so that \(relationship.name) lacks them"
    }
    let filled = schema.entities.filter(\.isImported)
    if !filled.isEmpty, filled.allSatisfy({ $0.editedAttribute == nil }) {
      remarks.append("no entity has an optional string attribute that the feed leaves free, so the user edits nothing")
    }
    return remarks
  }

  /// Counts the records that fit their entities.
  ///
  /// - Returns: The number, and the messages about the first records that do not fit.
  /// - Throws: `WorkloadError` if the feed cannot be read or no record fits.
  package func countUsable() throws(WorkloadError) -> (count: Int, messages: [String]) {
    let mapper = RecordMapper(mapping, schema: schema)
    var count = 0
    var place = 0
    var messages: [String] = []
    do {
      try reader.forEachRecord { (record) throws(FeedError) in
        do throws(RecordFault) {
          _ = try mapper.group(of: record, in: reader, at: place)
          count += 1
        } catch {
          if messages.count < 3 { messages.append("line \(record.line), record \(place): \(error.message)") }
        }
        place += 1
      }
    } catch {
      throw WorkloadError(error)
    }
    guard count > 0 else {
      throw WorkloadError(
        .damagedFeed, "none of the \(place) records fits its entity; \(messages.first ?? "")", path: reader.path)
    }
    return (count, messages)
  }
}

extension WorkloadOptions {
  /// Reads the model that the options name, or returns nil if they name none.
  package func modelDocument() throws(WorkloadError) -> ModelDocument? {
    guard let model else { return nil }
    do throws(ModelError) {
      let document = try ModelDocument(path: model, version: modelVersion)
      try document.checkSize()
      return document
    } catch {
      throw WorkloadError(.unreadableFile, error.text, path: error.place, line: error.line)
    }
  }
}

extension ModelDocument {
  private static let largestEntityCount = 1_000
  private static let largestPropertyCount = 2_000

  /// Checks that the rows of the model can be made in reasonable time.
  ///
  /// - Throws: `ModelError` if the model has too many entities, or too many attributes and relationships.
  fileprivate func checkSize() throws(ModelError) {
    func check(_ count: Int, most: Int, name: String) throws(ModelError) {
      guard count > most else { return }
      throw ModelError(
        .unsupported, "the model has \(count) \(name), and a run takes at most \(most); use a part of the model",
        place: place)
    }
    try check(entities.count, most: Self.largestEntityCount, name: "entities")
    try check(
      entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }, most: Self.largestPropertyCount,
      name: "attributes and relationships")
  }
}

extension ModelError {
  /// The message after the field that is wrong.
  fileprivate var text: String { field.map { "\($0): \(message)" } ?? message }
}
