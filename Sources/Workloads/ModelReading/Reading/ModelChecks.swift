import MachineCore

/// The checks of a model's names and references.
struct ModelChecks {
  private let document: ModelDocument
  private let notes: ReadingNotes
  private let indexes: [String: Int]

  init(_ document: ModelDocument, notes: ReadingNotes) {
    self.document = document
    self.notes = notes
    indexes = Dictionary(document.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Checks the model. Names in indexes, configurations and fetch requests that refer to nothing are only remarked on.
  ///
  /// - Throws: `ModelError` if two entities or properties have the same name; if a parent, a destination, an inverse or
  ///   a property of a constraint does not exist; if an inverse disagrees; or if entities inherit in a circle.
  func check() throws(ModelError) {
    try checkNames()
    try checkParents()
    for entity in document.entities {
      for relationship in entity.relationships { try check(relationship, of: entity) }
      try checkConstraints(of: entity)
      noteMissingProperties(of: entity)
    }
    noteMissingEntities()
  }

  private func error(_ code: ModelError.Code, _ message: String, line: Int, field: String) -> ModelError {
    ModelError(code, message, place: notes.place, line: line, field: field)
  }
}

// MARK: - Names

extension ModelChecks {
  private func checkNames() throws(ModelError) {
    var lines: [String: Int] = [:]
    for entity in document.entities {
      if let line = lines.updateValue(entity.line, forKey: entity.name) {
        throw error(
          .duplicateName, "the entity in line \(line) has the same name; rename one of them", line: entity.line,
          field: QuotedText.of(entity.name))
      }
      var own: [String: Int] = [:]
      let properties =
        entity.attributes.map { ($0.name, $0.line) } + entity.relationships.map { ($0.name, $0.line) }
        + entity.fetchedProperties.map { ($0.name, $0.line) }
      for (name, line) in properties.sorted(by: { $0.1 < $1.1 }) {
        if let first = own.updateValue(line, forKey: name) {
          throw error(
            .duplicateName, "the property in line \(first) has the same name; rename one of them", line: line,
            field: field(entity, property: name))
        }
      }
    }
  }

  private func field(_ entity: ModelDocument.Entity, property: String) -> String {
    "\(QuotedText.of(entity.name)).\(QuotedText.of(property))"
  }
}

// MARK: - Inheritance

extension ModelChecks {
  /// The greatest number of entities that an entity may inherit from, one after the other.
  private static let depthLimit = 256

  private func checkParents() throws(ModelError) {
    /// The number of entities that each entity inherits from, as far as it is known.
    var depths: [Int?] = Array(repeating: nil, count: document.entities.count)
    for start in document.entities.indices {
      var path: [Int] = []
      var onPath: Set<Int> = []
      var current: Int? = start
      while let index = current, depths[index] == nil {
        guard onPath.insert(index).inserted else { throw circle(path, through: index) }
        path.append(index)
        current = try parent(of: document.entities[index])
      }
      var depth = current.flatMap { depths[$0] } ?? -1
      for index in path.reversed() {
        depth += 1
        depths[index] = depth
        guard depth <= Self.depthLimit else {
          throw error(
            .refusedFile, "the entity inherits from more than \(Self.depthLimit) entities, one after the other",
            line: document.entities[index].line, field: parentField(document.entities[index]))
        }
      }
    }
  }

  private func parent(of entity: ModelDocument.Entity) throws(ModelError) -> Int? {
    guard let name = entity.parent else { return nil }
    guard let parent = indexes[name] else {
      throw error(
        .invalidReference, "there is no entity \(QuotedText.of(name))", line: entity.line, field: parentField(entity))
    }
    return parent
  }

  private func parentField(_ entity: ModelDocument.Entity) -> String {
    "\(QuotedText.of(entity.name)).parentEntity"
  }

  private func circle(_ path: [Int], through index: Int) -> ModelError {
    let members = path.drop { $0 != index } + [index]
    let names = members.prefix(10).map { QuotedText.of(document.entities[$0].name) }.joined(separator: ", ")
    let entity = document.entities[index]
    return error(
      .invalidReference, "the entities inherit from each other in a circle: \(names)", line: entity.line,
      field: parentField(entity))
  }

  /// Returns an entity and those that it inherits from, the nearest first.
  private func lineage(of name: String) -> [ModelDocument.Entity] {
    var lineage: [ModelDocument.Entity] = []
    var current = indexes[name]
    while let index = current {
      lineage.append(document.entities[index])
      current = document.entities[index].parent.flatMap { indexes[$0] }
    }
    return lineage
  }

  /// Returns true if one of the entities inherits from the other, or if both are the same.
  private func areRelated(_ left: String, _ right: String) -> Bool {
    lineage(of: left).contains { $0.name == right } || lineage(of: right).contains { $0.name == left }
  }
}

// MARK: - Relationships

extension ModelChecks {
  private func check(
    _ relationship: ModelDocument.Relationship, of entity: ModelDocument.Entity
  ) throws(ModelError) {
    func error(_ message: String, name: String) -> ModelError {
      self.error(
        .invalidReference, message, line: relationship.line,
        field: "\(field(entity, property: relationship.name)).\(name)")
    }
    guard indexes[relationship.destination] != nil else {
      throw error("there is no entity \(QuotedText.of(relationship.destination))", name: "destinationEntity")
    }
    guard let inverse = relationship.inverse else { return }
    let inverseEntity = relationship.inverseEntity ?? relationship.destination
    guard indexes[inverseEntity] != nil else {
      throw error("there is no entity \(QuotedText.of(inverseEntity))", name: "inverseEntity")
    }
    guard areRelated(inverseEntity, relationship.destination) else {
      throw error(
        "the inverse belongs to \(QuotedText.of(inverseEntity)), but the destination is "
          + QuotedText.of(relationship.destination), name: "inverseEntity")
    }
    let title = "\(QuotedText.of(inverseEntity)).\(QuotedText.of(inverse))"
    let found = lineage(of: inverseEntity).lazy.flatMap(\.relationships).first { $0.name == inverse }
    guard let back = found else {
      throw error("there is no relationship \(title)", name: "inverseName")
    }
    guard back.inverse == relationship.name else {
      let named = back.inverse.map { QuotedText.of($0) } ?? "no relationship"
      throw error("\(title) names \(named) as its inverse, not this relationship", name: "inverseName")
    }
    guard areRelated(back.destination, entity.name) else {
      throw error("\(title) leads to \(QuotedText.of(back.destination)), not to this entity", name: "inverseName")
    }
  }
}

// MARK: - Lists of properties

extension ModelChecks {
  /// Returns true if an entity has a property, its own or inherited. A key path is judged by its first name.
  private func has(_ entity: ModelDocument.Entity, path: String) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    return lineage(of: entity.name).contains { entity in
      entity.attributes.contains { $0.name == name } || entity.relationships.contains { $0.name == name }
    }
  }

  private func checkConstraints(of entity: ModelDocument.Entity) throws(ModelError) {
    for constraint in entity.uniquenessConstraints {
      for property in constraint.properties where !has(entity, path: property) {
        throw error(
          .invalidReference, "the entity has no property \(QuotedText.of(property))", line: constraint.line,
          field: "\(QuotedText.of(entity.name)).uniquenessConstraints")
      }
    }
  }

  private func noteMissingProperties(of entity: ModelDocument.Entity) {
    func note(_ property: String, line: Int, list: String) {
      guard !has(entity, path: property) else { return }
      notes.remark(
        "the entity has no property \(QuotedText.of(property)), and the index has no effect", line: line,
        field: "\(QuotedText.of(entity.name)).\(list)")
    }
    for index in entity.fetchIndexes {
      for element in index.elements {
        if let property = element.property { note(property, line: element.line, list: QuotedText.of(index.name)) }
      }
    }
    for index in entity.compoundIndexes {
      for property in index.properties { note(property, line: index.line, list: "compoundIndexes") }
    }
  }

  private func noteMissingEntities() {
    func note(_ entity: String?, line: Int, field: String) {
      guard let entity, indexes[entity] == nil else { return }
      notes.remark("there is no entity \(QuotedText.of(entity))", line: line, field: QuotedText.of(field))
    }
    for configuration in document.configurations {
      for entity in configuration.entities { note(entity, line: configuration.line, field: configuration.name) }
    }
    for request in document.fetchRequests { note(request.entity, line: request.line, field: request.name) }
    for property in document.entities.flatMap(\.fetchedProperties) {
      note(property.fetchRequest?.entity, line: property.line, field: property.name)
    }
  }
}
