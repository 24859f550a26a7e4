extension WorkloadArchive {
  /// The numbers of records by what they do.
  package struct ChangeCounts: Equatable, Sendable, Codable {
    package private(set) var inserted = 0
    package private(set) var updated = 0
    package private(set) var deleted = 0

    /// Counts a record that is about to change the rows of a model.
    mutating func count(_ record: ImportRecord, in model: AnswerModel) {
      if record.isDeletion {
        deleted += 1
      } else if model.entity(ofRowFor: record.entity, record.key) == nil {
        inserted += 1
      } else {
        updated += 1
      }
    }
  }
}

extension AnswerModel {
  /// The number of rows of the list that screens show, or of the first entity that records fill if the user has chosen
  /// no list.
  func listLength() throws(WorkloadError) -> Int {
    guard let entity = schema.list?.entity ?? schema.entities.firstIndex(where: \.isImported) else { return 0 }
    var count = 0
    try rows.forEach(roots[entity]) { _, row in
      if row.entity == entity && schema.list?.contains(row.values) ?? true { count += 1 }
    }
    return count
  }
}
