/// Compares the rows of a store into which payloads were imported at the same time.
///
/// Such payloads overtake each other and do not see each other's new rows. A value is right if some record of the row's
/// key has it, and a link if it leads where some record says, is absent, or leads to a row that another payload deleted.
/// A row that is not as the last record says is out of order. A value that no record has remains a problem that no
/// topology may tolerate.
struct OvertakenRowComparison {
  private let schema: WorkloadSchema
  private let contents: [[RecordKey: [Answer.Row]]]

  init(schema: WorkloadSchema, history: RecordHistory) {
    self.schema = schema
    contents = schema.entities.indices.map { history.contents(of: $0) }
  }

  /// Compares stored rows with the answer, in the order of their keys.
  func compare(_ tables: [CanonicalTable], with answer: Answer, _ report: inout VerificationReport) {
    for entity in schema.entities.indices {
      let right = Dictionary(answer.tables[entity].rows.map { ($0.key, $0) }) { first, _ in first }
      var stored: Set<RecordKey> = []
      tables[entity].forEachKey { group in
        guard let key = group.first?.key else {
          return report.addRowsWithoutKey(group.count, of: schema.entities[entity])
        }
        stored.insert(key)
        compare(group, of: key, with: right[key], entity, &report)
      }
      for row in answer.tables[entity].rows where !stored.contains(row.key) {
        report.add(nil, "\(schema.entities[entity].name) \(row.key) is missing")
      }
    }
  }

  private func compare(
    _ group: ArraySlice<CanonicalTable.Row>, of key: RecordKey, with right: Answer.Row?, _ entity: Int,
    _ report: inout VerificationReport
  ) {
    let title = "\(schema.entities[entity].name) \(key)"
    guard let known = contents[entity][key] else {
      return report.add(nil, "\(title) exists, and no record has its key")
    }
    report.addDuplicates(group.count, of: title)
    for row in group { checkContent(of: row, title, known, entity, &report) }
    guard let right else { return report.add(.outOfOrder, "\(title) exists and should not") }
    let links = right.targets.prefix(right.links.count).map { CanonicalTable.Targets(keys: $0) }
    if !group.contains(where: { $0.values.isSame(as: right.values) && $0.targets.starts(with: links) }) {
      report.add(.outOfOrder, "\(title) is not as its last record says")
    }
  }

  /// Reports each value and link of a row that no record of its key has.
  private func checkContent(
    of row: CanonicalTable.Row, _ title: String, _ known: [Answer.Row], _ entity: Int,
    _ report: inout VerificationReport
  ) {
    let described = schema.entities[entity]
    for (place, attribute) in described.attributes.enumerated()
    where !known.contains(where: { [row.values[place]].isSame(as: [$0.values[place]]) }) {
      report.add(nil, "\(title): \(attribute.name) is \(row.values[place].text), which no record has")
    }
    for (place, relationship) in described.relationships.enumerated() {
      let possible = Set(known.flatMap { $0.targets[place] })
      guard let other = row.targets[place].keys.first(where: { !possible.contains($0) }) else { continue }
      report.add(
        nil, "\(title): \(relationship.name) \(relationship.isToMany ? "has" : "is") \(other), which no record has")
    }
  }
}
