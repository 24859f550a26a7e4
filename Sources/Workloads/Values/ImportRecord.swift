/// One decoded record of a payload, which creates, changes or deletes one row.
package struct ImportRecord: Equatable, Sendable {
  /// The index of the entity in `WorkloadSchema.entities`.
  package var entity: Int
  package var key: RecordKey
  package var isDeletion: Bool
  /// The values of the entity's `attributes`, in their order and including the key. Empty for a deletion.
  package var values: [FieldValue]
  /// The target's key for each of the entity's `links`, in their order, or nil for an empty link. Empty for a deletion.
  package var links: [RecordKey?]
  /// The targets' keys for each of the entity's `lists`, in their order. Empty for a deletion.
  package var lists: [[RecordKey]]
  /// The targets' keys for each of the entity's `relationships`, in their order. Empty for a deletion.
  package var targets: [[RecordKey]] { links.map { $0.map { [$0] } ?? [] } + lists }
  /// True if the next record belongs to the same record of a feed, so that an import saves both together.
  package var isFollowed = false

  package init(
    entity: Int, key: RecordKey, isDeletion: Bool = false, values: [FieldValue], links: [RecordKey?],
    lists: [[RecordKey]] = []
  ) {
    self.entity = entity
    self.key = key
    self.isDeletion = isDeletion
    self.values = values
    self.links = links
    self.lists = lists
  }

  package static func deletion(entity: Int, key: RecordKey) -> ImportRecord {
    ImportRecord(entity: entity, key: key, isDeletion: true, values: [], links: [])
  }
}

extension [ImportRecord] {
  /// Returns the end of a unit that begins at a place and has a number of records, or fewer at the end of the list.
  ///
  /// Records that belong to one record of a feed count once, and a unit has all of them.
  package func endOfUnit(from start: Int, count: Int) -> Int {
    var remaining = count
    var end = start
    while end < self.count {
      if !self[end].isFollowed { remaining -= 1 }
      end += 1
      if remaining == 0 { break }
    }
    return end
  }
}
