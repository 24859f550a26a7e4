import MachineCore

/// The list that screens show, with the names of the user resolved. The schema's entity has its sort keys and cells.
package struct ShownList: Equatable, Sendable, Codable {
  /// The index of the entity.
  package var entity: Int
  /// The comparisons that must all be true for a row of the list.
  package var conditions: [Condition] = []
  /// The relationships that a fetch prefetches, as key paths.
  package var prefetched: [String] = []
  /// The attributes of other entities that a cell shows, as key paths over to-one relationships.
  package var linkedCells: [String] = []

  /// A comparison of an attribute with a value.
  package struct Condition: Equatable, Sendable {
    /// The index of the attribute in the entity's `attributes`.
    package let attribute: Int
    package let operation: ListCondition.Operation
    package let value: FieldValue
    /// The text of the value, or nil for null, and the type of the attribute.
    private let text: String?
    private let type: ValueType

    /// Returns nil if the attribute cannot have a value with this text.
    init?(
      _ attribute: Int, _ operation: ListCondition.Operation, _ text: String?, _ type: ValueType
    ) {
      switch text.map({ FieldConversion.convert($0, type, nil) }) {
      case nil: value = .null
      case .some(nil): return nil
      // A store rounds the values of such an attribute.
      case .double(let number)?? where type == .float: value = .double(Double(Float(number)))
      case .some(let converted?): value = converted
      }
      (self.attribute, self.operation, self.text, self.type) = (attribute, operation, text, type)
    }

    /// Returns true if a row with these values of `attributes` satisfies the condition.
    package func isMet(by values: [FieldValue]) -> Bool {
      let own = values[attribute]
      switch operation {
      case .equal: return own == value
      case .notEqual: return own != value
      case .less, .lessOrEqual, .greater, .greaterOrEqual: break
      }
      guard own != .null, value != .null else { return false }
      return switch operation {
      case .less: own.precedes(value)
      case .lessOrEqual: !value.precedes(own)
      case .greater: value.precedes(own)
      default: !own.precedes(value)
      }
    }
  }

  /// Returns true if the list contains a row of its entity with these values of `attributes`.
  package func contains(_ values: [FieldValue]) -> Bool {
    conditions.allSatisfy { $0.isMet(by: values) }
  }
}

extension ShownList.Condition: Codable {
  private enum CodingKeys: String, CodingKey {
    case attribute
    case operation
    case text
    case type
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let condition = Self(
      try fields.decode(Int.self, forKey: .attribute),
      try fields.decode(ListCondition.Operation.self, forKey: .operation),
      try fields.decodeIfPresent(String.self, forKey: .text),
      try fields.decode(ValueType.self, forKey: .type))
    guard let condition else {
      throw DecodingError.dataCorruptedError(forKey: .text, in: fields, debugDescription: "no value of its type")
    }
    self = condition
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(attribute, forKey: .attribute)
    try fields.encode(operation, forKey: .operation)
    try fields.encodeIfPresent(text, forKey: .text)
    try fields.encode(type, forKey: .type)
  }
}

// MARK: - Resolving

extension WorkloadSchema {
  /// Makes the list that the user describes the list of all screens.
  ///
  /// - Throws: `WorkloadError` for a name that does not exist, and for a value that its attribute cannot have.
  mutating func show(_ options: ListOptions) throws(WorkloadError) {
    guard let name = options.entity else { return }
    let index: Int
    do throws(EntityNameError) {
      index = try entity(named: name, among: entities.indices.filter { entities[$0].isImported })
    } catch {
      throw WorkloadError(.list, QuotedText.of(name), error.message)
    }
    var list = ShownList(entity: index)
    if let sort = options.sort { try sortList(of: index, by: sort) }
    if let condition = options.condition { list.conditions = try conditions(condition, index) }
    if let paths = options.prefetched {
      for path in paths {
        try check(path, of: index, .listPrefetch, paths) { property throws(EntityNameError) in
          guard property.destination != nil else {
            throw EntityNameError(message: "\(property.name) is no relationship, and only relationships are prefetched")
          }
        }
      }
      list.prefetched = paths
    }
    if let paths = options.cells { list.linkedCells = try showCells(of: index, paths) }
    self.list = list
  }

  private mutating func sortList(of entity: Int, by sort: [ListSort]) throws(WorkloadError) {
    let text = sort.map(\.description).joined(separator: ",")
    var indexes: [Int] = []
    entities[entity].descendingIndexes = []
    for key in sort {
      let index: Int
      do throws(EntityNameError) {
        index = try comparable(key.attribute, of: entity)
      } catch {
        throw WorkloadError(.listSort, QuotedText.of(text), error.message)
      }
      guard !indexes.contains(index) else { continue }
      indexes.append(index)
      if !key.isAscending { entities[entity].descendingIndexes.append(index) }
    }
    entities[entity].sortIndexes = indexes + entities[entity].keyIndexes.filter { !indexes.contains($0) }
  }

  private func conditions(
    _ condition: ListCondition, _ entity: Int
  ) throws(WorkloadError) -> [ShownList.Condition] {
    var resolved: [ShownList.Condition] = []
    do throws(EntityNameError) {
      for comparison in condition.comparisons {
        let index = try comparable(comparison.attribute, of: entity)
        let attribute = entities[entity].attributes[index]
        guard
          let condition = ShownList.Condition(index, comparison.operation, comparison.value, attribute.type)
        else {
          throw EntityNameError(
            message: "\(QuotedText.of(comparison.value ?? "")) is no value of \(attribute.name), which is "
              + "\(attribute.type)")
        }
        resolved.append(condition)
      }
    } catch {
      throw WorkloadError(.listCondition, QuotedText.of("\(condition)"), error.message)
    }
    return resolved
  }

  /// Makes attributes the ones that a cell shows, and returns the key paths that lead to other entities.
  private mutating func showCells(of entity: Int, _ paths: [String]) throws(WorkloadError) -> [String] {
    for path in paths {
      try check(path, of: entity, .listCells, paths) { property throws(EntityNameError) in
        guard let destination = property.destination else { return }
        throw EntityNameError(
          message: "\(property.name) is a relationship; add an attribute, as in \(property.name)."
            + (attributeNames(of: destination).first ?? "name"))
      }
    }
    let own = paths.filter { !$0.contains(".") }
    entities[entity].shownIndexes = entities[entity].attributes.indices.filter { index in
      own.contains(entities[entity].attributes[index].name)
    }
    return paths.filter { $0.contains(".") }
  }
}

// MARK: - Names

extension WorkloadSchema {
  private struct Property {
    var name: String
    /// The entity to which a relationship leads, or nil for an attribute.
    var destination: Int?
    var isToMany = false
  }

  /// Returns the index of an attribute that records set and by which rows can be sorted and compared.
  private func comparable(_ name: String, of entity: Int) throws(EntityNameError) -> Int {
    let described = entities[entity]
    guard let index = described.attributes.firstIndex(where: { $0.name == name }) else {
      guard described.editedAttribute?.name != name else {
        throw EntityNameError(message: "the user's edits change \(name); use another attribute of \(described.name)")
      }
      throw EntityNameError(
        message: "\(QuotedText.of(name)) is no attribute of \(described.name); "
          + Self.choice(name, of: described.attributes.map(\.name)))
    }
    guard ![.binary, .transformable].contains(described.attributes[index].type) else {
      throw EntityNameError(message: "the values of \(name) have no order; use another attribute of \(described.name)")
    }
    return index
  }

  /// Follows a key path and checks the property at its end.
  private func check(
    _ path: String, of entity: Int, _ field: WorkloadError.Field.Kind, _ paths: [String],
    _ checkLast: (Property) throws(EntityNameError) -> Void
  ) throws(WorkloadError) {
    do throws(EntityNameError) {
      var entity = entity
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      for (place, name) in names.enumerated() {
        let known = properties(of: entity)
        guard let property = known.first(where: { $0.name == name }) else {
          throw EntityNameError(
            message: "\(QuotedText.of(name)) is no property of \(entities[entity].name); "
              + Self.choice(name, of: known.map(\.name)))
        }
        if place == names.count - 1 { return try checkLast(property) }
        guard let destination = property.destination, !property.isToMany || field == .listPrefetch else {
          throw EntityNameError(
            message: "\(name) is no to-one relationship of \(entities[entity].name), so \(path) leads to no value")
        }
        entity = destination
      }
    } catch {
      throw WorkloadError(field, QuotedText.of(paths.joined(separator: ",")), error.message)
    }
  }

  private func attributeNames(of entity: Int) -> [String] {
    model.allAttributes(of: model.entities[entity]).filter { !$0.isTransient }.map(\.name)
  }

  private func properties(of entity: Int) -> [Property] {
    attributeNames(of: entity).map { Property(name: $0) }
      + model.allRelationships(of: model.entities[entity]).map {
        Property(name: $0.name, destination: index(ofEntity: $0.destination), isToMany: $0.isToMany)
      }
  }
}
