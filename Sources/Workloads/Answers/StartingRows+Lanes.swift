extension StartingRows {
  /// Returns the records that would make the rows of some entities that records can change, divided among lanes. Rows
  /// that relationships connect are in one lane.
  func records(of entities: [Int], in schema: WorkloadSchema, laneCount: Int) -> [[ImportRecord]] {
    var lanes = Array(repeating: [ImportRecord](), count: laneCount)
    guard laneCount > 1 else { return [entities.flatMap { records(of: $0, in: schema) }] }
    var groups = ConnectedRows(self, schema)
    var laneOfGroup: [Int: Int] = [:]
    for entity in entities {
      for record in records(of: entity, in: schema) {
        let group = groups.group(of: entity, record.key)
        let lane = laneOfGroup[group] ?? laneOfGroup.count % laneCount
        laneOfGroup[group] = lane
        lanes[lane].append(record)
      }
    }
    return lanes
  }
}

/// The rows of a store in groups, of which each has all rows that relationships connect.
private struct ConnectedRows {
  private struct Name: Hashable {
    var root: Int
    var key: RecordKey
  }

  private let roots: [(key: Int, table: Int)]
  private var numbers: [Name: Int] = [:]
  /// The number of another row of the same group, or of the row itself if it stands for its group.
  private var leaders: [Int] = []

  init(_ start: StartingRows, _ schema: WorkloadSchema) {
    roots = schema.entities.indices.map { (schema.keyRoot(of: $0), schema.tableRoot(of: $0)) }
    for (index, table) in start.answer.tables.enumerated() {
      let targets = schema.entities[index].relationships.map { schema.index(ofEntity: $0.targetEntity) ?? 0 }
      for row in table.rows {
        let number = number(index, row.key)
        for (target, keys) in zip(targets, row.targets) {
          for key in keys { join(number, self.number(target, key)) }
        }
      }
    }
  }

  /// Returns the number of the group that has a row.
  mutating func group(of entity: Int, _ key: RecordKey) -> Int { leader(number(entity, key)) }

  private mutating func number(_ entity: Int, _ key: RecordKey) -> Int {
    let name = Name(root: key.isStoreRow ? roots[entity].table : roots[entity].key, key: key)
    if let number = numbers[name] { return number }
    numbers[name] = leaders.count
    leaders.append(leaders.count)
    return leaders.count - 1
  }

  private mutating func leader(_ number: Int) -> Int {
    var number = number
    while leaders[number] != number {
      leaders[number] = leaders[leaders[number]]
      number = leaders[number]
    }
    return number
  }

  private mutating func join(_ first: Int, _ second: Int) {
    leaders[leader(first)] = leader(second)
  }
}
