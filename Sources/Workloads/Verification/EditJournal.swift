/// The edits that the user's saves acknowledged, in the order of the saves.
package struct EditJournal: Sendable {
  package struct Edit: Hashable, Sendable {
    /// The index of the entity in the schema.
    package var entity: Int
    package var key: RecordKey
    /// The value that `note` was set to, or nil if it was emptied.
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

/// The name of a row: its entity and its key.
package struct RowName: Hashable, Sendable {
  package var entity: Int
  package var key: RecordKey

  package init(entity: Int, key: RecordKey) {
    self.entity = entity
    self.key = key
  }
}
