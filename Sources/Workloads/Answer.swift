/// The right final state: what the store must hold and the screens show once every payload is in.
///
/// It knows nothing of `note`: whoever edits keeps a journal of that.
package struct Answer: Hashable, Sendable {
  /// One table for each of the schema's entities, in their order.
  package let tables: [Table]

  package init(tables: [Table]) {
    self.tables = tables
  }

  package struct Table: Hashable, Sendable {
    /// By key, ascending.
    package let rows: [Row]

    package init(rows: [Row]) {
      self.rows = rows
    }

    /// The row of a key. Complexity: O(log n).
    package subscript(key: RecordKey) -> Row? {
      var low = 0
      var high = rows.count
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].key < key { low = middle + 1 } else { high = middle }
      }
      return low < rows.count && rows[low].key == key ? rows[low] : nil
    }
  }

  package struct Row: Hashable, Sendable {
    package let key: RecordKey
    /// Aligned with the entity's `attributes`.
    package let values: [FieldValue]
    /// Aligned with the entity's `links`.
    package let links: [RecordKey?]

    package init(key: RecordKey, values: [FieldValue], links: [RecordKey?]) {
      self.key = key
      self.values = values
      self.links = links
    }
  }

  /// All rows of all entities.
  package var rowCount: Int {
    tables.reduce(0) { $0 + $1.rows.count }
  }
}

// MARK: - Lists

extension Answer {
  /// The rows of a screen's list in its order: by the entity's sort attributes, strings by their UTF-8 bytes.
  ///
  /// Complexity: O(n log n) in the rows of the entity.
  package func sortedRows(_ entity: Int, schema: WorkloadSchema) -> [Row] {
    let sortIndexes = schema.entities[entity].sortIndexes
    return tables[entity].rows.sorted { left, right in
      for index in sortIndexes {
        if left.values[index].precedes(right.values[index]) { return true }
        if right.values[index].precedes(left.values[index]) { return false }
      }
      return false
    }
  }

  /// The keys of a screen's list in its order.
  package func sortedKeys(_ entity: Int, schema: WorkloadSchema) -> [RecordKey] {
    sortedRows(entity, schema: schema).map(\.key)
  }
}
