/// A plain model of the rows, to which records are applied in order.
///
/// The model finds or creates rows by key, as an import does, and deletes by the schema's delete rules. A reference to a
/// row that does not exist yet waits until a record creates the row.
package struct AnswerModel: Sendable {
  /// The relationship of a row: a link or a list of its entity.
  struct Source: Hashable {
    var row: RowName
    /// The index of the link among the entity's links, or of the list among its lists, counted after the links.
    var place: Int
  }

  /// A row by its key and the index of the entity among whose rows the key is unique: the key root, or the entity of the
  /// table for a primary key.
  struct RowName: Hashable {
    var root: Int
    var key: RecordKey
  }

  struct StoredRow {
    var entity: Int
    var values: [FieldValue]
    /// The targets of the links and of the lists, of rows that exist.
    var targets: [[RecordKey]]
    /// The targets that the row's record named, except those that were deleted since.
    var wanted: [[RecordKey]]
    /// The value of the attribute that the user edits, as a starting store has it.
    var edited = FieldValue.null
  }

  /// A link or a list with its target resolved.
  struct Relationship {
    var end: RelationshipEnd
    var inverse: RelationshipEnd?
    /// The declaration, which entities that inherit the relationship share.
    var declared: WorkloadSchema.DeclaredRelationship
    /// The index of the destination entity.
    var target: Int
    /// True if a target belongs to one row at most.
    var isExclusive: Bool
    /// True if the relationship is its own inverse, so that each target leads back to its row.
    var isSymmetric: Bool
  }

  let schema: WorkloadSchema
  let roots: [Int]
  /// The indexes of the entities of the tables.
  let tableRoots: [Int]
  let relationships: [[Relationship]]
  var rows: AnswerRows
  /// True if the model knows the relationships that lead to each row.
  private let hasSources: Bool
  /// The relationships that lead to each row, by the key root and the key of the target.
  var sources: [[RecordKey: Set<Source>]]
  /// The relationships whose target does not exist yet, in the order of their records, by the target.
  var waiting: [RowName: [Source]] = [:]
  /// The keys of the rows that a record or a cascade has deleted, for each entity.
  package internal(set) var deletedKeys: [Set<RecordKey>]
  /// The rows that no deletion may reach, because relationships that no record sets lead to them or from them.
  var boundRows: Set<RowName> = []

  /// Creates a model without rows. Traps if a link names an entity that the schema does not have.
  package init(schema: WorkloadSchema) {
    self.init(schema: schema, file: nil, byteLimit: .max)
  }

  /// Creates a model without rows.
  ///
  /// - Parameters:
  ///   - schema: The schema of the rows.
  ///   - file: The file of the rows for which there is no room in memory, or nil to keep all rows in memory. No record
  ///     may delete a row if there is a file.
  ///   - byteLimit: The number of bytes that rows take in memory at most, about.
  init(schema: WorkloadSchema, file: RowFile?, byteLimit: Int) {
    self.schema = schema
    roots = schema.entities.indices.map { schema.keyRoot(of: $0) }
    tableRoots = schema.entities.indices.map { schema.tableRoot(of: $0) }
    relationships = schema.entities.enumerated().map { index, entity in
      entity.relationships.map { relationship in
        guard let target = schema.index(ofEntity: relationship.targetEntity) else {
          fatalError(
            "\(entity.name).\(relationship.name) links to \(relationship.targetEntity), which is not an entity of the schema"
          )
        }
        let declared = schema.declaration(of: relationship.name, in: index)
        return Relationship(
          end: relationship.end, inverse: relationship.inverse, declared: declared, target: target,
          isExclusive: relationship.isExclusive,
          isSymmetric: relationship.inverse.map { schema.declaration(of: $0.name, in: target) == declared } ?? false)
      }
    }
    rows = AnswerRows(rootCount: schema.entities.count, file: file, byteLimit: byteLimit)
    // Without deletions they matter only to targets that belong to one row.
    hasSources = file == nil || relationships.joined().contains { $0.isExclusive || $0.isSymmetric }
    sources = Array(repeating: [:], count: schema.entities.count)
    deletedKeys = Array(repeating: [], count: schema.entities.count)
  }

  func name(_ entity: Int, _ key: RecordKey) -> RowName {
    RowName(root: key.isStoreRow ? tableRoots[entity] : roots[entity], key: key)
  }

  /// Adds the rows of a starting store to a model without rows. Their relationships are taken as they are.
  package mutating func add(_ start: StartingRows) {
    for (entity, table) in start.answer.tables.enumerated() {
      for row in table.rows {
        rows[name(entity, row.key)] = StoredRow(
          entity: entity, values: row.values, targets: row.targets, wanted: row.targets, edited: row.edited)
      }
      boundRows.formUnion(start.boundRows[entity].map { name(entity, $0) })
    }
    for (entity, table) in start.answer.tables.enumerated() {
      for row in table.rows {
        for (place, keys) in row.targets.enumerated() {
          for key in keys {
            let target = name(relationships[entity][place].target, key)
            sources[target.root][target.key, default: []].insert(Source(row: name(entity, row.key), place: place))
          }
        }
      }
    }
  }

  /// Returns the entity of the row that a record of an entity would change, or nil if no row has the key.
  package func entity(ofRowFor entity: Int, _ key: RecordKey) -> Int? {
    let name = name(entity, key)
    return rows[name]?.entity
  }

  /// Creates, changes or deletes the row of a record.
  ///
  /// - Returns: The entities of the rows created, changed or deleted, including those affected by a delete rule.
  @discardableResult
  package mutating func apply(_ record: ImportRecord) -> Set<Int> {
    Set(change(record).map(\.entity))
  }

  /// Creates, changes or deletes the row of a record.
  ///
  /// - Returns: The rows created, changed or deleted, including those affected by a delete rule.
  package mutating func change(_ record: ImportRecord) -> [(entity: Int, key: RecordKey)] {
    var touched: [(entity: Int, key: RecordKey)] = []
    let row = name(record.entity, record.key)
    if record.isDeletion {
      delete(row, &touched)
      return touched
    }
    touched.append((record.entity, record.key))
    let known = rows[row]
    let isNew = known == nil
    let own = relationships[record.entity]
    let wanted = record.targets
    if !isNew {
      for place in own.indices where own[place].isSymmetric {
        separate(row, place, keeping: own[place].end.isToMany ? Set(wanted[place]) : [], &touched)
      }
      unlink(row)
    }
    rows[row] = StoredRow(
      entity: record.entity, values: record.values, targets: wanted.map { _ in [] }, wanted: wanted,
      edited: known?.edited ?? .null)
    for place in wanted.indices {
      for key in wanted[place] {
        let target = name(own[place].target, key)
        if rows[target] == nil {
          waiting[target, default: []].append(Source(row: row, place: place))
        } else {
          relate(Source(row: row, place: place), to: target, &touched)
        }
      }
    }
    if isNew, !waiting.isEmpty, let sources = waiting.removeValue(forKey: row) {
      for source in sources {
        guard let stored = rows[source.row], stored.wanted.indices.contains(source.place),
          stored.wanted[source.place].contains(row.key),
          name(relationships[stored.entity][source.place].target, row.key) == row
        else { continue }
        relate(source, to: row, &touched)
        touched.append((stored.entity, source.row.key))
      }
    }
    return touched
  }

  /// Returns true if a record changes a value by which lists are sorted, of a row that exists.
  package func changesSortKeys(_ record: ImportRecord) -> Bool {
    guard !record.isDeletion, let row = rows[name(record.entity, record.key)] else { return false }
    return schema.entities[record.entity].sortIndexes.contains { row.values[$0] != record.values[$0] }
  }

  /// Returns the current state of a row, or nil if the row does not exist.
  package func row(_ entity: Int, _ key: RecordKey) -> Answer.Row? {
    guard let row = rows[name(entity, key)], row.entity == entity else { return nil }
    return answerRow(key, row)
  }

  /// Returns the current state of all rows.
  package func answer() -> Answer {
    var tables: [Answer.Table] = []
    for entity in schema.entities.indices {
      var rows: [Answer.Row] = []
      do throws(WorkloadError) {
        try forEachRow(of: entity) { row in rows.append(row) }
      } catch {
        fatalError("\(error)")
      }
      tables.append(Answer.Table(rows: rows))
    }
    return Answer(tables: tables)
  }

  /// Calls a closure with the current state of each row of an entity, in ascending order of the keys.
  ///
  /// - Throws: The error of `body`, or `WorkloadError` if rows could not be kept in a file.
  func forEachRow(of entity: Int, _ body: (Answer.Row) throws(WorkloadError) -> Void) throws(WorkloadError) {
    // Primary keys come last.
    let all = roots[entity] == tableRoots[entity] ? [roots[entity]] : [roots[entity], tableRoots[entity]]
    for root in all {
      try rows.forEach(root) { (key, row) throws(WorkloadError) in
        if row.entity == entity { try body(answerRow(key, row)) }
      }
    }
  }

  func answerRow(_ key: RecordKey, _ row: StoredRow) -> Answer.Row {
    let linkCount = schema.entities[row.entity].links.count
    let own = relationships[row.entity]
    return Answer.Row(
      key: key, values: row.values, links: row.targets.prefix(linkCount).map(\.first),
      lists: row.targets.indices.dropFirst(linkCount).map { place in
        own[place].end.isOrdered ? row.targets[place] : row.targets[place].sorted()
      }, edited: row.edited)
  }
}

// MARK: - Relationships

extension AnswerModel {
  /// Adds a target to a relationship. A target of a relationship that is its own inverse leads back to the row.
  mutating func relate(
    _ source: Source, to target: RowName, _ touched: inout [(entity: Int, key: RecordKey)]
  ) {
    guard let row = rows[source.row], let other = rows[target] else { return }
    let relationship = relationships[row.entity][source.place]
    guard relationship.isSymmetric, target != source.row,
      let place = relationships[other.entity].firstIndex(where: { $0.declared == relationship.declared })
    else { return add(target, to: source, &touched) }
    let back = Source(row: target, place: place)
    if !relationship.end.isToMany {
      separate(source.row, source.place, &touched)
      separate(target, place, &touched)
    }
    add(target, to: source, &touched)
    if !(rows[target]?.wanted[back.place].contains(source.row.key) ?? true) {
      rows[target]?.wanted[back.place].append(source.row.key)
    }
    add(source.row, to: back, &touched)
    touched.append((other.entity, target.key))
  }

  /// Removes targets of a row from a relationship that is its own inverse, in both directions. Targets that are kept
  /// hold the row in its place.
  mutating func separate(
    _ row: RowName, _ place: Int, keeping kept: Set<RecordKey> = [],
    _ touched: inout [(entity: Int, key: RecordKey)]
  ) {
    guard let stored = rows[row], relationships[stored.entity].indices.contains(place) else { return }
    let relationship = relationships[stored.entity][place]
    for key in stored.targets[place] where !kept.contains(key) {
      let other = name(relationship.target, key)
      remove(key, from: Source(row: row, place: place))
      sources[other.root][key]?.remove(Source(row: row, place: place))
      guard other != row, let entity = rows[other]?.entity,
        let place = relationships[entity].firstIndex(where: { $0.declared == relationship.declared })
      else { continue }
      remove(row.key, from: Source(row: other, place: place))
      sources[row.root][row.key]?.remove(Source(row: other, place: place))
      touched.append((entity, key))
    }
  }

  /// Adds a target to a relationship. A target whose inverse leads to one row leaves the row that it belonged to.
  mutating func add(
    _ target: RowName, to source: Source, _ touched: inout [(entity: Int, key: RecordKey)]
  ) {
    guard let row = rows[source.row] else { return }
    let relationship = relationships[row.entity][source.place]
    if relationship.isExclusive {
      // No more than one other row can be found, so the order of the set has no effect.
      let others = (sources[target.root][target.key] ?? []).filter { other in
        other != source && self.relationship(of: other)?.declared == relationship.declared
      }
      for other in others {
        remove(target.key, from: other)
        sources[target.root][target.key]?.remove(other)
        if let entity = rows[other.row]?.entity { touched.append((entity, other.row.key)) }
      }
    }
    var targets = row.targets[source.place]
    if relationship.end.isToMany {
      if targets.contains(target.key) { return }
      targets.append(target.key)
      if relationship.end.isOrdered {
        // Targets that were waited for take the places that the record gave them.
        let wanted = row.wanted[source.place]
        let present = Set(targets)
        var seen: Set<RecordKey> = []
        targets = wanted.filter { present.contains($0) && seen.insert($0).inserted }
      }
    } else {
      targets = [target.key]
    }
    rows[source.row]!.targets[source.place] = targets
    if hasSources { sources[target.root][target.key, default: []].insert(source) }
  }

  /// Returns the relationship of a row, or nil if the row does not exist.
  func relationship(of source: Source) -> Relationship? {
    guard let row = rows[source.row] else { return nil }
    let own = relationships[row.entity]
    return own.indices.contains(source.place) ? own[source.place] : nil
  }

  mutating func remove(_ key: RecordKey, from source: Source) {
    rows[source.row]?.targets[source.place].removeAll { $0 == key }
    rows[source.row]?.wanted[source.place].removeAll { $0 == key }
  }

  mutating func unlink(_ row: RowName) {
    guard let stored = rows[row] else { return }
    for (place, targets) in stored.targets.enumerated() {
      for key in targets {
        let target = name(relationships[stored.entity][place].target, key)
        sources[target.root][target.key]?.remove(Source(row: row, place: place))
      }
    }
  }
}
