import MachineCore

extension WorkloadSchema {
  /// Returns the model of which a store is made, with an index over the key of each entity if the user gave no model.
  package var modelWithKeyIndexes: ModelDocument {
    guard !isModelGiven else { return model }
    var indexed = model
    for (place, entity) in entities.enumerated() {
      let key = Set(entity.keyAttributes.map(\.name))
      for attribute in indexed.entities[place].attributes.indices
      where key.contains(indexed.entities[place].attributes[attribute].name) {
        indexed.entities[place].attributes[attribute].isIndexed = true
      }
    }
    return indexed
  }
}

extension WorkloadSchema.Entity {
  /// Creates the import into an entity with all its attributes but the edited one.
  ///
  /// - Parameters:
  ///   - entity: An entity of the model.
  ///   - model: The model.
  ///   - key: The names of the key's attributes, the one that distinguishes the most rows first.
  ///   - sort: The names of the attributes that a list is sorted by.
  ///   - shown: The names of the attributes that a cell shows.
  ///   - relationships: The names of the relationships that records set, or nil for all to-one relationships.
  ///   - members: The members of records that hold attributes, by the attributes' names, if they have other names.
  ///   - hasNumericDates: True if records hold some dates as numbers.
  package init(
    _ entity: ModelDocument.Entity, of model: ModelDocument, key: [String], sort: [String], shown: [String],
    relationships: [String]? = nil, members: [String: String] = [:], hasNumericDates: Bool = false
  ) {
    let note = WorkloadSchema.Attribute.note.name
    let attributes = model.allAttributes(of: entity)
    let imported = attributes.filter { $0.name != note }
    let set = model.allRelationships(of: entity).filter { relationships?.contains($0.name) ?? !$0.isToMany }.map {
      WorkloadSchema.Relationship(
        RelationshipEnd($0), to: $0.destination, inverse: model.inverse(of: $0).map { RelationshipEnd($0) })
    }
    func places(_ names: [String]) -> [Int] {
      names.map { name in
        guard let place = imported.firstIndex(where: { $0.name == name }) else {
          trapMisuse("\(entity.name) has no attribute \(name)")
        }
        return place
      }
    }
    self.init(
      name: entity.name,
      attributes: imported.map {
        WorkloadSchema.Attribute(
          $0, member: members[$0.name], hasNumericDates: hasNumericDates && $0.type == .value(.date))
      },
      links: set.filter { !$0.isToMany }, lists: set.filter(\.isToMany), keyIndexes: places(key),
      sortIndexes: places(sort), shownIndexes: places(shown),
      editedAttribute: attributes.first { $0.name == note }.map { WorkloadSchema.Attribute($0) },
      isFilled: !entity.isAbstract)
  }
}

extension ModelDocument.Attribute {
  /// Returns an attribute that the user edits.
  static func edited(_ name: String) -> Self { Self(name: name, type: .value(.string), isOptional: true) }
}

extension ModelDocument.AttributeType {
  /// Returns the type of the values of an attribute that an import sets. Traps if an import cannot set them.
  func importedType(of name: String) -> ValueType {
    guard let valueType else { trapMisuse("\(name) is of the type \(rawValue), which no import sets") }
    return valueType
  }
}
