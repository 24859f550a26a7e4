import ContextEngine
import MachineCore
import Workloads

/// The remarks that collect while the engine's model of a document is made, and the lookups that this needs.
final class EngineModelNotes {
  private let document: ModelDocument
  private let entities: [String: ModelDocument.Entity]
  /// The names of the indexes so far, in lower case, because the names of a file's indexes have no case.
  private var indexNames: Set<String> = []
  private(set) var remarks: [ModelRemark] = []

  init(_ document: ModelDocument) {
    self.document = document
    entities = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  func remark(_ message: String, line: Int, _ names: String...) {
    remarks.append(ModelRemark(line: line, field: Self.field(names), message: message))
  }

  func unsupported(_ message: String, line: Int, _ names: String...) -> ModelError {
    ModelError(.unsupported, message, place: document.place, line: line, field: Self.field(names))
  }

  private static func field(_ names: [String]) -> String { names.map { QuotedText.of($0) }.joined(separator: ".") }
}

// MARK: - Relationships

extension EngineModelNotes {
  /// Returns true if a relationship is transient, so that it has no column and the engine's model does not have it.
  ///
  /// - Throws: `ModelError` if the inverse is not transient: its column would have no counterpart.
  func isLeftOut(
    _ relationship: ModelDocument.Relationship, of entity: ModelDocument.Entity
  ) throws(ModelError) -> Bool {
    let inverse = inverse(of: relationship)?.relationship
    guard relationship.isTransient else { return false }
    if let inverse, !inverse.isTransient {
      throw unsupported(
        "the relationship is transient and its inverse is not; make both transient or neither",
        line: relationship.line, entity.name, relationship.name)
    }
    remark(
      "the relationship is transient and has no column; the engine leaves it out", line: relationship.line,
      entity.name, relationship.name)
    return true
  }

  /// Checks that a relationship and its inverse, if it has one, lead to the entities that declare them, as the engine
  /// needs it.
  func checkInverse(
    of relationship: ModelDocument.Relationship, _ entity: ModelDocument.Entity
  ) throws(ModelError) {
    guard let inverse = inverse(of: relationship) else { return }
    if inverse.relationship.isTransient {
      throw unsupported(
        "the inverse is transient and the relationship is not; make both transient or neither",
        line: relationship.line, entity.name, relationship.name)
    }
    guard inverse.entity == relationship.destination, inverse.relationship.destination == entity.name else {
      throw unsupported(
        "the inverse \(QuotedText.of(inverse.entity)).\(QuotedText.of(inverse.relationship.name)) belongs to another "
          + "level of inheritance, which the engine does not support; let both lead to the entities that declare them",
        line: relationship.line, entity.name, relationship.name)
    }
  }

  /// Returns the inverse of a relationship and the name of the entity that declares it, or nil if the
  /// relationship has no inverse.
  private func inverse(
    of relationship: ModelDocument.Relationship
  ) -> (entity: String, relationship: ModelDocument.Relationship)? {
    guard let name = relationship.inverse else { return nil }
    for entity in lineage(of: relationship.inverseEntity ?? relationship.destination) {
      if let inverse = entity.relationships.first(where: { $0.name == name }) { return (entity.name, inverse) }
    }
    return nil
  }

  /// Returns an entity and those that it inherits from, the nearest first.
  private func lineage(of name: String) -> [ModelDocument.Entity] {
    var lineage: [ModelDocument.Entity] = []
    var current = entities[name]
    while let entity = current {
      lineage.append(entity)
      current = entity.parent.flatMap { entities[$0] }
    }
    return lineage
  }
}

// MARK: - Indexes

extension EngineModelNotes {
  /// Returns the indexes of an entity that the engine can make, with a remark on each that it leaves out.
  ///
  /// A compound index is named after its properties, as in older versions of Core Data.
  func fetchIndexes(of entity: ModelDocument.Entity) -> [FetchIndexDescription] {
    var indexes: [FetchIndexDescription] = []
    for index in entity.fetchIndexes {
      let elements = index.elements.compactMap { element in
        element.property.map { FetchIndexDescription.Element($0, isAscending: element.isAscending) }
      }
      let description = FetchIndexDescription(index.name, elements: elements)
      if let reason = flaw(index) ?? flaw(description, of: entity) {
        remark("the engine leaves the index out: \(reason)", line: index.line, entity.name, index.name)
      } else {
        indexes.append(description)
      }
    }
    for index in entity.compoundIndexes {
      let elements = index.properties.map { FetchIndexDescription.Element($0) }
      let description = FetchIndexDescription(index.properties.joined(separator: "_"), elements: elements)
      if let reason = flaw(description, of: entity) {
        remark("the engine leaves the index out: \(reason)", line: index.line, entity.name, description.name)
      } else {
        indexes.append(description)
      }
    }
    return indexes
  }

  /// Returns the reason why the engine does not have a kind of index, or nil if it does.
  private func flaw(_ index: ModelDocument.FetchIndex) -> String? {
    if index.elements.isEmpty { return "it names no property" }
    if index.partialPredicate != nil { return "it has a predicate" }
    if index.elements.contains(where: { $0.property == nil }) { return "it has an expression" }
    if let element = index.elements.first(where: { $0.type != "Binary" }) {
      return "it is of the type \(QuotedText.of(element.type))"
    }
    return nil
  }

  /// Returns the reason why an index cannot be made, or nil if it can.
  private func flaw(_ index: FetchIndexDescription, of entity: ModelDocument.Entity) -> String? {
    let lineage = lineage(of: entity.name)
    for element in index.elements {
      let attribute = lineage.lazy.flatMap(\.attributes).first { $0.name == element.property }
      let relationship = lineage.lazy.flatMap(\.relationships).first { $0.name == element.property }
      let hasColumn =
        attribute.map { !$0.isTransient } ?? relationship.map { !$0.isToMany && !$0.isTransient } ?? false
      if !hasColumn { return "\(QuotedText.of(element.property)) has no column" }
    }
    guard EngineModel.isIdentifier(index.name) else { return "its name is no name of an index in a file" }
    guard indexNames.insert("\(entity.name)_\(index.name)".lowercased()).inserted else {
      return "another index has the same name"
    }
    return nil
  }
}
