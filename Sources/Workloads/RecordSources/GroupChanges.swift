import MachineCore

/// Divides the groups of a source into inserts, updates and deletions, and keeps the rows that may be changed.
///
/// Only the row of a group's main record is updated or deleted. The share of
/// each kind is kept to within one record of a payload, and the next payload makes up for the rounding. No shared row,
/// which several lanes write, is deleted.
///
/// The type is a class, so that a closure that looks for rows does not make the next change copy all rows.
final class GroupChanges {
  enum Action {
    case insert
    case update
    case delete
  }

  private struct Lane {
    /// The main records of the rows that may be changed.
    var rows: [ImportRecord] = []
    var random: SeededRandom
    /// The updates and deletions that are still due by the mix, in hundredths of a record.
    var owedUpdates = 0
    var owedDeletes = 0
  }

  private struct RowName: Hashable {
    var root: Int
    var key: RecordKey
  }

  private let schema: WorkloadSchema
  private let mix: Mix
  private let workloadName: String
  /// The lanes, and after them one of the shared rows.
  private var lanes: [Lane]
  let laneCount: Int
  /// The rows so far, or nil if no record changes or deletes any.
  private var model: AnswerModel?
  /// The lane of each row that a record has named, if there are several lanes.
  private var laneOfRow: [RowName: Int] = [:]
  private let roots: [Int]
  /// The rows of a feed's records that were added to a lane before the records arrive.
  private var listed: Set<RowName> = []
  /// The places of the attributes whose values a row keeps for good, for each entity: its key and what must be unique.
  private let fixedPlaces: [Set<Int>]

  init(_ options: WorkloadOptions, _ schema: WorkloadSchema) {
    self.schema = schema
    mix = options.mix
    workloadName = options.workload.name
    laneCount = options.lanes
    lanes = (0...options.lanes).map { Lane(random: SeededRandom(seed: options.seed, stream: "changes of lane \($0)")) }
    model = options.mix.deletes + options.mix.updates > 0 ? AnswerModel(schema: schema) : nil
    fixedPlaces = schema.entities.enumerated().map { index, entity in
      let unique = schema.model.uniqueAttributes(of: schema.model.entities[index])
      return Set(entity.keyIndexes).union(
        entity.attributes.indices.filter { unique.contains(entity.attributes[$0].name) })
    }
    roots = schema.entities.indices.map { schema.keyRoot(of: $0) }
  }

  /// Returns true if a row that was inserted has not been deleted since.
  func isThere(_ entity: Int, _ key: RecordKey) -> Bool {
    model == nil || model?.entity(ofRowFor: entity, key) == entity
  }

  /// Returns the actions of a payload's groups, in an order that the seed determines.
  ///
  /// - Parameters:
  ///   - isShared: True for each group whose rows are shared. A deletion among these trades places with another action,
  ///     or is an update if all groups are shared.
  ///   - lane: The lane that imports the payload.
  /// - Returns: An action for each group.
  func actions(_ isShared: [Bool], lane: Int) -> [Action] {
    let count = isShared.count
    lanes[lane].owedUpdates += count * mix.updates
    lanes[lane].owedDeletes += count * mix.deletes
    let updates = min(count, lanes[lane].owedUpdates / 100)
    let deletes = min(count - updates, lanes[lane].owedDeletes / 100)
    lanes[lane].owedUpdates -= updates * 100
    lanes[lane].owedDeletes -= deletes * 100
    var actions =
      Array(repeating: Action.update, count: updates) + Array(repeating: .delete, count: deletes)
      + Array(repeating: .insert, count: count - updates - deletes)
    if updates + deletes > 0 {
      for place in actions.indices.dropFirst().reversed() {
        actions.swapAt(place, lanes[lane].random.below(place + 1))
      }
    }
    var next = 0
    for place in actions.indices where isShared[place] && actions[place] == .delete {
      while next < count, isShared[next] || actions[next] == .delete { next += 1 }
      if next < count { actions.swapAt(place, next) } else { actions[place] = .update }
    }
    return actions
  }

  /// Returns a group that inserts rows.
  func insertion(_ group: RecordGroup, lane: Int) throws(WorkloadError) -> RecordGroup {
    try own(group, lane)
    let main = group.records[group.main]
    if model != nil, lane < laneCount, !listed.contains(name(main)) { lanes[lane].rows.append(main) }
    for record in group.records { _ = model?.change(record) }
    return group
  }

  /// Adds the rows of a feed's record that exist before the record arrives.
  ///
  /// - Parameters:
  ///   - group: The records that make the rows.
  ///   - lane: The lane in which the record arrives, or nil if it is not known. No record but its own then changes the
  ///     row before.
  func addExisting(_ group: RecordGroup, lane: Int?) {
    guard model != nil else { return }
    let main = group.records[group.main]
    if let lane {
      lanes[lane].rows.append(main)
      listed.insert(name(main))
    }
    for record in group.records { _ = model?.change(record) }
  }

  /// Returns a record that gives a row of the lane new values, or nil if the lane has no row. The row keeps its key, the
  /// values that lists are sorted by, the values that must be unique, and its relationships.
  ///
  /// - Parameters:
  ///   - lane: The lane whose rows are changed.
  ///   - values: A function that returns new values for a record.
  /// - Returns: The changed record as a group.
  /// - Throws: The error of `values`.
  func update(
    lane: Int, _ values: (ImportRecord) throws(WorkloadError) -> [FieldValue]?
  ) throws(WorkloadError) -> RecordGroup? {
    for _ in 0..<20 where !lanes[lane].rows.isEmpty {
      let place = lanes[lane].random.below(lanes[lane].rows.count)
      var record = lanes[lane].rows[place]
      if !isThere(record.entity, record.key) {
        lanes[lane].rows.swapAt(place, lanes[lane].rows.count - 1)
        lanes[lane].rows.removeLast()
        continue
      }
      guard claim(record, lane) else { continue }
      guard let new = try values(record) else { return nil }
      let stored = model?.row(record.entity, record.key)
      // A record of a feed may have changed the row since the list has it.
      if let stored { record.values = stored.values }
      record = changing(record, to: new)
      if let stored {
        record.links = stored.links
        record.lists = stored.lists
      }
      lanes[lane].rows[place] = record
      model?.apply(record)
      return RecordGroup([record], main: 0)
    }
    return nil
  }

  /// Returns a record with new values, except for its key, the values that lists are sorted by, and those that must be
  /// unique.
  func changing(_ record: ImportRecord, to values: [FieldValue]) -> ImportRecord {
    let sortPlaces = schema.entities[record.entity].sortIndexes
    return changing(record, to: values) { !sortPlaces.contains($0) }
  }

  /// Returns the record that makes a row as it is before a record of a feed changes it. If all values that an update
  /// changes are equal, those that lists are sorted by are others too.
  func earlier(_ record: ImportRecord, values: [FieldValue]) -> ImportRecord {
    let changed = changing(record, to: values)
    return changed == record ? changing(record, to: values) { _ in true } : changed
  }

  private func changing(
    _ record: ImportRecord, to values: [FieldValue], at isChanged: (Int) -> Bool
  ) -> ImportRecord {
    var record = record
    for index in values.indices where isChanged(index) && !fixedPlaces[record.entity].contains(index) {
      record.values[index] = values[index]
    }
    return record
  }

  /// Returns the main record of a shared group, drawn among those whose relationships no other shared group has changed.
  /// The result is nil without such groups.
  func sharedRecord(of groups: ArraySlice<RecordGroup>, lane: Int) -> ImportRecord? {
    for _ in 0..<20 where !groups.isEmpty {
      let group = groups[groups.startIndex + lanes[lane].random.below(groups.count)]
      let record = group.records[group.main]
      guard let stored = model?.row(record.entity, record.key), stored.links == record.links,
        zip(stored.lists, record.lists).allSatisfy({ Set($0) == Set($1) })
      else { continue }
      return record
    }
    return nil
  }

  /// Returns a record that deletes a row, or nil if no row of the lane can be deleted.
  func deletion(lane: Int) -> RecordGroup? {
    guard model != nil else { return nil }
    // Some rows may be needed by others, so a few are tried.
    for _ in 0..<20 where !lanes[lane].rows.isEmpty {
      let place = lanes[lane].random.below(lanes[lane].rows.count)
      let (entity, key) = (lanes[lane].rows[place].entity, lanes[lane].rows[place].key)
      let isThere = self.isThere(entity, key)
      guard !isThere || model?.canDelete(entity, key) == true, claim(lanes[lane].rows[place], lane) else { continue }
      lanes[lane].rows.swapAt(place, lanes[lane].rows.count - 1)
      lanes[lane].rows.removeLast()
      guard isThere else { continue }
      let record = ImportRecord.deletion(entity: entity, key: key)
      model?.apply(record)
      return RecordGroup([record], main: 0)
    }
    return nil
  }

  // MARK: Rows

  /// Adds the rows of a starting store. Those of a lane may be changed by records of the lane.
  func start(from start: StartingRows, _ records: [[ImportRecord]]) {
    guard model != nil else { return }
    model?.add(start)
    for lane in 0..<laneCount { lanes[lane].rows += records[lane] }
  }

  /// Returns true if no other lane has named a row or one of those to which it leads, and makes the rows the lane's.
  private func claim(_ record: ImportRecord, _ lane: Int) -> Bool {
    guard laneCount > 1 else { return true }
    let described = schema.entities[record.entity]
    let stored = model?.row(record.entity, record.key)
    var names = [name(record)]
    for (relationship, keys) in zip(described.relationships, stored?.targets ?? []) {
      names += keys.map { RowName(root: root(ofEntity: relationship.targetEntity), key: $0) }
    }
    guard names.allSatisfy({ laneOfRow[$0] ?? lane == lane }) else { return false }
    for name in names { laneOfRow[name] = lane }
    return true
  }

  private func name(_ record: ImportRecord) -> RowName { RowName(root: roots[record.entity], key: record.key) }

  private func root(ofEntity name: String) -> Int { schema.index(ofEntity: name).map { roots[$0] } ?? 0 }

  /// Throws an error if a row belongs to another lane.
  private func own(_ group: RecordGroup, _ lane: Int) throws(WorkloadError) {
    guard laneCount > 1 else { return }
    for record in group.records {
      let described = schema.entities[record.entity]
      try own(record.entity, record.key, lane)
      for (relationship, keys) in zip(described.relationships, record.targets) {
        for key in keys { try own(schema.index(ofEntity: relationship.targetEntity) ?? 0, key, lane) }
      }
    }
  }

  private func own(_ entity: Int, _ key: RecordKey, _ lane: Int) throws(WorkloadError) {
    let name = RowName(root: roots[entity], key: key)
    guard laneOfRow.updateValue(lane, forKey: name) ?? lane == lane else {
      throw WorkloadError(
        .lanes, "\(laneCount)",
        "\(schema.entities[entity].name) \(key) appears in payloads of two lanes of \(workloadName), but a key must belong to "
          + "one lane; use 1")
    }
  }
}
