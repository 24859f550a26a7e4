import ContextEngine
import Foundation
import MachineCore
import Workloads

/// The schema of a workload as a model of the engine, with the paths of its properties.
package struct EngineSchema: Sendable {
  package let schema: WorkloadSchema
  package let model: ManagedObjectModel
  package let entities: [Entity]
  /// The inputs of computations, or nil if the model does not contain them.
  package let computationInputs: ComputationInputs?

  /// An entity with the paths of its properties, in the order of the schema's lists.
  // This is a class because each record takes its entity from the list, and copying a structure would count nine
  // references.
  package final class Entity: Sendable {
    package let description: EntityDescription
    /// The index of the topmost entity that has the key.
    package let keyRoot: Int
    /// The attributes of the key. It is empty for an entity that no record fills.
    package let keys: [PropertyPath]
    package let attributes: [PropertyPath]
    package let links: [Relationship]
    package let lists: [Relationship]
    /// The properties that a cell shows. The edited one is the last of them.
    package let shown: [PropertyPath]
    /// The attribute that the user edits, or nil if it does not exist.
    package let edited: PropertyPath?
    package let sortDescriptors: [FetchSortDescriptor]
    /// The condition on the rows of a list, or nil if it contains all rows.
    package let listPredicate: FetchPredicate?
    /// The relationships that the fetch of a list prefetches.
    package let prefetched: [PropertyKeyPath]
    /// The attributes of other entities that a cell shows, at the end of to-one relationships.
    package let linkedCells: [PropertyKeyPath]
    /// The places of the transformable attributes.
    fileprivate let transformables: Set<Int>

    /// - Throws: `PersistenceError` if a key path of the list leads nowhere.
    fileprivate init(
      _ entity: WorkloadSchema.Entity, keyRoot: Int?, list: ShownList?, of model: ManagedObjectModel
    ) throws(PersistenceError) {
      let description = model.entity(entity.name)
      self.description = description
      self.keyRoot = keyRoot ?? description.index
      keys = entity.keyAttributes.map { description.path($0.name) }
      attributes = entity.attributes.map { description.path($0.name) }
      func path(_ relationship: WorkloadSchema.Relationship) -> Relationship {
        Relationship(
          path: description.path(relationship.name), target: model.entity(relationship.targetEntity).index,
          isOrdered: relationship.isOrdered)
      }
      links = entity.links.map(path)
      lists = entity.lists.map(path)
      shown = entity.shownAttributes.map { description.path($0.name) }
      edited = entity.editedAttribute.map { description.path($0.name) }
      sortDescriptors = entity.sortIndexes.map { index in
        FetchSortDescriptor(
          description.path(entity.attributes[index].name), isAscending: !entity.descendingIndexes.contains(index))
      }
      let conditions = (list?.conditions ?? []).map { condition in
        FetchPredicate.comparison(
          description.path(entity.attributes[condition.attribute].name), .init(condition.operation),
          Value(condition.value))
      }
      listPredicate = conditions.isEmpty ? nil : .and(conditions)
      prefetched = try Self.keyPaths(list?.prefetched, of: description, model)
      linkedCells = try Self.keyPaths(list?.linkedCells, of: description, model)
      transformables = Set(entity.attributes.indices.filter { entity.attributes[$0].type == .transformable })
    }

    private static func keyPaths(
      _ names: [String]?, of description: EntityDescription, _ model: ManagedObjectModel
    ) throws(PersistenceError) -> [PropertyKeyPath] {
      var paths: [PropertyKeyPath] = []
      for name in names ?? [] { paths.append(try PropertyKeyPath(name, of: description, in: model)) }
      return paths
    }

    /// The attribute that the user edits. Traps if there is none.
    package var note: PropertyPath {
      guard let edited else { trapMisuse("\(description.name) has no attribute that the user edits") }
      return edited
    }

    /// Returns the key of an object, or nil if all its values are null.
    package func key(of object: ManagedObject) -> RecordKey? {
      keys.count == 1 ? RecordKey(FieldValue(object[keys[0]])) : RecordKey(keys.map { FieldValue(object[$0]) })
    }

    /// Returns the name of an object's row: its primary key if it is one of the numbered rows, otherwise its key, or
    /// nil if all values of the key are null.
    package func key(of object: ManagedObject, among numberedRows: NumberedRows) -> RecordKey? {
      let objectID = object.objectID
      guard !objectID.isTemporaryID, numberedRows.contains(objectID.rowKey, of: objectID.entityIndex) else {
        return key(of: object)
      }
      return .storeRow(objectID.rowKey)
    }

    /// Returns the value of the attribute at a place, as the engine takes it.
    package func value(_ value: FieldValue, at place: Int) -> Value {
      guard !transformables.isEmpty, transformables.contains(place), case .binary(let data) = value else {
        return Value(value)
      }
      return .transformable(TransformableValue(data))
    }
  }

  /// A relationship that records set.
  package struct Relationship: Sendable {
    package let path: PropertyPath
    /// The index of the destination entity.
    package let target: Int
    package let isOrdered: Bool
  }

  /// Makes the model of a schema, which may come from a feed.
  ///
  /// - Parameters:
  ///   - schema: The entities of the workload.
  ///   - indexesKeys: True if a store keeps an index over each entity's key.
  ///   - hasComputationInputs: True if the model contains the inputs of computations.
  /// - Throws: `PersistenceError` with `.invalidModel` if no model can be made of the schema.
  package init(
    _ schema: WorkloadSchema, indexesKeys: Bool = false, hasComputationInputs: Bool = false
  ) throws(PersistenceError) {
    self.schema = schema
    do throws(ModelError) {
      model = try EngineModel(
        indexesKeys ? schema.modelWithKeyIndexes : schema.model,
        adding: hasComputationInputs ? [ComputationInputs.declaration] : [],
        // The numbers are in every row. Other numbers would change the length of rows, and thereby results.
        numbering: schema.isModelGiven ? .byName : .asDeclared
      ).model
    } catch {
      throw PersistenceError(.invalidModel, schema.isModelGiven ? error.description : error.message)
    }
    let model = model
    computationInputs = hasComputationInputs ? ComputationInputs(model) : nil
    var entities: [Entity] = []
    for (index, entity) in schema.entities.enumerated() {
      entities.append(
        try Entity(
          entity, keyRoot: schema.keyRoot(of: index), list: schema.list?.entity == index ? schema.list : nil, of: model)
      )
    }
    self.entities = entities
  }
}

extension FetchPredicate.Comparison {
  /// Creates the engine's operator for the one of a list's condition.
  fileprivate init(_ operation: ListCondition.Operation) {
    switch operation {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    }
  }
}

// MARK: - Values

extension Value {
  package init(_ value: FieldValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    case .decimal(let value): self = .decimal(value)
    case .binary(let value): self = .binary(value)
    case .uuid(let value): self = .uuid(value)
    case .uri(let value):
      guard let url = URL(string: value) else { trapMisuse("\(value) is no URI; it was read as one before") }
      self = .uri(url)
    }
  }
}

extension FieldValue {
  /// Creates the value of an attribute. Traps for a reference and for a transformable value that is not bytes.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    case .object(let objectID): trapMisuse("\(objectID) is a reference, not the value of an attribute")
    case .decimal(let value): self = .decimal(value)
    case .binary(let value): self = .binary(value)
    case .uuid(let value): self = .uuid(value)
    case .uri(let value): self = .uri(value.absoluteString)
    case .transformable(let value):
      guard let data = value.base as? Data else { trapMisuse("\(value) is not bytes, as all values of a workload are") }
      self = .binary(data)
    }
  }
}
