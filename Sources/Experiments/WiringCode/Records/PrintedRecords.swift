import Workloads

/// The records of a workload, as far as the printed code depends on them.
package struct PrintedRecords: Sendable {
  /// The entities of the workload.
  package let schema: WorkloadSchema
  /// The way from the members of records to the properties of entities, or nil for a standard workload, whose records
  /// have one form.
  private(set) var mapping: FeedMapping?
  /// The forms of the values in a feed, by entity of the mapping. It is empty if the records are not those of a feed.
  private(set) var forms: [EntityForms] = []
  /// The name under which an app opens the model.
  let modelName: String
  /// The name of the feed, or nil if the records are not those of a feed.
  private(set) var feedName: String?
  private var hasWrappedValues = false

  /// The records of the generated workloads.
  package static let catalog = PrintedRecords(schema: .catalog, modelName: "Catalog")
  package static let flat = PrintedRecords(schema: .flat, modelName: "Item")
}

extension PrintedRecords {
  /// Reads the feed and the model of a workload.
  ///
  /// - Throws: `WorkloadError` if one of them cannot be read, or if they do not fit each other.
  package init(_ options: WorkloadOptions) throws(WorkloadError) {
    let modelName = options.model.map(Self.name(ofModel:))
    switch options.workload {
    case .catalog, .catalogReorder: self = .catalog
    case .flat: self = .flat
    case .feed(let path):
      let feed = try MappedFeed(options: options, path: path)
      self.init(
        schema: feed.schema, mapping: feed.mapping, forms: feed.forms,
        modelName: modelName ?? feed.mapping.entities[0].name, feedName: options.workload.name,
        hasWrappedValues: try feed.hasWrappedValues())
    case .model(let path):
      let schema = try options.schema()
      self.init(
        schema: schema, mapping: FeedMapping.generated(schema.model).mapping,
        modelName: modelName ?? Self.name(ofModel: path))
    }
  }

  /// Returns the name of the compiled model of a file: the name of the innermost folder `.xcdatamodeld` that contains it,
  /// or else of the folder `.xcdatamodel`.
  private static func name(ofModel path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    for ending in [".xcdatamodeld", ".xcdatamodel"] {
      if let folder = parts.last(where: { $0.hasSuffix(ending) }) { return String(folder.dropLast(ending.count)) }
    }
    return "Model"
  }

  /// Indicates whether a record is one row, whose attributes are members of the record.
  var isFlat: Bool {
    mapping.map { isFromFeed && $0.entities.count == 1 && $0.entities[0].relationships.isEmpty } ?? true
  }

  var isFromFeed: Bool { feedName != nil }

  /// The end of the comment on the parameter with a payload.
  var payloadNote: String {
    let shape = mapping?.shape
    guard let feedName, let shape, shape.container != .list || !shape.path.isEmpty else {
      return "The JSON text of an array of records."
    }
    return "The JSON text of records in the form of \(feedName)."
  }

  /// Indicates whether the place of a record in the feed identifies its row.
  var areNumbered: Bool {
    if case .place? = mapping?.entities.first?.key { isFromFeed } else { false }
  }

  /// The first property of the records that the code cannot have, in words, or nil if it can be printed.
  package var limit: String? {
    if hasWrappedValues { return "its values are in objects of MongoDB, such as {\"$oid\": …}; export it without them" }
    guard let mapping else { return nil }
    for (number, entity) in mapping.entities.enumerated() {
      if number > 0, case .place = entity.key {
        return "the rows of \(entity.name) have no key but their place; give a key in a map file"
      }
      let constants = entity.attributes.filter { $0.constant != nil }.map(\.name)
      if entity.key.attributeNames.allSatisfy(constants.contains) {
        return "the key of \(entity.name) is the same for all rows; give another key in a map file"
      }
    }
    return nil
  }

  /// The first relationship of the entities, or nil if batch inserts can write all rows.
  package var firstRelationship: String? {
    schema.entities.lazy.compactMap { entity in
      entity.relationships.first.map { "\(entity.name).\($0.name)" }
    }.first
  }
}
