import ContextEngine
import Foundation
import SQLitePersistence

/// The comparison of a store with a version of a model.
///
/// Entities, tables, columns and unique indexes are compared in both directions, so that a store of a later version is
/// found as well as one of an earlier version. Version hashes are compared if both sides have hashes of the same
/// origin: the model declares the hash, or this engine made the store. Core Data's own hashes cannot be computed,
/// because their input is not public.
package struct StoreModelComparison: Hashable, Sendable {
  /// The sentence that names the first difference, without a full stop, or nil if no difference was found.
  package let firstDifference: String?
  /// The name of another version of the model that the store fits. It is nil if the store fits none, or the version that
  /// it was compared with.
  package let fittingVersion: String?
  /// True if the version hashes of all entities were compared, false if only tables and columns could be compared.
  package let comparesHashes: Bool

  /// Compares a store with a model.
  ///
  /// - Parameters:
  ///   - contents: The contents of the store.
  ///   - model: The version of the model.
  ///   - versions: The names of all versions of the model.
  ///   - modelOfVersion: Returns a version of the model, or nil if it cannot be read. It is called only if the store does
  ///     not fit `model`.
  package init(
    _ contents: StoreContents, with model: ManagedObjectModel, versions: [String] = [],
    modelOfVersion: (String) -> ManagedObjectModel? = { _ in nil }
  ) {
    let differences = StoreDifferences(contents: contents, model: model)
    firstDifference = differences.first
    fittingVersion =
      firstDifference == nil
      ? nil
      : versions.first { name in
        modelOfVersion(name).map { StoreDifferences(contents: contents, model: $0).first == nil } ?? false
      }
    comparesHashes = model.entities.allSatisfy { differences.hasComparableHash($0) }
  }

  /// The result in one sentence with a full stop.
  package var sentence: String {
    if let firstDifference {
      return "The store belongs to another version of the model: \(firstDifference)."
        + (fittingVersion.map { " It fits the version \($0), which --model-version chooses." } ?? "")
    }
    return comparesHashes
      ? "The store belongs to this version of the model: entities, tables, columns and version hashes agree."
      : "The store fits this version of the model: entities, tables and columns agree. Core Data's version hashes "
        + "cannot be computed, so that differences without a column are not found."
  }
}

/// Finds the first difference between a store and a model.
private struct StoreDifferences {
  let contents: StoreContents
  let model: ManagedObjectModel

  /// The number of bytes of the hashes that this engine computes.
  private static let ownHashByteCount = 8

  var first: String? {
    if let difference = entityDifference ?? superentityDifference { return difference }
    let numbers = model.entities.map { entity in contents.entities.first { $0.name == entity.name }?.number ?? 0 }
    let needed = ModelTables(model, numbers: numbers)
    for table in needed.tables {
      if let difference = difference(table) { return difference }
    }
    for join in needed.joins {
      if let difference = difference(join) { return difference }
    }
    let known = Set(needed.tables.map(\.name) + needed.joins.flatMap(\.names))
    if let other = contents.tables.first(where: { !known.contains($0.name) }) {
      return "the store has the table \(other.name), for which the model has no entity and no relationship"
    }
    return hashDifference
  }
}

// MARK: - Entities

extension StoreDifferences {
  /// The entities of the model's kind in the store. Those that Core Data adds for itself, such as the ones of the
  /// history, have tables whose names begin with an A.
  private var listedEntities: [StoreContents.Entity] {
    contents.entities.filter { entity in
      model.entityIfPresent(entity.name) != nil || contents.table(tableName(of: entity)) != nil
    }
  }

  private func tableName(of entity: StoreContents.Entity) -> String {
    var root = entity
    // The limit ends a circle, which a damaged list may have.
    for _ in contents.entities {
      guard let above = contents.entities.first(where: { $0.number == root.superentity }) else { break }
      root = above
    }
    return "Z" + root.name.uppercased()
  }

  private var entityDifference: String? {
    let listed = listedEntities.map(\.name)
    let missing = model.entities.map(\.name).sorted().first { !listed.contains($0) }
    let further = listed.sorted().first { model.entityIfPresent($0) == nil }
    switch (missing, further) {
    case (let missing?, let further?):
      return "the model has an entity \(missing), which the store does not have; the store has an entity \(further), "
        + "which the model does not have"
    case (let missing?, nil): return "the model has an entity \(missing), which the store does not have"
    case (nil, let further?): return "the store has an entity \(further), which the model does not have"
    case (nil, nil): return nil
    }
  }

  private var superentityDifference: String? {
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      guard let listed = contents.entities.first(where: { $0.name == entity.name }) else { continue }
      let name = contents.entityName(listed.superentity)
      guard name != entity.superentity?.name else { continue }
      return "entity \(entity.name) inherits from \(entity.superentity?.name ?? "none") in the model and from "
        + "\(name ?? "none") in the store"
    }
    return nil
  }
}

// MARK: - Tables

extension StoreDifferences {
  private func difference(_ needed: ModelTables.Table) -> String? {
    guard let table = contents.table(needed.name) else {
      return "entity \(needed.entity) of the model needs the table \(needed.name), which the store does not have"
    }
    for name in ModelTables.systemColumns where !table.columns.contains(where: { $0.name == name }) {
      return "the table \(table.name) has no column \(name), which every entity needs"
    }
    for column in needed.columns {
      guard let found = table.columns.first(where: { $0.name == column.name }) else {
        return missing(column, in: table)
      }
      guard found.type.uppercased() == column.type else {
        return "\(subject(column)) needs the column \(column.name) of type \(column.type) in the model; in the store's "
          + "table \(table.name) it has the type \(found.type.isEmpty ? "none" : found.type)"
      }
    }
    let known = Set(ModelTables.systemColumns + needed.columns.map(\.name))
    if let other = table.columns.first(where: { !known.contains($0.name) }) {
      return "the store's table \(table.name) has a column \(other.name) of type \(other.type), for which entity "
        + "\(needed.entity) of the model and its subentities have no property"
    }
    return difference(needed.uniqueIndexes, in: table)
  }

  private func missing(_ column: ModelTables.Column, in table: StoreContents.Table) -> String {
    switch column.role {
    case .attribute, .key:
      "\(subject(column)) of the model needs the column \(column.name) of type \(column.type), which the store's table "
        + "\(table.name) does not have"
    case .entity:
      "\(subject(column)) leads to an entity with subentities in the model, which needs the column \(column.name); the "
        + "store's table \(table.name) does not have it"
    case .order:
      "the inverse of \(subject(column)) is ordered in the model, which needs the column \(column.name); the store's "
        + "table \(table.name) does not have it"
    }
  }

  private func subject(_ column: ModelTables.Column) -> String {
    "\(column.role == .attribute ? "attribute" : "relationship") \(column.entity).\(column.property)"
  }

  private func difference(_ needed: [ModelTables.UniqueIndex], in table: StoreContents.Table) -> String? {
    for index in needed where !table.uniqueIndexes.contains(index.columns) {
      return "entity \(index.entity) is unique by \(index.properties.joined(separator: ", ")) in the model, and the "
        + "store's table \(table.name) has no unique index for that"
    }
    guard let other = table.uniqueIndexes.first(where: { columns in !needed.contains { $0.columns == columns } }) else {
      return nil
    }
    return "the store's table \(table.name) has a unique index over \(other.joined(separator: ", ")), for which the "
      + "model has no uniqueness constraint"
  }

  private func difference(_ needed: ModelTables.Join) -> String? {
    let relationship = "relationship \(needed.entity).\(needed.relationship)"
    guard let table = needed.names.lazy.compactMap(contents.table).first else {
      return
        "\(relationship) is many-to-many in the model and needs the table \(needed.names[0]), which the store does "
        + "not have"
    }
    let orderCount = table.columns.count { $0.name.hasPrefix("Z_FOK_") }
    guard table.columns.count - orderCount == 2 else {
      return "\(relationship) needs a table with two columns of keys; the store's table \(table.name) has "
        + "\(table.columns.count - orderCount)"
    }
    guard orderCount == needed.orderCount else {
      return "\(relationship) and its inverse have \(needed.orderCount) orders in the model; the store's table "
        + "\(table.name) has \(orderCount)"
    }
    return nil
  }
}

// MARK: - Hashes

extension StoreDifferences {
  /// Returns true if the hash of an entity in the store has the same origin as the hash that the model gives.
  func hasComparableHash(_ entity: EntityDescription) -> Bool {
    guard let found = contents.metadata.versionHash(of: entity.name) else { return false }
    return entity.versionHash != nil || found.count == Self.ownHashByteCount
  }

  private var hashDifference: String? {
    for entity in model.entities.sorted(by: { $0.name < $1.name }) where hasComparableHash(entity) {
      guard let found = contents.metadata.versionHashes.first(where: { $0.entity == entity.name }) else { continue }
      let wanted = InspectedMetadata.VersionHash(entity: entity.name, hash: ModelTables.versionHash(of: entity))
      guard found.hash != wanted.hash else { continue }
      return "entity \(entity.name) has the version hash \(found.text) in the store and \(wanted.text) in the model; "
        + "their columns agree, so they differ in an optional attribute, in types that share a column type, or in a "
        + "to-many relationship"
    }
    return nil
  }
}
