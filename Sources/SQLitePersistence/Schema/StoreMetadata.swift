import ContextEngine
import Foundation
import MachineCore

/// The property list in a store's metadata.
///
/// It identifies the model with which the store was created. Core Data's hashes are SHA-256 over a description that is
/// not public. The hashes here are 64-bit FNV-1a over another description. They are stable between processes and
/// versions, but they differ from Core Data's. Therefore the tables, not the hashes, decide whether a store fits a
/// model, unless the model specifies its hashes. The list is written with a new store and never again.
package enum StoreMetadata {
  /// The version of the scheme by which Core Data hashes entities, written for compatibility.
  private static let hashesVersion: Int64 = 3

  static func propertyList(for part: ModelPart) -> [UInt8] {
    let hashes = part.entities.map { entity in
      (key: entity.name, value: BinaryPropertyList.data(versionHash(of: entity)))
    }
    return BinaryPropertyList.dictionary([
      (key: "NSStoreModelVersionHashes", value: .dictionary(hashes)),
      (key: "NSStoreModelVersionHashesVersion", value: .integer(hashesVersion)),
      (key: "NSStoreModelVersionIdentifiers", value: .array(part.model.versionIdentifiers.map { .string($0) })),
      (key: "NSStoreType", value: .string("SQLite")),
      (key: "_NSAutoVacuumLevel", value: .string("2")),
    ]).encoded
  }

  /// Returns the hash of each entity by name, or nil if the data is not such a property list.
  static func versionHashes(in propertyList: [UInt8]) -> [String: Data]? {
    let contents = try? PropertyListSerialization.propertyList(from: Data(propertyList), format: nil)
    return (contents as? [String: Any])?["NSStoreModelVersionHashes"] as? [String: Data]
  }

  static func versionHash(of entity: EntityDescription) -> [UInt8] {
    entity.versionHash.map { Array($0) } ?? withUnsafeBytes(of: hash(of: entity).bigEndian) { Array($0) }
  }

  /// Returns a hash of the properties of an entity on which its columns depend: their names, types and destinations.
  package static func hash(of entity: EntityDescription) -> UInt64 {
    var description = entity.name
    if let superentity = entity.superentity { description += " \(superentity.name)" }
    for attribute in entity.attributes where !attribute.isTransient {
      description += "\n\(attribute.name) \(attribute.type.rawValue) \(attribute.isOptional)"
    }
    for relationship in entity.relationships {
      description += "\n\(relationship.name) \(relationship.isToMany ? "to many" : "to one") "
      description += "\(relationship.destination) \(relationship.inverse ?? "")"
    }
    return StableHash.hash(of: description)
  }
}
