/// The content that each record of a workload gave to its row, including content that later records replaced.
package struct RecordHistory: Sendable {
  /// The contents of the rows, for each entity.
  private var rows: [Set<Answer.Row>]

  package init(schema: WorkloadSchema) {
    rows = Array(repeating: [], count: schema.entities.count)
  }

  package mutating func add(_ record: ImportRecord) {
    guard !record.isDeletion else { return }
    rows[record.entity].insert(
      Answer.Row(key: record.key, values: record.values, links: record.links, lists: record.lists))
  }

  /// Adds the content that the rows of a starting store have.
  package mutating func add(_ start: StartingRows) {
    for (entity, table) in start.answer.tables.enumerated() {
      for row in table.rows {
        rows[entity].insert(Answer.Row(key: row.key, values: row.values, links: row.links, lists: row.lists))
      }
    }
  }

  /// Returns the contents that records gave to the rows of an entity, by their keys. The contents of one key are in no
  /// particular order.
  package func contents(of entity: Int) -> [RecordKey: [Answer.Row]] {
    Dictionary(grouping: rows[entity], by: \.key)
  }

  /// Returns true if some record gave a row exactly this content.
  package func contains(_ entity: Int, _ row: Answer.Row) -> Bool {
    rows[entity].contains(row)
  }
}

extension WorkloadArchive {
  /// Reads the contents of all records again, for the check of rows that may be out of order. Call it outside the
  /// measured window.
  ///
  /// - Throws: `WorkloadError` if a text cannot be decoded.
  package func history() throws(WorkloadError) -> RecordHistory {
    try value(named: "history") { () throws(WorkloadError) in try readHistory() }
  }

  private func readHistory() throws(WorkloadError) -> RecordHistory {
    let decoder = PayloadDecoder(schema: schema)
    var history = RecordHistory(schema: schema)
    if let start = try startingRows() { history.add(start) }
    for index in existing.indices {
      for record in try decoder.decode(existingText(index)) { history.add(record) }
    }
    for index in payloads.indices {
      for record in try records(of: index, by: decoder) { history.add(record) }
    }
    return history
  }
}
