import MachineCore

/// Applies a map to the mapping that was inferred from the feed.
///
/// Relationships come first, because they can add entities. Attributes, keys and the rest of the entities follow. At the
/// end, entities to which no relationship leads are left out.
struct MapResolution {
  let map: FeedMap
  let structure: FeedStructure
  let model: ModelDocument?
  var mapping: FeedMapping
  /// The kinds of the objects that make rows of each entity. The list is empty for an entity that the feed only refers
  /// to.
  var kinds: [[Int]] = []
  /// The references that the map gives.
  var references: [Reference] = []

  /// A relationship of the map that holds keys.
  struct Reference {
    var entity: String
    var relationship: FeedMap.Relationship
    /// The attribute of the target that the references contain.
    var attribute: String
  }

  init(_ map: FeedMap, _ structure: FeedStructure, _ model: ModelDocument?, _ mapping: FeedMapping) {
    self.map = map
    self.structure = structure
    self.model = model
    self.mapping = mapping
    findKinds()
  }

  /// Returns the mapping with the parts of the map.
  ///
  /// - Throws: `WorkloadError` with the file, the line and the field of the map for the first part that does not fit the
  ///   feed or the model.
  mutating func resolve() throws(WorkloadError) -> FeedMapping {
    try addRelationships()
    for entity in map.entities where !entity.isRemoved {
      guard let number = index(of: entity.name) else { continue }
      try applyAttributes(of: entity, to: number)
    }
    for entity in map.entities where !entity.isRemoved {
      guard let number = index(of: entity.name) else { continue }
      try applyKey(of: entity, to: number)
    }
    try checkReferences()
    for entity in map.entities where !entity.isRemoved {
      guard let number = index(of: entity.name) else { continue }
      try applyEdited(of: entity, to: number)
      try ignore(entity, number: number)
    }
    try removeEntities()
    removeTaken()
    try checkNames()
    try checkKeys()
    try checkCycles()
    return mapping
  }

  func index(of name: String) -> Int? { mapping.entities.firstIndex { $0.name == name } }

  // MARK: Kinds

  /// Finds the kinds of objects that the relationships of nested objects lead to, from the records on.
  mutating func findKinds() {
    kinds = mapping.entities.map { _ in [] }
    var pending = [(entity: 0, kind: 0)]
    while let next = pending.popLast() {
      guard !kinds[next.entity].contains(next.kind) else { continue }
      kinds[next.entity].append(next.kind)
      for relationship in mapping.entities[next.entity].relationships where !relationship.isReference {
        for member in members(at: relationship.member, of: [next.kind]) {
          if let kind = member.kind { pending.append((relationship.target, kind)) }
        }
      }
    }
  }

  /// Returns the members at a path, of which there is one for each kind of objects that has the path.
  func members(at path: [String], of kinds: [Int]) -> [FeedStructure.Member] {
    kinds.compactMap { kind in
      var kind: Int? = kind
      var member: FeedStructure.Member?
      for (depth, name) in path.enumerated() {
        if depth > 0, member?.objects != true { return nil }
        guard let found = kind.flatMap({ structure.kinds[$0].member(name) }) else { return nil }
        member = found
        kind = found.kind
      }
      return member
    }
  }

  // MARK: Errors

  /// Returns an error about a part of the map.
  func fault(_ field: String, _ message: String, line: Int?) -> WorkloadError {
    WorkloadError(.invalidOption, "\(field): \(message)", path: map.place, line: line)
  }

  /// Returns the members at a path, or throws an error if no object has the path.
  func members(
    at path: [String], of number: Int, _ field: String, line: Int?
  ) throws(WorkloadError) -> [FeedStructure.Member] {
    let found = members(at: path, of: kinds[number])
    guard found.isEmpty else { return found }
    let whole = path.joined(separator: ".")
    if path.count > 1, !members(at: [whole], of: kinds[number]).isEmpty {
      throw fault(
        field, "no record has a member \(path[0]) with a member \(path[1]); use [\"\(whole)\"] for the member \(whole)",
        line: line)
    }
    var level = kinds[number]
    for name in path {
      let inner = level.compactMap { structure.kinds[$0].member(name) }
      if inner.isEmpty {
        let names = level.flatMap { structure.kinds[$0].members.map(\.name) }
        throw fault(
          field, "no record has the member \(QuotedText.of(whole)); \(NameList.choice(name, of: names))", line: line)
      }
      level = inner.filter(\.objects).compactMap(\.kind)
    }
    throw fault(
      field, "no record has the member \(QuotedText.of(whole)), because a path leads through objects only", line: line)
  }
}

// MARK: - Removing

extension MapResolution {
  /// Removes the entities that the map leaves out, and those to which no relationship leads any more.
  private mutating func removeEntities() throws(WorkloadError) {
    for entity in map.entities where entity.isRemoved {
      let field = "entities.\(entity.name)"
      guard let number = index(of: entity.name) else {
        throw fault(
          field,
          "is not mapped, so it cannot be left out; \(NameList.choice(entity.name, of: mapping.entities.map(\.name)))",
          line: entity.line)
      }
      guard number > 0 else {
        throw fault(field, "is the entity of the feed's own records, which cannot be left out", line: entity.line)
      }
      for source in mapping.entities.indices {
        mapping.entities[source].relationships.removeAll { $0.target == number }
      }
    }
    var reached = [0]
    var place = 0
    while place < reached.count {
      for relationship in mapping.entities[reached[place]].relationships where !reached.contains(relationship.target) {
        reached.append(relationship.target)
      }
      place += 1
    }
    reached.sort()
    var entities = reached.map { mapping.entities[$0] }
    for number in entities.indices {
      for place in entities[number].relationships.indices {
        let target = entities[number].relationships[place].target
        entities[number].relationships[place].target = reached.firstIndex(of: target) ?? 0
      }
    }
    mapping.entities = entities
    findKinds()
  }

  /// Removes members that a property of the map takes from those without a property.
  private mutating func removeTaken() {
    for entity in map.entities {
      let members = entity.attributes.compactMap { attribute -> [String]? in
        if case .member(let path, _) = attribute.source { path } else { nil }
      }
      for path in members + entity.relationships.compactMap(\.member) { removeUnmatched(path, of: entity.name) }
    }
  }

  /// Removes a member, or the object that contains it, from the members without a property.
  mutating func removeUnmatched(_ path: [String], of entity: String) {
    mapping.unmatched.removeAll { text in
      guard text.hasPrefix(entity + ".") else { return false }
      let member = text.dropFirst(entity.count + 1)
      return (1...max(1, path.count)).contains { count in
        let part = path.prefix(count).joined(separator: ".")
        return member == part || member.hasSuffix("." + part)
      }
    }
  }

  /// Removes the members that the map ignores from those without a property.
  private mutating func ignore(_ entity: FeedMap.Entity, number: Int) throws(WorkloadError) {
    for var path in entity.ignored {
      let whole = [path.joined(separator: ".")]
      if !members(at: whole, of: kinds[number]).isEmpty { path = whole }
      _ = try members(at: path, of: number, "entities.\(entity.name).ignore", line: entity.line)
      removeUnmatched(path, of: entity.name)
    }
  }
}
