import ContextEngine

/// The property list in a store's metadata.
///
/// It says which model the store was made with. Core Data's hashes are SHA-256 over a description that is not public;
/// ours are 64-bit FNV-1a over a description of our own, stable between processes and versions, but not Core Data's:
/// the tables, not the hashes, decide whether a store fits a model.
enum StoreMetadata {
  static func propertyList(for model: ManagedObjectModel) -> [UInt8] {
    let hashes = model.entities.map { entity in
      (key: entity.name, value: BinaryPropertyList.data(withUnsafeBytes(of: hash(of: entity).bigEndian) { Array($0) }))
    }
    return BinaryPropertyList.dictionary([
      (key: "NSStoreModelVersionHashes", value: .dictionary(hashes)),
      (key: "NSStoreType", value: .string("SQLite")),
      (key: "_NSAutoVacuumLevel", value: .string("2")),
    ]).encoded
  }

  /// A hash of what the columns of an entity depend on: names, types and destinations of its properties.
  static func hash(of entity: EntityDescription) -> UInt64 {
    var description = entity.name
    for attribute in entity.attributes {
      description += "\n\(attribute.name) \(attribute.type.rawValue) \(attribute.isOptional)"
    }
    for relationship in entity.relationships {
      description += "\n\(relationship.name) \(relationship.isToMany ? "to many" : "to one") "
      description += "\(relationship.destination) \(relationship.inverse)"
    }
    return description.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
