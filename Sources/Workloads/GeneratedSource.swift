import MachineCore

/// Generates the records of `catalog`, `catalog-reorder` and `flat` from a seed.
///
/// Of 50 records of a lane in a row, whatever they do, 1 is of a supplier, 24 of products, 25 of prices; `mix` holds in
/// each payload to within one record, and what one payload rounds off the next makes up for. An update or a deletion
/// draws evenly among the lane's live rows of the entity whose turn it is. Where both cannot hold:
/// - with nothing live to update or delete, a record trades places with the payload's next insert;
/// - without such an insert, it updates or deletes a row of another entity, and the shares of entities give way;
/// - with nothing live that it might delete, it updates; with nothing live at all, it inserts, and the mix gives way;
/// - a supplier is never deleted: where a payload has more deletions than products and prices, they delete those.
struct GeneratedSource: RecordSource {
  private enum Action {
    case insert
    case update
    case delete
  }

  /// A row's place among others of its entity.
  private typealias RowNumber = Int

  private struct Row {
    var key: RecordKey
    var values: [FieldValue]
    var parent: RowNumber?
    var children: [RowNumber] = []
    /// Its place among the lane's live rows.
    var place: Int
  }

  private struct Lane {
    var choices: SeededRandom
    var values: RecordValues
    /// The live rows, for each entity.
    var live: [[RowNumber]]
    /// How many records the pattern has given out.
    var existingCount = 0
    var recordCount = 0
    /// What `mix` still owes, in hundredths of a record.
    var owed = (inserts: 0, updates: 0, deletes: 0)
  }

  let schema: WorkloadSchema
  let rows: Int
  private let mix: Mix
  private let existingRows: Int
  /// The entities of records in a row, over and over.
  private let pattern: [Int]
  private let deletable: [Int]
  /// The entity that each entity's one link leads to, and the one whose rows go with it.
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
      // In a statement of its own: as an argument it would run while a copy of `self` is held, and copy all rows.
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

// MARK: - What a payload's records do

extension GeneratedSource {
  /// As many of each action as the mix says, in a drawn order in which no supplier is deleted if that can be.
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

  /// As many of each action as the mix says, with what was rounded off before; each record goes to the most owed.
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
  /// Inserts a row; of the entity that it would link to, if no row of that is live.
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

  /// Takes a row from the live ones.
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

  /// A key such as `product-00000042`: of one length up to 100 million rows, so that keys sort by number.
  private static func key(_ name: String, _ number: Int) -> String {
    let digits = String(number)
    return name.lowercased() + "-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
