import ContextEngine
import MachineCore
import Workloads

/// The engine's model of a data model file.
///
/// Everything that changes the tables of a store is either in the model or an error. Parts that the engine does not use,
/// such as fetch request templates, stay in the document, and remarks name those that could be expected to have an
/// effect.
package struct EngineModel: Sendable {
  package let model: ManagedObjectModel
  /// The parts of the document that have no effect in the engine, in the order of the entities.
  package let remarks: [ModelRemark]

  /// Makes the engine's model of a document, and adds entities that the document does not have.
  ///
  /// - Throws: `ModelError` with `.unsupported` and a sentence that names the entity and the property if the engine does
  ///   not have a part of the model.
  package init(
    _ document: ModelDocument, adding added: [ManagedObjectModel.Declaration] = [],
    numbering: EntityNumbering = .byName
  ) throws(ModelError) {
    let notes = EngineModelNotes(document)
    try Self.checkNames(document, notes)
    var declarations: [ManagedObjectModel.Declaration] = []
    for entity in document.entities { declarations.append(try Self.declaration(of: entity, notes)) }
    let configurations = Self.configurations(document, notes)
    do throws(PersistenceError) {
      model = try ManagedObjectModel(
        checking: declarations + added, configurations: configurations,
        versionIdentifiers: [document.header.versionIdentifier].compactMap(\.self), numbering: numbering)
    } catch {
      throw ModelError(.unsupported, error.message, place: document.place)
    }
    remarks = notes.remarks
  }

  private static func declaration(
    of entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) throws(ModelError) -> ManagedObjectModel.Declaration {
    var attributes: [AttributeDescription] = []
    for attribute in entity.attributes { attributes.append(try description(of: attribute, entity, notes)) }
    var relationships: [RelationshipDescription] = []
    for relationship in entity.relationships where !(try notes.isLeftOut(relationship, of: entity)) {
      relationships.append(try description(of: relationship, entity, notes))
    }
    return ManagedObjectModel.Declaration(
      entity.name, attributes: attributes, relationships: relationships, superentity: entity.parent,
      isAbstract: entity.isAbstract, uniquenessConstraints: entity.uniquenessConstraints.map(\.properties),
      fetchIndexes: notes.fetchIndexes(of: entity), renamingIdentifier: entity.renamingIdentifier)
  }

  /// Returns the entities of each configuration. The configuration Default contains all entities unless it names some.
  private static func configurations(_ document: ModelDocument, _ notes: EngineModelNotes) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for configuration in document.configurations
    where configuration.name != "Default" || !configuration.entities.isEmpty {
      // The reader remarks on names without an entity.
      configurations[configuration.name, default: []] += configuration.entities.filter { document.entity($0) != nil }
    }
    return configurations
  }
}

// MARK: - Names

extension EngineModel {
  /// Checks that names can be the names of tables and columns, and that no two entities have the same table.
  private static func checkNames(_ document: ModelDocument, _ notes: EngineModelNotes) throws(ModelError) {
    var tables: [String: String] = [:]
    for entity in document.entities {
      guard isIdentifier(entity.name) else {
        throw notes.unsupported(
          "the name has a character that a table's name cannot have; use letters, digits and _", line: entity.line,
          entity.name)
      }
      let properties =
        entity.attributes.map { ($0.name, $0.line) } + entity.relationships.map { ($0.name, $0.line) }
      for (name, line) in properties where !isIdentifier(name) {
        throw notes.unsupported(
          "the name has a character that a column's name cannot have; use letters, digits and _", line: line,
          entity.name, name)
      }
      if entity.parent == nil, let other = tables.updateValue(entity.name, forKey: entity.name.uppercased()) {
        throw notes.unsupported(
          "the entity would have the same table as \(QuotedText.of(other)); rename one of them", line: entity.line,
          entity.name)
      }
    }
  }

  /// Returns true if a text consists of letters, digits and underscores.
  static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || scalar.properties.generalCategory == .nonspacingMark
          || scalar.properties.generalCategory == .spacingMark
      }
  }
}

// MARK: - Relationships

extension EngineModel {
  private static func description(
    of relationship: ModelDocument.Relationship, _ entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) throws(ModelError) -> RelationshipDescription {
    try notes.checkInverse(of: relationship, entity)
    if relationship.isOrdered, !relationship.isToMany {
      notes.remark("a to-one relationship has no order", line: relationship.line, entity.name, relationship.name)
    }
    let end = RelationshipEnd(relationship)
    return RelationshipDescription(
      end.name, to: relationship.destination, inverse: relationship.inverse, isToMany: end.isToMany,
      isOrdered: end.isOrdered, deleteRule: DeleteRule(end.deleteRule), isOptional: end.isOptional,
      minCount: end.minCount, maxCount: end.isToMany ? relationship.maxCount : 0)
  }
}

extension DeleteRule {
  /// Creates the engine's rule for the one of a model.
  init(_ rule: ModelDocument.DeletionRule) {
    switch rule {
    case .nullify: self = .nullify
    case .cascade: self = .cascade
    case .deny: self = .deny
    case .noAction: self = .noAction
    }
  }
}
