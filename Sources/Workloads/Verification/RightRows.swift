/// The rows of an answer with the rows to which their links lead.
///
/// It takes four bytes for each row and each link.
struct RightRows: Sendable {
  let schema: WorkloadSchema
  let tables: [Table]
  /// The number of rows of all entities.
  let count: Int
  /// True if each link leads to a row, and no two rows of a table have the same key.
  let isComplete: Bool

  /// The rows of one entity.
  struct Table: Sendable {
    let rows: Answer.Rows
    /// The topmost entities of the entity itself and of the targets of its links.
    let root: Int
    let linkRoots: [Int]
    /// The entities whose rows each link may lead to.
    fileprivate let linkEntities: [[Int]]
    /// The numbers of the rows. Rows are numbered from 1 through all entities.
    let numbers: Range<Int>
    /// The numbers of the rows that each link of each row leads to, 0 for an empty link.
    fileprivate(set) var targets: [UInt32] = []

    /// Returns the number of the row with a key, or nil if there is none.
    func number(of key: RecordKey) -> Int? { rows.place(of: key).map { numbers.lowerBound + $0 } }
  }

  /// Finds the rows to which the links of an answer lead.
  ///
  /// Complexity: O(n log n) in the rows.
  init(_ answer: Answer, schema: WorkloadSchema) {
    self.schema = schema
    var tables: [Table] = []
    var count = 0
    for (entity, described) in schema.entities.enumerated() {
      let rows = answer.tables[entity].rows
      tables.append(
        Table(
          rows: rows, root: schema.tableRoot(of: entity),
          linkRoots: described.links.map { schema.tableRoot(of: schema.index(ofEntity: $0.targetEntity) ?? entity) },
          linkEntities: described.links.map { link in
            schema.entities.indices.filter { other in
              schema.lineage(of: other).contains { schema.entities[$0].name == link.targetEntity }
            }
          },
          numbers: count + 1..<count + 1 + rows.count))
      count += rows.count
    }
    self.count = count
    var isComplete = true
    for entity in tables.indices {
      let earlier = tables[..<entity].filter { $0.root == tables[entity].root && !$0.rows.isEmpty }
      if !earlier.isEmpty {
        for place in tables[entity].rows.indices where isComplete {
          let key = tables[entity].rows.key(place)
          isComplete = !earlier.contains { $0.rows.place(of: key) != nil }
        }
      }
      guard !tables[entity].linkRoots.isEmpty else { continue }
      var targets: [UInt32] = []
      targets.reserveCapacity(tables[entity].rows.count * tables[entity].linkRoots.count)
      for row in tables[entity].rows {
        for (key, entities) in zip(row.links, tables[entity].linkEntities) {
          let target = key.map { key in
            entities.lazy.compactMap { tables[$0].number(of: key) }.first ?? 0
          }
          isComplete = isComplete && target != 0
          targets.append(UInt32(target ?? 0))
        }
      }
      tables[entity].targets = targets
    }
    (self.tables, self.isComplete) = (tables, isComplete)
  }

  /// Calls a closure with each row of an entity as a right store has it, in ascending order of the keys. A link to a row
  /// that does not exist has no inverse.
  func forEachRow(of entity: Int, _ body: (CanonicalTable.Row) -> Void) {
    let table = tables[entity]
    let inverses = schema.inverses(of: entity).map { InverseRows(of: table, $0, tables[$0.sourceEntity]) }
    for (place, row) in table.rows.enumerated() {
      body(
        CanonicalTable.Row(
          key: row.key, values: row.values, targets: row.canonicalTargets,
          inverses: inverses.map { $0.keys(place) }))
    }
  }
}

/// The rows of one entity that a link of another leads to, with the rows that have the link.
private struct InverseRows {
  private let sources: Answer.Rows
  /// The places of the sources of all targets, in the order of the targets. Those of one target are ascending.
  private let places: [UInt32]
  /// The index in `places` of the first source of each target, and the end.
  private let starts: [UInt32]

  init(of target: RightRows.Table, _ inverse: WorkloadSchema.Mirror, _ source: RightRows.Table) {
    sources = source.rows
    let linkCount = source.linkRoots.count
    func forEach(_ body: (_ source: Int, _ target: Int) -> Void) {
      for place in source.rows.indices {
        let number = Int(source.targets[place * linkCount + inverse.sourceLink])
        if target.numbers.contains(number) { body(place, number - target.numbers.lowerBound) }
      }
    }
    var starts = Array(repeating: UInt32(0), count: target.rows.count + 1)
    forEach { _, target in starts[target + 1] += 1 }
    for place in starts.indices.dropFirst() { starts[place] += starts[place - 1] }
    var places = Array(repeating: UInt32(0), count: Int(starts[target.rows.count]))
    var next = starts
    forEach { source, target in
      places[Int(next[target])] = UInt32(source)
      next[target] += 1
    }
    (self.places, self.starts) = (places, starts)
  }

  func keys(_ target: Int) -> [RecordKey] {
    places[Int(starts[target])..<Int(starts[target + 1])].map { sources.key(Int($0)) }
  }
}
