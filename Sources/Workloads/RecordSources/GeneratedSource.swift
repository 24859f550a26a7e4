import MachineCore

/// Generates the records of `catalog`, `catalog-reorder` and `flat` from a seed.
///
/// The catalog's entities follow a pattern: among 50 successive records of a lane, 1 is of a supplier, 24 are of
/// products and 25 of prices, whether they insert, update or delete. Each payload keeps the shares of `mix` to within
/// one record, and the next payload makes up for the rounding. An update or a deletion draws evenly among the lane's
/// live rows of the entity that the pattern gives. If the pattern and the mix cannot both be kept, these rules apply:
/// - A record without a live row to update or delete trades places with the payload's next insert.
/// - Without such an insert, it updates or deletes a row of another entity, and the pattern is not kept.
/// - Without a live row that it may delete, it updates one. Without any live row, it inserts one. The mix is then not
///   kept.
/// - A supplier is never deleted. If a payload has more deletions than products and prices, the surplus deletions
///   delete products or prices too.
/// - A record of a shared row, which several lanes write, inserts or updates it. Shared rows follow the pattern in a
///   separate list and link only to shared rows. Each lane gives them different values, but the same keys and links, and
///   different names only if names are updated. If all records are of shared rows, deletions become updates.
struct GeneratedSource: RecordSource {
  private enum Action {
    case insert
    case update
    case delete
  }

  /// The number of a row among all rows of its entity.
  private typealias RowNumber = Int

  private struct Row {
    var key: RecordKey
    var values: [FieldValue]
    var parent: RowNumber?
    var children: [RowNumber] = []
    /// The place of the row among the lane's live rows of its entity.
    var place: Int
  }

  private struct Lane {
    var choices: SeededRandom
    var values: RecordValues
    /// The numbers of the live rows, for each entity.
    var live: [[RowNumber]]
    /// The number of existing rows made so far by the pattern. `recordCount` is the number of payload records.
    var existingCount = 0
    var recordCount = 0
    /// The records that are still due by `mix`, in hundredths of a record.
    var owed = (inserts: 0, updates: 0, deletes: 0)
  }

  let schema: WorkloadSchema
  let rows: Int
  private let mix: Mix
  let existingRows: ExistingRows
  /// The entities of successive records. The pattern is repeated.
  private let pattern: [Int]
  private let deletable: [Int]
  /// The entity that the only link of each entity leads to. `children` has the entity whose rows are deleted with it.
  private let parents: [Int?]
  private let children: [Int?]
  private var table: [[Row]]
  /// The lanes, and after them one of the shared rows if there are any.
  private var lanes: [Lane]
  private let laneCount: Int
  private var existingPlan: ExistingRowPlan
  private var existingCount = 0
  private var sharedProgress: SharedProgress
  /// The shared rows in the order in which lanes insert them.
  private var sharedRows: [(entity: Int, number: RowNumber)] = []

  init(options: WorkloadOptions, rows: Int) throws(WorkloadError) {
    let isCatalog = options.workload != .flat
    var schema: WorkloadSchema = isCatalog ? .catalog : .flat
    try schema.show(options.list)
    self.schema = schema
    self.rows = rows
    mix = options.mix
    existingRows = options.existingRows
    pattern = isCatalog ? [0] + (0..<24).flatMap { _ in [1, 2] } + [2] : [0]
    deletable = isCatalog ? [1, 2] : [0]
    parents = isCatalog ? [nil, 0, 1] : [nil]
    children = isCatalog ? [nil, 2, nil] : [nil]
    let entityCount = schema.entities.count
    table = Array(repeating: [], count: entityCount)
    laneCount = options.lanes
    sharedProgress = SharedProgress(options)
    existingPlan = try ExistingRowPlan(options.existingRows, schema, able: Array(schema.entities.indices))
    lanes = (0..<options.lanes + (options.overlap > 0 ? 1 : 0)).map { lane in
      Lane(
        choices: SeededRandom(seed: options.seed, stream: "choices of lane \(lane)"),
        values: RecordValues(
          random: SeededRandom(seed: options.seed, stream: "values of lane \(lane)"),
          updatesNames: options.workload == .catalogReorder),
        live: Array(repeating: [], count: entityCount))
    }
  }

  mutating func nextExisting(count: Int) -> Piece {
    var piece = Piece()
    while piece.records.count < count, let step = existingPlan.next() {
      let record = existingRecord(step.entity, lane: existingCount % laneCount)
      existingPlan.made(record.entity)
      append(record, to: &piece)
      existingCount += 1
    }
    piece.close()
    return piece
  }

  /// Returns the record of the next existing row, which is of the given entity if its rows need no other row first.
  private mutating func existingRecord(_ entity: Int?, lane: Int) -> ImportRecord {
    if sharedProgress.takeExisting() {
      appendSharedRow(entity)
      let row = sharedRows[sharedRows.count - 1]
      return upsert(row.entity, number: row.number)
    }
    defer { lanes[lane].existingCount += 1 }
    return insert(entity ?? pattern[lanes[lane].existingCount % pattern.count], lane: lane)
  }

  mutating func nextPayload(count: Int, lane: Int) -> Piece {
    let entities = entities(count: count, lane)
    var actions = shuffledActions(for: entities, lane)
    var nextInsert = 0
    var piece = Piece()
    for place in 0..<count {
      if actions[place] != .insert, !canServe(actions[place], entity: entities[place], lane: lane) {
        nextInsert = max(nextInsert, place + 1)
        while nextInsert < count, actions[nextInsert] != .insert { nextInsert += 1 }
        if nextInsert < count { actions.swapAt(place, nextInsert) }
      }
      // A separate statement is needed: as an argument, the call would run while a copy of `self` is held, and would
      // copy all rows.
      let record = record(actions[place], entity: entities[place], lane: lane)
      append(record, to: &piece)
    }
    piece.close()
    return piece
  }

  /// Returns the entities of a lane's next records, or nil for records of shared rows.
  private mutating func entities(count: Int, _ lane: Int) -> [Int?] {
    sharedProgress.takeRecords(count, lane: lane).map { isShared in
      if isShared { return nil }
      defer { lanes[lane].recordCount += 1 }
      return pattern[lanes[lane].recordCount % pattern.count]
    }
  }

  private func append(_ record: ImportRecord, to piece: inout Piece) {
    piece.append(record) { $0.append($1, of: schema) }
  }
}

// MARK: - Actions of a payload's records

extension GeneratedSource {
  /// Returns the actions that the mix gives, in a random order in which no supplier is deleted if that is possible.
  private mutating func shuffledActions(for entities: [Int?], _ lane: Int) -> [Action] {
    var actions = actions(count: entities.count, lane)
    for place in stride(from: actions.count - 1, to: 0, by: -1) {
      actions.swapAt(place, lanes[lane].choices.below(place + 1))
    }
    let others = entities.indices.filter { mayDelete(entities[$0]) && actions[$0] != .delete }
    var spare = others[...]
    for place in entities.indices where actions[place] == .delete && !mayDelete(entities[place]) {
      guard !spare.isEmpty else { break }
      let chosen = spare.startIndex + lanes[lane].choices.below(spare.count)
      spare.swapAt(spare.startIndex, chosen)
      actions.swapAt(place, spare.removeFirst())
    }
    return actions
  }

  /// Returns the actions that the mix gives, including what earlier payloads rounded off. Each record takes the action
  /// that is most overdue.
  private mutating func actions(count: Int, _ lane: Int) -> [Action] {
    var owed = lanes[lane].owed
    owed.inserts += count * mix.inserts
    owed.updates += count * mix.updates
    owed.deletes += count * mix.deletes
    defer { lanes[lane].owed = owed }
    return (0..<count).map { _ in
      if owed.inserts >= max(owed.updates, owed.deletes) {
        owed.inserts -= 100
        return .insert
      } else if owed.updates >= owed.deletes {
        owed.updates -= 100
        return .update
      }
      owed.deletes -= 100
      return .delete
    }
  }

  /// Returns true if rows of an entity may be deleted. It is false for shared rows.
  private func mayDelete(_ entity: Int?) -> Bool { entity.map(deletable.contains) ?? false }

  private func canServe(_ action: Action, entity: Int?, lane: Int) -> Bool {
    guard let entity else {
      return action == .insert || action == .update && sharedProgress.count(in: lane) > 0
    }
    return switch action {
    case .insert: true
    case .update: hasLive(entity, lane: lane)
    case .delete:
      deletable.contains(entity) ? hasLive(entity, lane: lane) : deletable.contains { hasLive($0, lane: lane) }
    }
  }

  private func hasLive(_ entity: Int, lane: Int) -> Bool {
    !lanes[lane].live[entity].isEmpty
  }

  private mutating func record(_ action: Action, entity: Int?, lane: Int) -> ImportRecord {
    guard let entity else { return sharedRecord(action, lane: lane) }
    switch action {
    case .insert:
      return insert(entity, lane: lane)
    case .delete:
      let order = [entity] + deletable
      if let chosen = order.first(where: { deletable.contains($0) && hasLive($0, lane: lane) }) {
        return delete(chosen, lane: lane)
      }
      return record(.update, entity: entity, lane: lane)
    case .update:
      let order = [entity] + schema.entities.indices.reversed()
      if let chosen = order.first(where: { hasLive($0, lane: lane) }) {
        return update(chosen, lane: lane)
      }
      return insert(entity, lane: lane)
    }
  }
}

// MARK: - Shared rows

extension GeneratedSource {
  /// Returns a record that inserts the lane's next shared row or updates one that the lane has inserted.
  private mutating func sharedRecord(_ action: Action, lane: Int) -> ImportRecord {
    let count = sharedProgress.count(in: lane)
    let place: Int
    if action == .insert || count == 0 {
      place = sharedProgress.takePlace(lane: lane)
      if place == sharedRows.count { appendSharedRow() }
    } else {
      place = lanes[lane].choices.below(count)
    }
    let (entity, number) = sharedRows[place]
    var record = upsert(entity, number: number)
    record.values = lanes[lane].values.changedValues(for: schema.entities[entity], from: record.values)
    return record
  }

  private mutating func appendSharedRow(_ entity: Int? = nil) {
    let row = makeRow(entity ?? pattern[sharedRows.count % pattern.count], lane: laneCount)
    sharedRows.append(row)
  }
}

// MARK: - Rows

extension GeneratedSource {
  private mutating func insert(_ entity: Int, lane: Int) -> ImportRecord {
    let row = makeRow(entity, lane: lane)
    return upsert(row.entity, number: row.number)
  }

  /// Makes a row. If the entity links to another one that has no live row, a row of that one is made instead.
  private mutating func makeRow(_ entity: Int, lane: Int) -> (entity: Int, number: RowNumber) {
    var parent: RowNumber?
    if let parentEntity = parents[entity] {
      guard hasLive(parentEntity, lane: lane) else { return makeRow(parentEntity, lane: lane) }
      parent = draw(parentEntity, lane: lane)
    }
    let number = table[entity].count
    let key = GeneratedSource.key(schema.entities[entity].name, number: number)
    let values = lanes[lane].values.values(for: schema.entities[entity], key: key)
    table[entity].append(
      Row(key: .string(key), values: values, parent: parent, place: lanes[lane].live[entity].count))
    lanes[lane].live[entity].append(number)
    if let parent, let parentEntity = parents[entity], children[parentEntity] == entity {
      table[parentEntity][parent].children.append(number)
    }
    return (entity, number)
  }

  private mutating func update(_ entity: Int, lane: Int) -> ImportRecord {
    let number = draw(entity, lane: lane)
    table[entity][number].values = lanes[lane].values.changedValues(
      for: schema.entities[entity], from: table[entity][number].values)
    return upsert(entity, number: number)
  }

  private mutating func delete(_ entity: Int, lane: Int) -> ImportRecord {
    let number = draw(entity, lane: lane)
    if let childEntity = children[entity] {
      for child in table[entity][number].children { bury(childEntity, number: child, lane: lane) }
    }
    if let parent = table[entity][number].parent, let parentEntity = parents[entity], children[parentEntity] == entity {
      table[parentEntity][parent].children.removeAll { $0 == number }
    }
    bury(entity, number: number, lane: lane)
    return .deletion(entity: entity, key: table[entity][number].key)
  }

  /// Removes a row from the live rows of its lane, and releases its values.
  private mutating func bury(_ entity: Int, number: RowNumber, lane: Int) {
    let place = table[entity][number].place
    let last = lanes[lane].live[entity].removeLast()
    if last != number {
      lanes[lane].live[entity][place] = last
      table[entity][last].place = place
    }
    table[entity][number].values = []
    table[entity][number].children = []
  }

  private mutating func draw(_ entity: Int, lane: Int) -> RowNumber {
    lanes[lane].live[entity][lanes[lane].choices.below(lanes[lane].live[entity].count)]
  }

  private func upsert(_ entity: Int, number: RowNumber) -> ImportRecord {
    let row = table[entity][number]
    var links: [RecordKey?] = []
    if let parentEntity = parents[entity] {
      links = [row.parent.map { table[parentEntity][$0].key }]
    }
    return ImportRecord(entity: entity, key: row.key, values: row.values, links: links)
  }

  /// Returns a key such as `product-00000042`. Keys have the same length up to 100 million rows, so that they sort by
  /// number.
  private static func key(_ name: String, number: Int) -> String {
    let digits = String(number)
    return name.lowercased() + "-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
