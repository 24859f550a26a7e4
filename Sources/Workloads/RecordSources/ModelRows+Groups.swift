extension ModelRows {
  /// Returns the group of the lane's next row.
  ///
  /// - Throws: `WorkloadError` if no rows satisfy the rules of the model.
  func next(lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup {
    let number = lanes[lane].next % entities.count
    lanes[lane].next += 1
    return try group(of: number, lane: lane, isThere)
  }

  func next(of entity: Int, lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup {
    guard let number = entities.firstIndex(where: { $0.index == entity }) else {
      fatalError("no rows are generated for \(schema.entities[entity].name)")
    }
    return try group(of: number, lane: lane, isThere)
  }

  /// Returns a group whose main row is of an entity.
  private func group(
    of number: Int, lane: Int, _ isThere: (Int, RecordKey) -> Bool
  ) throws(WorkloadError) -> RecordGroup {
    var draft = Draft()
    let key = try add(number, lane, Requirement(), isThere, to: &draft)
    let main = draft.records.firstIndex { $0.entity == entities[number].index && $0.key == key } ?? 0
    return RecordGroup(draft.records, main: main)
  }

  /// The records of a group that is not complete.
  private struct Draft {
    static let deepest = 12
    static let largestCount = 10_000

    var records: [ImportRecord] = []
    /// The rows whose records have to wait for their targets, each but the first required by the one before it.
    var openRows: [OpenRow] = []
  }

  private struct OpenRow {
    /// The entity, among `entities`.
    var number: Int
    var row: Row
    /// The relationship of the row before it that will lead to this one.
    var incoming: WorkloadSchema.DeclaredRelationship?
    /// Further targets of relationships, by name.
    var others: [String: [RecordKey]] = [:]
    /// The names of the relationships whose targets have been chosen or are being chosen.
    var begun: Set<String> = []
  }

  /// The relationship for which a new row is added.
  private struct Requirement {
    /// The relationship of the new row that must lead to an earlier row, with the earlier row's key.
    var back: (name: String, key: RecordKey)?
    /// The relationship of an earlier row that will lead to the new row.
    var incoming: WorkloadSchema.DeclaredRelationship?
  }

  /// Adds a new row of an entity, and the rows that it requires, and returns its key.
  private func add(
    _ number: Int, _ lane: Int, _ requirement: Requirement, depth: Int = 0, _ isThere: (Int, RecordKey) -> Bool,
    to draft: inout Draft
  ) throws(WorkloadError) -> RecordKey {
    let entity = entities[number]
    guard depth < Draft.deepest, draft.records.count < Draft.largestCount else {
      throw WorkloadError(
        .damagedFeed,
        "rows of \(schema.entities[entity.index].name) require further rows without end; give a feed with rows that "
          + "satisfy the model", path: schema.model.place)
    }
    let values = try values(of: entity, lane)
    let described = schema.entities[entity.index]
    guard let key = described.key(of: values) else {
      throw WorkloadError(.damagedFeed, "\(described.name) has no key", path: schema.model.place)
    }
    let uses = requirement.incoming.map { [$0: 1] } ?? [:]
    draft.openRows.append(
      OpenRow(number: number, row: Row(key: key, uses: uses), incoming: requirement.incoming))
    func targets(
      of end: End, _ draft: inout Draft
    ) throws(WorkloadError) -> [RecordKey] {
      draft.openRows[draft.openRows.count - 1].begun.insert(end.name)
      let back = requirement.back?.name == end.name ? requirement.back?.key : nil
      if end.limit == 1, let known = back ?? draft.openRows.last?.others[end.name]?.first { return [known] }
      // Rows that need others of their kind leave a place for the last of them, which leads to the first.
      let isCircular = end.limit == 1 && entity.mirrored.contains { $0.isRequired && $0.declared == end.declared }
      if isCircular, !end.isRequired { return [] }
      return try self.targets(
        of: end, lane, depth, isThere, &draft, besides: back, amongEarlierRows: !isCircular)
        + (back.map { [$0] } ?? [])
    }
    var links: [RecordKey?] = []
    for link in entity.links { links.append(try targets(of: link, &draft).first) }
    var lists: [[RecordKey]] = []
    for list in entity.lists { lists.append(try targets(of: list, &draft)) }
    let made = draft.openRows.removeLast()
    for (place, list) in entity.lists.enumerated() {
      for other in made.others[list.name] ?? [] where !lists[place].contains(other) { lists[place].append(other) }
    }
    draft.records.append(ImportRecord(entity: entity.index, key: key, values: values, links: links, lists: lists))
    let place = lanes[lane].rows[number].count
    lanes[lane].rows[number].append(made.row)
    for mirrored in entity.mirrored {
      let uses = lanes[lane].rows[number][place].uses[mirrored.declared, default: 0]
      let count = mirrored.isRequired || uses > 0 || depth == 0 ? mirrored.minCount - uses : 0
      guard count > 0 else { continue }
      // The rows that follow count before they are added, so that no other row takes their place.
      lanes[lane].rows[number][place].uses[mirrored.declared, default: 0] += count
      guard let source = mirrored.sources.first(where: { end(mirrored, of: $0, leadsTo: number) != nil }) else {
        guard mirrored.isRequired else { continue }
        throw WorkloadError(
          .damagedFeed, "\(described.name) requires rows of an entity without a key", path: schema.model.place)
      }
      for _ in 0..<count where depth == 0 || !lead(to: key, of: number, by: mirrored, &draft) {
        _ = try add(
          source, lane, Requirement(back: (mirrored.declared.name, key)), depth: depth + 1, isThere, to: &draft)
      }
    }
    return key
  }

  /// Returns the relationship by which rows of an entity lead to rows of another one, or nil if they cannot.
  private func end(_ mirrored: Mirrored, of source: Int, leadsTo target: Int) -> End? {
    let name = mirrored.declared.name
    let end = entities[source].links.first { $0.name == name } ?? entities[source].lists.first { $0.name == name }
    return end.flatMap { $0.targets.contains(target) ? $0 : nil }
  }

  /// Makes a row of the group lead to another one by a relationship.
  ///
  /// - Returns: False if the group has no row that can have a further target.
  private func lead(to key: RecordKey, of target: Int, by mirrored: Mirrored, _ draft: inout Draft) -> Bool {
    for number in mirrored.sources {
      guard let end = end(mirrored, of: number, leadsTo: target) else { continue }
      let entity = entities[number]
      for place in draft.records.indices
      where draft.records[place].entity == entity.index && draft.records[place].key != key {
        if let link = entity.links.firstIndex(where: { $0.name == end.name }) {
          guard draft.records[place].links[link] == nil else { continue }
          draft.records[place].links[link] = key
          return true
        }
        guard let list = entity.lists.firstIndex(where: { $0.name == end.name }) else { continue }
        let targets = draft.records[place].lists[list]
        guard !targets.contains(key), targets.count < end.limit ?? .max, targets.count + 1 >= end.minCount else {
          continue
        }
        draft.records[place].lists[list].append(key)
        return true
      }
      for place in draft.openRows.indices where draft.openRows[place].number == number {
        let row = draft.openRows[place]
        let others = row.others[end.name, default: []]
        let hasRoom = row.begun.contains(end.name) ? end.limit == nil : others.count < end.limit ?? .max
        // The last open row may lead to the new row already.
        guard hasRoom, end.isRequired || end.minCount <= 1, !others.contains(key),
          place < draft.openRows.count - 1 || !row.begun.contains(end.name)
        else { continue }
        draft.openRows[place].others[end.name, default: []].append(key)
        return true
      }
    }
    return false
  }
}

// MARK: - Targets

extension ModelRows {
  /// Returns the targets of a relationship of the last open row: earlier rows of the lane, or new ones if the
  /// relationship requires more.
  ///
  /// `other` is the key of a further target, which the result does not contain. If `amongEarlierRows` is false, targets
  /// belong to the group.
  private func targets(
    of end: End, _ lane: Int, _ depth: Int, _ isThere: (Int, RecordKey) -> Bool, _ draft: inout Draft,
    besides other: RecordKey?, amongEarlierRows: Bool
  ) throws(WorkloadError) -> [RecordKey] {
    guard !end.targets.isEmpty else {
      guard end.isRequired else { return [] }
      throw WorkloadError(
        .damagedFeed,
        "\(schema.entities[end.declared.entity].name).\(end.name) requires rows that have another key; give a feed with "
          + "rows that satisfy the model", path: schema.model.place)
    }
    let owner = draft.openRows.count - 1
    /// Returns the targets that the row has already.
    func others(_ draft: Draft) -> [RecordKey] {
      draft.openRows[owner].others[end.name, default: []] + [other].compactMap(\.self)
    }
    /// Counts a target of a relationship that is its own inverse, which leads back to the row.
    func countBack(_ draft: inout Draft) {
      if end.isSymmetric { draft.openRows[owner].row.uses[end.declared, default: 0] += 1 }
    }
    var keys: [RecordKey] = []
    func otherCount(_ draft: Draft) -> Int {
      others(draft).count
        + (end.isSymmetric ? draft.openRows[owner].row.uses[end.declared, default: 0] - keys.count : 0)
    }
    let maxCount = end.maxCount - otherCount(draft)
    guard maxCount > 0 else { return [] }
    var wanted = lanes[lane].random.below(4) == 0 ? 0 : 1 + lanes[lane].random.below(maxCount)
    let isRequired = end.isRequired || otherCount(draft) > 0
    if isRequired || wanted > 0 { wanted = max(wanted, end.minCount - otherCount(draft)) }
    var chosen: [(number: Int, place: Int)] = []
    for _ in 0..<2 * wanted where keys.count < wanted && amongEarlierRows {
      let number = end.targets[lanes[lane].random.below(end.targets.count)]
      let count = lanes[lane].rows[number].count
      guard count > 0 else { continue }
      let place = lanes[lane].random.below(count)
      let key = lanes[lane].rows[number][place].key
      guard !keys.contains(key), !others(draft).contains(key), isThere(entities[number].index, key),
        use(number, place, by: end, lane, of: owner, draft)
      else { continue }
      keys.append(key)
      countBack(&draft)
      chosen.append((number, place))
    }
    if isRequired {
      while keys.count < end.minCount - otherCount(draft) {
        let known = depth > 0 ? knownTarget(of: end, lane, besides: keys + others(draft), &draft) : nil
        countBack(&draft)
        if let known {
          keys.append(known)
        } else {
          let incoming = Requirement(incoming: end.declared)
          keys.append(try add(end.targets[0], lane, incoming, depth: depth + 1, isThere, to: &draft))
        }
      }
    } else if keys.count < end.minCount - otherCount(draft) {
      if end.countsUses {
        for (number, place) in chosen { lanes[lane].rows[number][place].uses[end.declared, default: 0] -= 1 }
      }
      return []
    }
    return keys
  }

  /// Counts an earlier row of the lane as a target of the open row `owner`.
  ///
  /// - Returns: False if the row cannot be such a target.
  private func use(_ number: Int, _ place: Int, by end: End, _ lane: Int, of owner: Int, _ draft: Draft) -> Bool {
    let row = lanes[lane].rows[number][place]
    if end.targetNeedsSeveral { return false }
    guard end.countsUses else { return true }
    if let limit = end.targetLimit, row.uses[end.declared, default: 0] >= limit { return false }
    if end.isSymmetric, leads(row.key, to: draft.openRows[owner].row.key, by: end.name, draft) { return false }
    lanes[lane].rows[number][place].uses[end.declared, default: 0] += 1
    return true
  }

  /// Returns true if the record of a row in the group names another row in a relationship.
  private func leads(_ key: RecordKey, to other: RecordKey, by name: String, _ draft: Draft) -> Bool {
    draft.records.contains { record in
      guard record.key == key else { return false }
      return zip(schema.entities[record.entity].relationships, record.targets).contains {
        $0.name == name && $1.contains(other)
      }
    }
  }

  /// Returns a further target of the last open row: another open row, or a row of the group. The result is nil without
  /// such a row. With new targets only, rows that require each other would have no end.
  private func knownTarget(
    of end: End, _ lane: Int, besides keys: [RecordKey], _ draft: inout Draft
  ) -> RecordKey? {
    let owner = draft.openRows.count - 1
    for place in draft.openRows.indices.dropLast() {
      let row = draft.openRows[place].row
      let isRequiring = place == owner - 1 && end.isSymmetric && draft.openRows[owner].incoming == end.declared
      guard end.targets.contains(draft.openRows[place].number), !keys.contains(row.key), !isRequiring,
        row.uses[end.declared, default: 0] < end.targetLimit ?? .max
      else { continue }
      draft.openRows[place].row.uses[end.declared, default: 0] += 1
      return row.key
    }
    for record in draft.records {
      guard let number = end.targets.first(where: { entities[$0].index == record.entity }), !keys.contains(record.key),
        let place = lanes[lane].rows[number].lastIndex(where: { $0.key == record.key }),
        use(number, place, by: end, lane, of: owner, draft)
      else { continue }
      return record.key
    }
    return nil
  }
}
