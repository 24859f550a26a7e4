/// Checks that each record can meet the rows of a starting store in one way only.
struct MeetingCheck {
  private let schema: WorkloadSchema
  private let start: StartingRows
  private let roots: [Int]
  /// True if the import inserts each record without looking for its row.
  private let insertsBlindly: Bool
  private let uniqueness: StoredUniqueness
  /// The number of records that named a row of the store.
  private var metCount = 0

  init(_ schema: WorkloadSchema, _ start: StartingRows, insertsBlindly: Bool) {
    self.schema = schema
    self.start = start
    self.insertsBlindly = insertsBlindly
    roots = schema.entities.indices.map { schema.keyRoot(of: $0) }
    uniqueness = StoredUniqueness(schema, start)
  }

  /// The sentences about the store for the user.
  var remarks: [String] {
    start.remarks(schema) + (metCount == 0 ? ["no record names a row of the store"] : [])
  }

  /// Checks a record before it is applied to a model.
  ///
  /// - Throws: `WorkloadError` if the record names several rows or a row of another entity, if a blind insert would make
  ///   a second row with the key, or if the record's values must be unique and are those of another row.
  mutating func check(_ record: ImportRecord, _ model: AnswerModel) throws(WorkloadError) {
    let entity = schema.entities[record.entity]
    try checkShared(record.key, record.entity)
    for (relationship, keys) in zip(entity.relationships, record.targets) {
      for key in keys { try checkShared(key, schema.index(ofEntity: relationship.targetEntity) ?? 0) }
    }
    if let other = model.entity(ofRowFor: record.entity, record.key) {
      guard other == record.entity else {
        throw error(
          "a record of \(entity.name) has the key \(record.key) of a row of \(schema.entities[other].name) in the store; "
            + "use records of that entity, or another key")
      }
      if start.answer.tables[record.entity][record.key] != nil {
        metCount += 1
        guard !insertsBlindly else {
          throw error(
            "\(entity.name) \(record.key) is in the store already, and blind inserts would make a second row; let the "
              + "import look for its rows, or use other records")
        }
      }
    }
    if !record.isDeletion, let (name, other) = uniqueness.conflict(of: record, model) {
      throw error(
        "\(entity.name) \(record.key) has the same \(name) as the row \(other) in the store, and the model allows one "
          + "row with it; use a key with \(name), or other records")
    }
  }

  private func checkShared(_ key: RecordKey, _ entity: Int) throws(WorkloadError) {
    guard let numbers = start.sharedKeys[roots[entity]][key] else { return }
    throw error(
      "\(numbers.count) rows of \(schema.entities[entity].name) in the store have the key \(key), with Z_PK "
        + "\(numbers.prefix(4).map(String.init).joined(separator: ", "))\(numbers.count > 4 ? ", …" : ""), so that a record "
        + "cannot name one of them; use a key that distinguishes them, or remove the others")
  }

  private func error(_ message: String) -> WorkloadError { WorkloadError(.unusableStore, message) }
}
