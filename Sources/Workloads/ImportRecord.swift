/// One record of a payload, decoded: one row to make, change or delete.
package struct ImportRecord: Hashable, Sendable {
  /// The place of the entity in `WorkloadSchema.entities`.
  package var entity: Int
  package var key: RecordKey
  package var isDeletion: Bool
  /// One value for each of the entity's `attributes`, in their order, the key's included; empty in a deletion.
  package var values: [FieldValue]
  /// The target's key for each of the entity's `links`, in their order; empty in a deletion.
  package var links: [RecordKey?]

  package init(entity: Int, key: RecordKey, isDeletion: Bool = false, values: [FieldValue], links: [RecordKey?]) {
    self.entity = entity
    self.key = key
    self.isDeletion = isDeletion
    self.values = values
    self.links = links
  }

  package static func deletion(entity: Int, key: RecordKey) -> ImportRecord {
    ImportRecord(entity: entity, key: key, isDeletion: true, values: [], links: [])
  }
}
