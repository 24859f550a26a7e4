import Foundation
import Workloads

/// The metadata of a store: its UUID and the property list that identifies the model with which it was created.
package struct InspectedMetadata: Hashable, Sendable {
  /// The UUID of the store.
  package let identifier: String
  /// The names that the model's author gave to the version of the model.
  package let versionIdentifiers: [String]
  /// The hash of each entity, in the order of the entities' names.
  package let versionHashes: [VersionHash]
  /// The version of the framework that saved the store last, or nil if the list does not contain it.
  package let frameworkVersion: Int?
  /// The keys of the list that Core Data does not define, sorted.
  package let otherKeys: [String]

  /// The version hash of an entity.
  package struct VersionHash: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The bytes of the hash: 32 if Core Data computed it.
    package let hash: Data

    /// The hash as hexadecimal digits.
    package var text: String { hash.hexadecimal }
  }

  /// The keys that are read, or that repeat what the other keys say.
  private static let hashesKey = "NSStoreModelVersionHashes"
  private static let identifiersKey = "NSStoreModelVersionIdentifiers"
  private static let frameworkKey = "NSPersistenceFrameworkVersion"

  /// Reads a property list. Fails if the bytes are not a list with the hashes of entities.
  ///
  /// - Parameters:
  ///   - identifier: The UUID of the store.
  ///   - propertyList: The bytes of the list, in any of its formats.
  init?(identifier: String, propertyList: Data) {
    guard
      let list = try? PropertyListSerialization.propertyList(from: propertyList, format: nil),
      let values = list as? [String: Any], let hashes = values[Self.hashesKey] as? [String: Data]
    else { return nil }
    self.identifier = identifier
    versionHashes = hashes.sorted { $0.key < $1.key }.map { VersionHash(entity: $0.key, hash: $0.value) }
    versionIdentifiers = (values[Self.identifiersKey] as? [Any] ?? []).compactMap { $0 as? String }
    frameworkVersion = values[Self.frameworkKey] as? Int
    otherKeys = values.keys.filter { !$0.hasPrefix("NS") && !$0.hasPrefix("_NS") }.sorted()
  }

  /// Returns the hash of an entity, or nil if the list does not contain it.
  package func versionHash(of entity: String) -> Data? {
    versionHashes.first { $0.entity == entity }?.hash
  }
}
