/// What the records of a workload said of each row, first to last.
package struct RecordHistory: Sendable {
  /// For each entity.
  private var rows: [Set<Answer.Row>]

  package init(schema: WorkloadSchema) {
    rows = Array(repeating: [], count: schema.entities.count)
  }

  package mutating func add(_ record: ImportRecord) {
    guard !record.isDeletion else { return }
    rows[record.entity].insert(Answer.Row(key: record.key, values: record.values, links: record.links))
  }

  /// Whether some record said exactly this.
  package func contains(_ entity: Int, _ row: Answer.Row) -> Bool {
    rows[entity].contains(row)
  }
}

extension WorkloadArchive {
  /// Reads all records again. For the check of what may be out of order; outside the window.
  ///
  /// - Throws: `WorkloadError` if a text cannot be decoded.
  package func history() throws(WorkloadError) -> RecordHistory {
    let decoder = PayloadDecoder(schema: schema)
    var history = RecordHistory(schema: schema)
    for index in existing.indices {
      for record in try decoder.decode(existingText(index)) { history.add(record) }
    }
    for index in payloads.indices {
      for record in try decoder.decode(payload(index)) { history.add(record) }
    }
    return history
  }
}
