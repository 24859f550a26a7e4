import MachineCore

/// Generates the records of `catalog`, `catalog-reorder` and `flat` from a seed.
///
/// The catalog's entities follow a pattern: among 50 successive records of a lane, 1 is of a supplier, 24 are of
/// products and 25 of prices, whether they insert, update or delete. Each payload keeps the shares of `mix` to within
/// one record, and the next payload makes up for the rounding. An update or a deletion draws evenly among the lane's
/// live rows of the entity that the pattern gives. If the pattern and the mix cannot both be kept, these rules apply:
/// - If there is no live row to update or delete, a record trades places with the payload's next insert.
/// - If there is no such insert, it updates or deletes a row of another entity, and the pattern is not kept.
/// - If there is no live row that it may delete, it updates one. If there is no live row at all, it inserts one. The
///   mix is then not kept.
/// - A supplier is never deleted. If a payload has more deletions than products and prices, the surplus deletions
///   delete products or prices too.
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
  private let existingRows: Int
  /// The entities of successive records. The pattern is repeated.
  private let pattern: [Int]
  private let deletable: [Int]
  /// The entity that the only link of each entity leads to. `children` has the entity whose rows are deleted with it.
  private let parents: [Int?]
  private let children: [Int?]
  private var table: [[Row]]
  private var lanes: [Lane]
  private var existingCount = 0

  init(options: WorkloadOptions, rows: Int) {
    let isCatalog = options.workload != .flat
    schema = isCatalog ? .catalog : .flat
    self.rows = rows
    mix = options.mix
    existingRows = options.existingRows
    pattern = isCatalog ? [0] + (0..<24).flatMap { _ in [1, 2] } + [2] : [0]
    deletable = isCatalog ? [1, 2] : [0]
    parents = isCatalog ? [nil, 0, 1] : [nil]
    children = isCatalog ? [nil, 2, nil] : [nil]
    let entityCount = schema.entities.count
    table = Array(repeating: [], count: entityCount)
    lanes = (0..<options.lanes).map { lane in
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
    for _ in 0..<min(count, existingRows - existingCount) {
      let lane = existingCount % lanes.count
      let record = insert(pattern[lanes[lane].existingCount % pattern.count], lane)
      append(record, to: &piece)
      lanes[lane].existingCount += 1
      existingCount += 1
    }
    piece.close()
    return piece
  }

  mutating func nextPayload(count: Int, lane: Int) -> Piece {
    let entities = (0..<count).map { pattern[(lanes[lane].recordCount + $0) % pattern.count] }
    lanes[lane].recordCount += count
    var actions = shuffledActions(for: entities, lane)
    var nextInsert = 0
    var piece = Piece()
    for place in 0..<count {
      if actions[place] != .insert, !canServe(actions[place], entities[place], lane) {
        nextInsert = max(nextInsert, place + 1)
        while nextInsert < count, actions[nextInsert] != .insert { nextInsert += 1 }
        if nextInsert < count { actions.swapAt(place, nextInsert) }
      }
      // A separate statement is needed: as an argument, the call would run while a copy of `self` is held, and would
      // copy all rows.
      let record = record(actions[place], entities[place], lane)
      append(record, to: &piece)
    }
    piece.close()
    return piece
  }

  private func append(_ record: ImportRecord, to piece: inout Piece) {
    piece.append(record) { $0.append($1, of: schema) }
  }
}

// MARK: - Actions of a payload's records

extension GeneratedSource {
  /// Returns the actions that the mix gives, in a random order in which no supplier is deleted if that is possible.
  private mutating func shuffledActions(for entities: [Int], _ lane: Int) -> [Action] {
    var actions = actions(count: entities.count, lane)
    for place in stride(from: actions.count - 1, to: 0, by: -1) {
      actions.swapAt(place, lanes[lane].choices.below(place + 1))
    }
    let others = entities.indices.filter { deletable.contains(entities[$0]) && actions[$0] != .delete }
    var spare = others[...]
    for place in entities.indices where actions[place] == .delete && !deletable.contains(entities[place]) {
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

  private func canServe(_ action: Action, _ entity: Int, _ lane: Int) -> Bool {
    switch action {
    case .insert: true
    case .update: hasLive(entity, lane)
    case .delete: deletable.contains(entity) ? hasLive(entity, lane) : deletable.contains { hasLive($0, lane) }
    }
  }

  private func hasLive(_ entity: Int, _ lane: Int) -> Bool {
    !lanes[lane].live[entity].isEmpty
  }

  private mutating func record(_ action: Action, _ entity: Int, _ lane: Int) -> ImportRecord {
    switch action {
    case .insert:
      return insert(entity, lane)
    case .delete:
      let order = [entity] + deletable
      if let chosen = order.first(where: { deletable.contains($0) && hasLive($0, lane) }) {
        return delete(chosen, lane)
      }
      return record(.update, entity, lane)
    case .update:
      let order = [entity] + schema.entities.indices.reversed()
      if let chosen = order.first(where: { hasLive($0, lane) }) {
        return update(chosen, lane)
      }
      return insert(entity, lane)
    }
  }
}

// MARK: - Rows

extension GeneratedSource {
  /// Inserts a row. If the entity links to another one that has no live row, a row of that one is inserted instead.
  private mutating func insert(_ entity: Int, _ lane: Int) -> ImportRecord {
    var parent: RowNumber?
    if let parentEntity = parents[entity] {
      guard hasLive(parentEntity, lane) else { return insert(parentEntity, lane) }
      parent = draw(parentEntity, lane)
    }
    let number = table[entity].count
    let key = GeneratedSource.key(schema.entities[entity].name, number)
    let values = lanes[lane].values.values(for: schema.entities[entity], key: key)
    table[entity].append(
      Row(key: .string(key), values: values, parent: parent, place: lanes[lane].live[entity].count))
    lanes[lane].live[entity].append(number)
    if let parent, let parentEntity = parents[entity], children[parentEntity] == entity {
      table[parentEntity][parent].children.append(number)
    }
    return upsert(entity, number)
  }

  private mutating func update(_ entity: Int, _ lane: Int) -> ImportRecord {
    let number = draw(entity, lane)
    table[entity][number].values = lanes[lane].values.changedValues(
      for: schema.entities[entity], from: table[entity][number].values)
    return upsert(entity, number)
  }

  private mutating func delete(_ entity: Int, _ lane: Int) -> ImportRecord {
    let number = draw(entity, lane)
    if let childEntity = children[entity] {
      for child in table[entity][number].children { bury(childEntity, child, lane) }
    }
    if let parent = table[entity][number].parent, let parentEntity = parents[entity], children[parentEntity] == entity {
      table[parentEntity][parent].children.removeAll { $0 == number }
    }
    bury(entity, number, lane)
    return .deletion(entity: entity, key: table[entity][number].key)
  }

  /// Removes a row from the live rows of its lane, and releases its values.
  private mutating func bury(_ entity: Int, _ number: RowNumber, _ lane: Int) {
    let place = table[entity][number].place
    let last = lanes[lane].live[entity].removeLast()
    if last != number {
      lanes[lane].live[entity][place] = last
      table[entity][last].place = place
    }
    table[entity][number].values = []
    table[entity][number].children = []
  }

  private mutating func draw(_ entity: Int, _ lane: Int) -> RowNumber {
    lanes[lane].live[entity][lanes[lane].choices.below(lanes[lane].live[entity].count)]
  }

  private func upsert(_ entity: Int, _ number: RowNumber) -> ImportRecord {
    let row = table[entity][number]
    var links: [RecordKey?] = []
    if let parentEntity = parents[entity] {
      links = [row.parent.map { table[parentEntity][$0].key }]
    }
    return ImportRecord(entity: entity, key: row.key, values: row.values, links: links)
  }

  /// Returns a key such as `product-00000042`. Keys have the same length up to 100 million rows, so that they sort by
  /// number.
  private static func key(_ name: String, _ number: Int) -> String {
    let digits = String(number)
    return name.lowercased() + "-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
