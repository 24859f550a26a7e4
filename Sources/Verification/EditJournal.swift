import Workloads

/// The edits that the user's saves acknowledged, in that order.
package struct EditJournal: Sendable {
  package struct Edit: Hashable, Sendable {
    /// The place of the entity in the schema.
    package var entity: Int
    package var key: RecordKey
    /// What `note` was set to; nil = emptied.
    package var value: String?

    package init(entity: Int, key: RecordKey, value: String?) {
      self.entity = entity
      self.key = key
      self.value = value
    }
  }

  package private(set) var edits: [Edit] = []

  package init(_ edits: [Edit] = []) {
    self.edits = edits
  }

  package mutating func append(_ edit: Edit) {
    edits.append(edit)
  }
}

/// A row by entity and key.
package struct RowName: Hashable, Sendable {
  package var entity: Int
  package var key: RecordKey

  package init(entity: Int, key: RecordKey) {
    self.entity = entity
    self.key = key
  }
}
