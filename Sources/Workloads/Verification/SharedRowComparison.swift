/// The way in which a stack writes rows that several lanes share, which determines the contents that such a row may have
/// in the end.
package struct SharedRowRules: Sendable {
  /// The contents that records of several lanes give to rows.
  package var rows: SharedRows
  /// True if a save merges changes property by property, so that one row may hold values of several lanes.
  package var mergesProperties: Bool
  /// True if a save may discard all changes of an object or write the properties that it has not changed, so that a row
  /// may hold the content of a record that is not the last one of its lane.
  package var restoresContents: Bool

  /// Creates the rules for a workload.
  ///
  /// - Parameters:
  ///   - rows: The contents that records of several lanes give to rows.
  ///   - mergesProperties: True if a save merges changes property by property.
  ///   - restoresContents: True if a save may discard all changes of an object or write unchanged properties.
  package init(_ rows: SharedRows, mergesProperties: Bool, restoresContents: Bool) {
    self.rows = rows
    self.mergesProperties = mergesProperties
    self.restoresContents = restoresContents
  }
}

/// Compares the stored rows of one key with the contents that several lanes give to it.
///
/// A single row must hold what some lane wrote last. If the key exists more than once, the lanes' later records have
/// changed only one of the rows, so each row may hold what any record of the key wrote.
struct SharedRowComparison {
  private let schema: WorkloadSchema
  private let rules: SharedRowRules
  private let entity: Int
  private let key: RecordKey
  private let contents: SharedRows.Contents
  /// The contents that a row may have.
  private let allowed: [SharedRows.Content]
  private let isRepeated: Bool

  /// Creates a comparison of all rows of a key. `rowCount` is the number of these rows.
  init(
    _ contents: SharedRows.Contents, of key: RecordKey, _ entity: Int, rowCount: Int, _ schema: WorkloadSchema,
    _ rules: SharedRowRules
  ) {
    self.schema = schema
    self.rules = rules
    self.entity = entity
    self.key = key
    self.contents = contents
    isRepeated = rowCount > 1
    allowed = isRepeated || rules.restoresContents || contents.last.isEmpty ? contents.all : contents.last
  }

  /// Reports the rows that have none of the allowed contents.
  func compare(_ rows: ArraySlice<CanonicalTable.Row>, _ report: inout VerificationReport) {
    var areRight = true
    for row in rows where !holds(row, allowed) {
      areRight = false
      reportDifferences(row, &report)
    }
    guard areRight, isRepeated, !rules.mergesProperties, !rules.restoresContents else { return }
    if !rows.contains(where: { holds($0, contents.last) }) {
      report.add(nil, "\(title): no row of this key holds what a lane wrote last")
    }
  }

  private var title: String { "\(schema.entities[entity].name) \(key)" }

  private func holds(_ row: CanonicalTable.Row, _ contents: [SharedRows.Content]) -> Bool {
    if contents.contains(where: { content in
      row.values.isSame(as: content.row.values) && placeIndexes.allSatisfy { fits(row, content, at: $0) }
    }) {
      return true
    }
    guard rules.mergesProperties else { return false }
    return row.values.indices.allSatisfy { place in
      contents.contains { row.values[place].isSame(as: $0.row.values[place]) }
    } && placeIndexes.allSatisfy { place in contents.contains { fits(row, $0, at: place) } }
  }

  private var placeIndexes: Range<Int> {
    schema.entities[entity].relationships.indices
  }

  // MARK: Relationships

  /// Returns true if a relationship of a row has the targets of a content. Targets that exist more than once count as
  /// one.
  private func fits(_ row: CanonicalTable.Row, _ content: SharedRows.Content, at place: Int) -> Bool {
    let targets = row.targets[place]
    let expected = content.row.targets[place]
    guard targets.danglingCount == 0 else { return false }
    if let others = rules.rows.rows(leadingTo: key, of: entity, at: place) {
      return targets.keys.allSatisfy { expected.contains($0) || others.contains($0) }
    }
    let stored = Set(targets.keys)
    guard stored.isSubset(of: expected),
      expected.allSatisfy({ stored.contains($0) || mayLack($0, content, at: place) })
    else { return false }
    // Targets that exist more than once may have been inserted anew at other places.
    guard schema.entities[entity].relationships[place].isOrdered, stored.count == targets.keys.count else {
      return true
    }
    var seen: Set<RecordKey> = []
    return targets.keys == expected.filter { stored.contains($0) && seen.insert($0).inserted }
  }

  /// Returns true if a row may lack a target that a record gives to it: another lane has imported the target only after
  /// this row, or the target belongs to another row at present.
  private func mayLack(_ target: RecordKey, _ content: SharedRows.Content, at place: Int) -> Bool {
    if content.laterTargets[place].contains(target) { return true }
    return schema.entities[entity].relationships[place].isExclusive
      && (isRepeated || rules.rows.isContested(target, of: entity, at: place))
  }

  // MARK: Sentences

  private func reportDifferences(_ row: CanonicalTable.Row, _ report: inout VerificationReport) {
    let described = schema.entities[entity]
    var isReported = false
    for (place, attribute) in described.attributes.enumerated()
    where !allowed.contains(where: { row.values[place].isSame(as: $0.row.values[place]) }) {
      isReported = true
      let right = allowed.map(\.row.values[place].text)
      report.add(nil, "\(title): \(attribute.name) is \(row.values[place].text) and should be \(Self.choice(right))")
    }
    for place in placeIndexes where !allowed.contains(where: { fits(row, $0, at: place) }) {
      isReported = true
      let relationship = described.relationships[place]
      let right = allowed.map { CanonicalTable.Targets(keys: $0.row.targets[place]).text(relationship) }
      report.add(
        nil,
        "\(title): \(relationship.name) is \(row.targets[place].text(relationship)) and should be "
          + Self.choice(right))
    }
    if !isReported { report.add(nil, "\(title): the row holds values of several lanes, which no single record wrote") }
  }

  /// Returns distinct values as text for a sentence, the first few of many.
  private static func choice(_ values: [String]) -> String {
    var seen: Set<String> = []
    let distinct = values.filter { seen.insert($0).inserted }
    return distinct.prefix(8).joined(separator: " or ")
      + (distinct.count > 8 ? " or one of \(distinct.count - 8) others" : "")
  }
}
