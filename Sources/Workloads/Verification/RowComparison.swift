/// Finds the rows of a store that differ from the answer, and their differences.
struct RowComparison {
  private let schema: WorkloadSchema
  private let history: RecordHistory?
  private let shared: SharedRowRules?

  init(schema: WorkloadSchema, history: RecordHistory?, shared: SharedRowRules?) {
    self.schema = schema
    self.history = history
    self.shared = shared
  }

  /// Compares stored rows with the answer, in the order of their keys. To-many relationships are not compared, because
  /// they follow from the to-one relationships.
  func compare(_ tables: [CanonicalTable], with answer: Answer, _ report: inout VerificationReport) {
    for entity in schema.entities.indices {
      let name = schema.entities[entity].name
      // The right rows whose keys no stored row has reached yet.
      var rest = answer.tables[entity].rows[...]
      tables[entity].forEachKey { group in
        guard let key = group.first?.key else {
          return report.addRowsWithoutKey(group.count, of: schema.entities[entity])
        }
        while let row = rest.first, row.key < key {
          report.add(nil, "\(name) \(row.key) is missing")
          rest.removeFirst()
        }
        report.addDuplicates(group.count, of: "\(name) \(key)")
        guard let right = rest.first, right.key == key else {
          let isLate = group.allSatisfy { isEarlier($0, entity) }
          return report.add(isLate ? .outOfOrder : nil, "\(name) \(key) exists and should not")
        }
        rest.removeFirst()
        if let shared, let contents = shared.rows[entity, key] {
          SharedRowComparison(contents, of: key, entity, rowCount: group.count, schema, shared).compare(group, &report)
        } else {
          compare(group, with: right, entity, &report)
        }
      }
      for row in rest { report.add(nil, "\(name) \(row.key) is missing") }
    }
  }

  /// Compares the rows of one key with the right row. At least one of them must be right; that there are several is a
  /// separate problem.
  private func compare(
    _ group: ArraySlice<CanonicalTable.Row>, with right: Answer.Row, _ entity: Int, _ report: inout VerificationReport
  ) {
    let targets = right.canonicalTargets
    guard !group.contains(where: { $0.values.isSame(as: right.values) && $0.targets == targets }),
      let first = group.first
    else { return }
    let defect: ToleratedDefect? = group.contains { isEarlier($0, entity) } ? .outOfOrder : nil
    let name = "\(schema.entities[entity].name) \(right.key)"
    for (index, attribute) in schema.entities[entity].attributes.enumerated()
    where !first.values[index].isSame(as: right.values[index]) {
      report.add(
        defect,
        "\(name): \(attribute.name) is \(first.values[index].text) and should be \(right.values[index].text)")
    }
    for (place, relationship) in schema.entities[entity].relationships.enumerated()
    where first.targets[place] != targets[place] {
      report.add(
        defect,
        "\(name): \(relationship.name) is \(first.targets[place].text(relationship)) and should be "
          + targets[place].text(relationship))
    }
  }

  private func isEarlier(_ row: CanonicalTable.Row, _ entity: Int) -> Bool {
    guard let history, let key = row.key, row.targets.allSatisfy({ $0.danglingCount == 0 }) else { return false }
    let linkCount = schema.entities[entity].links.count
    return history.contains(
      entity,
      Answer.Row(
        key: key, values: row.values, links: row.targets.prefix(linkCount).map(\.keys.first),
        lists: row.targets.dropFirst(linkCount).map(\.keys)))
  }
}

extension [FieldValue] {
  func isSame(as other: [FieldValue]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }
}

extension FieldValue {
  /// Returns true if the digest treats two values as equal. Dates are compared to the microsecond.
  func isSame(as other: FieldValue) -> Bool {
    if case .date(let left) = self, case .date(let right) = other {
      return (left * 1_000_000).rounded() == (right * 1_000_000).rounded()
    }
    return self == other
  }
}

extension CanonicalTable.Targets {
  /// Returns the target of a to-one relationship, or the first few of a to-many relationship, as text for a sentence.
  func text(_ relationship: WorkloadSchema.Relationship) -> String {
    guard relationship.isToMany else {
      return keys.first?.description ?? (danglingCount == 0 ? "absent" : "a row that does not exist")
    }
    let shown = keys.prefix(8).map(\.description) + (keys.count > 8 ? ["and \(keys.count - 8) more"] : [])
    let text = shown.isEmpty ? "empty" : shown.joined(separator: ", ")
    return danglingCount == 0 ? text : "\(text) and \(danglingCount) rows that do not exist"
  }
}
