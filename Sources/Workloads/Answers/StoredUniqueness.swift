/// The values of a starting store's rows that must be unique by the constraints of the model.
struct StoredUniqueness {
  private struct Group {
    /// The names of the attributes.
    var names: [String]
    /// The index of the entity of the table, whose rows have different values.
    var root: Int
    /// The rows with each combination of values.
    var rows: [RecordKey: (entity: Int, key: RecordKey)] = [:]
  }

  private var groups: [Group] = []
  /// The groups of each entity, and the places of their attributes.
  private var places: [[(group: Int, places: [Int])]]
  /// The number of rows of the store.
  let rowCount: Int

  init(_ schema: WorkloadSchema, _ start: StartingRows) {
    rowCount = start.answer.rowCount
    places = schema.entities.map { _ in [] }
    for (index, entity) in schema.entities.enumerated() where !entity.keyIndexes.isEmpty {
      let described = schema.model.entity(entity.name)
      let constraints = described.map {
        schema.model.lineage(of: $0).flatMap(\.uniquenessConstraints).map(\.properties)
      }
      for names in [entity.keyAttributes.map(\.name)] + (constraints ?? []) {
        let found = names.compactMap { name in entity.attributes.firstIndex { $0.name == name } }
        guard found.count == names.count else { continue }
        let root = schema.tableRoot(of: index)
        let group = groups.firstIndex { $0.names == names && $0.root == root } ?? groups.count
        if group == groups.count { groups.append(Group(names: names, root: root)) }
        if !places[index].contains(where: { $0.group == group }) { places[index].append((group, found)) }
      }
    }
    for (index, table) in start.answer.tables.enumerated() {
      for row in table.rows {
        for (group, places) in places[index] {
          guard let key = Self.key(row.values, at: places) else { continue }
          groups[group].rows[key] = (index, row.key)
        }
      }
    }
  }

  /// Returns values as a key, or nil if one of them is null: such values need not be unique.
  private static func key(_ values: [FieldValue], at places: [Int]) -> RecordKey? {
    let chosen = places.map { values[$0] }
    return chosen.contains(.null) ? nil : .values(chosen)
  }

  /// Returns true if some row of the store has the values of a new row of an entity that must be unique.
  func isTaken(_ values: [FieldValue], of entity: Int) -> Bool {
    places[entity].contains { group, places in
      Self.key(values, at: places).map { groups[group].rows[$0] != nil } ?? false
    }
  }

  /// Returns the attributes of a record whose values another row of the store still has and that must be unique, and the
  /// key of that row, or nil if there is no such row.
  func conflict(of record: ImportRecord, _ model: AnswerModel) -> (names: String, key: RecordKey)? {
    for (group, places) in places[record.entity] {
      guard let key = Self.key(record.values, at: places), let other = groups[group].rows[key],
        other.key != record.key, let row = model.row(other.entity, other.key),
        let own = self.places[other.entity].first(where: { $0.group == group }),
        Self.key(row.values, at: own.places) == key
      else { continue }
      return (groups[group].names.joined(separator: ", "), other.key)
    }
    return nil
  }
}
