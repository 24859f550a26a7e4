/// The right final state: the rows that the store must hold and the screens must show once every payload is imported.
///
/// The user's edits are not in it, because they are kept in a journal.
package struct Answer: Equatable, Sendable {
  /// The tables of the schema's entities, in their order.
  package let tables: [Table]

  package init(tables: [Table]) {
    self.tables = tables
  }

  package struct Table: Equatable, Sendable {
    /// The rows in ascending order of their keys.
    package let rows: Rows

    package init(rows: Rows) {
      self.rows = rows
    }

    package init(rows: [Row]) {
      self.init(rows: Rows(rows))
    }

    /// Returns the row with a key, or nil if the table contains no such row.
    ///
    /// Complexity: O(log n) in the rows.
    package subscript(key: RecordKey) -> Row? { rows.place(of: key).map { rows[$0] } }
  }

  package struct Row: Hashable, Sendable {
    package let key: RecordKey
    /// The values in the order of the entity's `attributes`.
    package let values: [FieldValue]
    /// The keys of the linked rows in the order of the entity's `links`, nil for an empty link.
    package let links: [RecordKey?]
    /// The keys of the related rows in the order of the entity's `lists`. The keys of a list without an order are
    /// ascending.
    package let lists: [[RecordKey]]
    /// The keys of the related rows in the order of the entity's `relationships`.
    package var targets: [[RecordKey]] { links.map { $0.map { [$0] } ?? [] } + lists }
    /// The value of the attribute that the user edits, as it is before the first edit. It is null for all rows that a
    /// starting store does not have.
    package let edited: FieldValue

    package init(
      key: RecordKey, values: [FieldValue], links: [RecordKey?], lists: [[RecordKey]] = [], edited: FieldValue = .null
    ) {
      self.key = key
      self.values = values
      self.links = links
      self.lists = lists
      self.edited = edited
    }
  }

  /// The number of rows of all entities.
  package var rowCount: Int {
    tables.reduce(0) { $0 + $1.rows.count }
  }
}

// MARK: - Lists

extension WorkloadSchema.Entity {
  /// Returns true if a list of the entity shows a row before another one. `left` and `right` are the values of the rows
  /// in the order of `attributes`.
  package func lists(_ left: [FieldValue], before right: [FieldValue]) -> Bool {
    for index in sortIndexes {
      let isAscending = !descendingIndexes.contains(index)
      if left[index].precedes(right[index]) { return isAscending }
      if right[index].precedes(left[index]) { return !isAscending }
    }
    return false
  }
}
