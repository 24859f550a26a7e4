import Workloads

/// The Swift code for the records of a feed, or of a model without a feed: a decodable structure for each entity, and the
/// rows that follow from a record.
struct FeedRecordCode: Sendable {
  let records: PrintedRecords
  let mapping: FeedMapping
  /// Indicates whether a record may report that its row is deleted.
  let hasDeletions: Bool

  /// The names that a property cannot have, because the structures or their functions use them.
  static let taken: Set<String> = [
    "key", "attributes", "rows", "row", "owner", "entityName", "record", "decoder", "digest", "deleted",
  ]

  var schema: WorkloadSchema { records.schema }
  var keys: KeyCode { KeyCode(schema) }

  /// The declarations of the keys, the rows, the records and their decoding.
  @CodeBuilder var members: [Code] {
    let structures = structures
    keys.declarations
    if !records.isFlat { rowType }
    structures
    helpers(for: "\(structures + [decoding])")
    decoding
  }

  /// Indicates whether a digest of their values identifies some rows.
  var usesDigests: Bool {
    mapping.entities.contains { if case .content = $0.key { true } else { false } }
  }

  // MARK: Names

  /// Returns the name of the structure of an entity.
  func structureName(of number: Int) -> String {
    number == 0 && records.isFromFeed ? "Record" : typeName(number) + "Record"
  }

  private func typeName(_ number: Int) -> String {
    let name = mapping.entities[number].name
    return name.first?.isNumber == true ? "_\(name)" : name
  }

  func property(_ name: String) -> String { SwiftNames.property(name, taken: Self.taken) }

  /// Returns the index in the schema of an entity of the mapping.
  func index(of number: Int) -> Int { schema.index(ofEntity: mapping.entities[number].name) ?? 0 }

  // MARK: Relationships

  /// Indicates whether records of other entities contain records of an entity as its owner.
  func isOwned(_ number: Int) -> Bool {
    mapping.entities.contains { entity in
      entity.relationships.contains { $0.target == number && $0.isCarriedByTarget }
    }
  }

  /// Returns true if an array holds the only target of a relationship, because a structure cannot contain itself.
  private func isBoxed(_ relationship: FeedMapping.Relationship, of number: Int) -> Bool {
    var reached: [Int] = []
    var next = [relationship.target]
    while let entity = next.popLast() {
      guard !reached.contains(entity) else { continue }
      reached.append(entity)
      next += mapping.entities[entity].relationships.filter { !$0.isToMany && !$0.isReference }.map(\.target)
    }
    return reached.contains(number)
  }

  /// Returns true if an array holds the values of a relationship.
  func isArray(_ relationship: FeedMapping.Relationship, in number: Int) -> Bool {
    relationship.isToMany || !relationship.isReference && isBoxed(relationship, of: number)
  }

  /// Returns the type of the values that refer to rows of an entity.
  func referenceType(_ number: Int) -> String {
    let attributes = schema.entities[index(of: number)].keyAttributes
    return attributes.count == 1 ? attributes[0].type.swiftType : "\(typeName(number))Key"
  }

  /// Returns the expression for the key of the row to which a value refers.
  func referenceKey(_ number: Int, value: String) -> String {
    schema.entities[index(of: number)].keyIndexes.count == 1
      ? keys.expression(of: index(of: number), [value]) : "\(value).key"
  }
}

// MARK: - The rows

extension FeedRecordCode {
  /// Indicates whether some entity shares its keys with others that inherit from the same entity.
  var hasFamilies: Bool {
    mapping.entities.indices.contains { keys.rootName(of: index(of: $0)) != mapping.entities[$0].name }
  }

  private var carried: [FeedMapping.Relationship] {
    mapping.entities.flatMap(\.relationships).filter { !$0.isCarriedByTarget }
  }
  var hasLinks: Bool { carried.contains { !$0.isToMany } || mapping.entities.indices.contains(where: isOwned) }
  var hasLists: Bool { carried.contains(where: \.isToMany) }
  /// The expression that makes the value of a to-many relationship of `targets`.
  var listValue: String {
    let lists = carried.filter(\.isToMany)
    let (set, ordered) = ("NSSet(array: targets)", "NSOrderedSet(array: targets)")
    guard lists.contains(where: \.isOrdered) else { return set }
    guard lists.contains(where: { !$0.isOrdered }) else { return ordered }
    return "object.entity.relationshipsByName[name]?.isOrdered == true ? \(ordered) : \(set)"
  }

  private var rowType: Code {
    let linked = "The keys of the rows to which this one links, by the names of"
    let properties = [
      (true, nil, "key: Key"),
      (
        hasFamilies, "The entity of the row. Its key is unique among the rows of `key.entityName`.",
        "entityName: String"
      ),
      (true, "The values, by the names of the model's attributes.", "attributes: [String: Any?]"),
      (hasLinks, "\(linked) to-one relationships.", "links: [String: Key?] = [:]"),
      (hasLists, "\(linked) to-many relationships.", "lists: [String: [Key]] = [:]"),
      (hasDeletions, "True if the server has deleted the row.", "isDeletion = false"),
    ]
    let targets = [
      hasLinks ? "links.values.compactMap(\\.self)" : nil, hasLists ? "lists.values.flatMap(\\.self)" : nil,
    ].compactMap(\.self).joined(separator: " + ")
    let reading: [Code] =
      targets.isEmpty
      ? [] : ["/// The keys of the rows to which this one links.\nvar targets: [Key] { \(targets) }"]
    let lines = properties.filter(\.0).map { "\($1.map { "/// \($0)\n" } ?? "")var \($2)" }
    return """
      /// The values of one row.
      nonisolated struct Row {
        \(members: ["\(lines)"] + reading)
      }
      """
  }

  /// Returns the expression of a row.
  func row(_ number: Int, key: String, attributes: Code, links: Code? = nil, lists: Code? = nil) -> Code {
    .call("Row") {
      "key: \(key)"
      if hasFamilies { "entityName: \(SwiftNames.literal(mapping.entities[number].name))" }
      "attributes: \(attributes)"
      links.map { "links: \($0)" }
      lists.map { "lists: \($0)" }
    }
  }
}
