/// The rows that several lanes write or link to, and the contents that records give them.
///
/// A link to a row is a change of that row too if the relationship has an inverse, so that it takes part in conflicts.
package struct SharedRows: Sendable {
  /// The content that one record gives to a row.
  package struct Content: Equatable, Sendable {
    package let row: Answer.Row
    /// The targets of each relationship, links first, whose rows the lane had not imported when it imported the record.
    /// A later import sets them, but another lane may have overwritten the row by then.
    package let laterTargets: [Set<RecordKey>]
  }

  /// The contents of one row.
  package struct Contents: Sendable {
    /// The content that each lane gives to the row last, in the order in which lanes first write it. It is empty if
    /// lanes only link to the row.
    package fileprivate(set) var last: [Content] = []
    /// The contents that records give to the row, each once, including the last ones and that of an existing row.
    package fileprivate(set) var all: [Content] = []
    /// The lanes of `last`.
    fileprivate var lanes: [Int] = []

    fileprivate mutating func add(_ content: Content, _ lane: Int?) {
      if !all.contains(content) { all.append(content) }
      guard let lane else { return }
      if let place = lanes.firstIndex(of: lane) {
        last[place] = content
      } else {
        lanes.append(lane)
        last.append(content)
      }
    }
  }

  /// A target that belongs to one row at most by a relationship.
  fileprivate struct OwnedTarget: Hashable {
    var entity: Int
    var place: Int
    var key: RecordKey
  }

  /// The place of a relationship that is its own inverse, and a target of it.
  fileprivate struct LedRow: Hashable {
    var declared: WorkloadSchema.DeclaredRelationship
    var key: RecordKey
  }

  fileprivate var rows: [[RecordKey: Contents]]
  /// The declarations of the relationships of each entity that are their own inverses, and nil for others.
  fileprivate let symmetric: [[WorkloadSchema.DeclaredRelationship?]]
  /// The rows whose records lead to each row by a relationship that is its own inverse.
  fileprivate var leading: [LedRow: Set<RecordKey>] = [:]
  /// The targets that records of several rows give to a relationship by which they belong to one row at most.
  fileprivate var contested: Set<OwnedTarget> = []

  /// Creates a value without rows.
  fileprivate init(schema: WorkloadSchema) {
    rows = Array(repeating: [:], count: schema.entities.count)
    symmetric = AnswerModel(schema: schema).relationships.map { $0.map { $0.isSymmetric ? $0.declared : nil } }
  }

  /// The number of rows that several lanes write or link to.
  package var count: Int { rows.reduce(0) { $0 + $1.count } }

  /// Returns the contents of a row, or nil if no more than one lane writes the row or links to it.
  package subscript(entity: Int, key: RecordKey) -> Contents? { rows[entity][key] }

  /// Returns true if records of several rows give a target to a relationship by which it belongs to one row at most. The
  /// row that was saved last then has it.
  ///
  /// - Parameters:
  ///   - target: The key of the target.
  ///   - entity: The index of the entity that has the relationship.
  ///   - place: The index of the relationship among the entity's links, or among its lists, counted after the links.
  /// - Returns: True if the target belongs to one of several rows.
  package func isContested(_ target: RecordKey, of entity: Int, at place: Int) -> Bool {
    contested.contains(OwnedTarget(entity: entity, place: place, key: target))
  }

  /// Returns the rows whose records lead to a row by a relationship that is its own inverse, or nil for another
  /// relationship. Records of other lanes may add and remove them in any order.
  ///
  /// - Parameters:
  ///   - key: The key of the row.
  ///   - entity: The index of the row's entity.
  ///   - place: The index of the relationship among the entity's links, or among its lists, counted after the links.
  /// - Returns: The keys of the rows.
  package func rows(leadingTo key: RecordKey, of entity: Int, at place: Int) -> Set<RecordKey>? {
    symmetric[entity][place].map { leading[LedRow(declared: $0, key: key)] ?? [] }
  }
}

extension WorkloadArchive {
  /// Reads all records again and collects the contents of the rows that several lanes write or link to. Call it outside
  /// the measured window.
  ///
  /// Complexity: O(n) in the records, which are decoded twice. The keys of all rows are held in memory.
  /// - Throws: `WorkloadError` if a text cannot be decoded.
  package func sharedRows() throws(WorkloadError) -> SharedRows {
    try value(named: "shared rows") { () throws(WorkloadError) in try findSharedRows() }
  }

  private func findSharedRows() throws(WorkloadError) -> SharedRows {
    var finder = SharedRowFinder(schema)
    try forEachUnit { records, lane in
      for record in records { finder.count(record, lane) }
    }
    finder.countPartners()
    try forEachUnit { records, lane in finder.collect(records, lane) }
    return finder.found
  }

  /// Calls a closure for each record, together with those that are always saved with it, and their lane, which is nil
  /// for rows that exist before the first payload.
  private func forEachUnit(_ body: (ArraySlice<ImportRecord>, Int?) -> Void) throws(WorkloadError) {
    let decoder = PayloadDecoder(schema: schema)
    func divide(_ records: [ImportRecord], _ lane: Int?) {
      var start = 0
      while start < records.count {
        let end = records.endOfUnit(from: start, count: 1)
        body(records[start..<end], lane)
        start = end
      }
    }
    for index in existing.indices { divide(try decoder.decode(existingText(index)), nil) }
    for index in payloads.indices { divide(try records(of: index, by: decoder), payloads[index].lane) }
  }
}

/// Finds the rows that several lanes write or link to, and collects their contents.
private struct SharedRowFinder {
  private struct RowName: Hashable {
    var root: Int
    var key: RecordKey
  }

  private enum Writer: Hashable {
    /// No lane writes the row or links to it.
    case none
    case lane(Int)
    case several
  }

  private struct Relationship {
    var targetRoot: Int
    var isExclusive: Bool
    var hasInverse: Bool
  }

  private(set) var found: SharedRows
  private let roots: [Int]
  /// The relationships of each entity, links first.
  private let relationships: [[Relationship]]
  /// The rows that records make.
  private var made: Set<RowName> = []
  private var writers: [RowName: Writer] = [:]
  /// The rows that each lane has imported so far. Those that exist before the first payload belong to nil.
  private var imported: [Int?: Set<RowName>] = [:]
  private var owners: [SharedRows.OwnedTarget: RecordKey] = [:]

  init(_ schema: WorkloadSchema) {
    found = SharedRows(schema: schema)
    let roots = schema.entities.indices.map { schema.keyRoot(of: $0) }
    self.roots = roots
    relationships = schema.entities.map { entity in
      entity.relationships.map {
        Relationship(
          targetRoot: schema.index(ofEntity: $0.targetEntity).map { roots[$0] } ?? 0, isExclusive: $0.isExclusive,
          hasInverse: $0.inverse != nil)
      }
    }
  }

  private func name(of record: ImportRecord) -> RowName { RowName(root: roots[record.entity], key: record.key) }

  /// Notes the lane that writes the row of a record and links to others.
  mutating func count(_ record: ImportRecord, _ lane: Int?) {
    if !record.isDeletion { made.insert(name(of: record)) }
    for (declared, targets) in zip(found.symmetric[record.entity], record.targets) {
      guard let declared else { continue }
      for key in targets {
        found.leading[SharedRows.LedRow(declared: declared, key: key), default: []].insert(record.key)
      }
    }
    guard let lane else { return }
    count(name(of: record), lane)
    for (relationship, targets) in zip(relationships[record.entity], record.targets) where relationship.hasInverse {
      for key in targets { count(RowName(root: relationship.targetRoot, key: key), lane) }
    }
  }

  /// Notes that several lanes change the rows that lead to a shared row by a relationship that is its own inverse. A
  /// record of the shared row takes it away from them.
  mutating func countPartners() {
    let shared = Set(writers.filter { $0.value == .several }.keys)
    // The result does not depend on the order in which a dictionary gives its members.
    for (led, keys) in found.leading {
      let root = roots[led.declared.entity]
      guard shared.contains(RowName(root: root, key: led.key)) else { continue }
      for key in keys { writers[RowName(root: root, key: key)] = .several }
    }
  }

  private mutating func count(_ name: RowName, _ lane: Int) {
    switch writers[name, default: .none] {
    case .none: writers[name] = .lane(lane)
    case .lane(let other) where other != lane: writers[name] = .several
    case .lane, .several: break
    }
  }

  /// Adds the contents that records give to rows of several lanes. The records are saved together.
  mutating func collect(_ records: ArraySlice<ImportRecord>, _ lane: Int?) {
    for record in records where !record.isDeletion { imported[lane, default: []].insert(name(of: record)) }
    for record in records where !record.isDeletion && writers[name(of: record)] == .several {
      var kept: [[RecordKey]] = []
      var later: [Set<RecordKey>] = []
      for (place, (relationship, targets)) in zip(relationships[record.entity], record.targets).enumerated() {
        let names = targets.map { RowName(root: relationship.targetRoot, key: $0) }
        // A relationship to a row that no record makes stays empty.
        let existing = names.filter(made.contains)
        kept.append(existing.map(\.key))
        later.append(Set(existing.filter { !isImported($0, lane) }.map(\.key)))
        guard relationship.isExclusive else { continue }
        for target in existing {
          let owned = SharedRows.OwnedTarget(entity: record.entity, place: place, key: target.key)
          if owners.updateValue(record.key, forKey: owned) ?? record.key != record.key { found.contested.insert(owned) }
        }
      }
      let linkCount = record.links.count
      let content = SharedRows.Content(
        row: Answer.Row(
          key: record.key, values: record.values, links: kept.prefix(linkCount).map(\.first),
          lists: Array(kept.dropFirst(linkCount))), laterTargets: later)
      found.rows[record.entity][record.key, default: SharedRows.Contents()].add(content, lane)
    }
  }

  private func isImported(_ name: RowName, _ lane: Int?) -> Bool {
    imported[lane]?.contains(name) == true || imported[nil]?.contains(name) == true
  }
}
