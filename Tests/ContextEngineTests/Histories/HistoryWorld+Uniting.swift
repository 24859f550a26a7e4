import ContextEngine
import TestSupport

/// Objects with equal values under a uniqueness constraint, in a separate context that saves with a merge policy. All
/// places merge the save.
///
/// A new object carries the number of the row that it conflicts with, so that the plain model finds the remaining
/// object by its number.
extension HistoryWorld {
  /// The way in which two objects get equal values.
  private enum Meeting: Int, CaseIterable {
    /// A new object has the code of a row.
    case newWithRow
    /// Two new objects have one code, which no row has.
    case newWithNew
    /// A changed object takes the code of a row.
    case changedWithRow
    /// Two changed objects exchange their codes.
    case exchange
    /// A batch insert brings the code of a row.
    case batchWithRow
  }

  func unite(_ step: HistoryStep) throws -> String? {
    let policy = MergePolicy.allCases[step.third % MergePolicy.allCases.count]
    let text = Self.value(of: .string, step.fourth >> 3)
    let free = storeLevel.objects.filter { number, object in
      object.entity.name == "Tag" && places.allSatisfy { $0.level.changes[number] == nil }
    }.keys.sorted()
    let coded = free.filter { code(of: $0) != .value(.null) }
    let context = ManagedObjectContext(.privateQueue, coordinator: stack.coordinator, name: "uniting")
    context.mergePolicy = policy
    let place = Place(context: context, level: PlainLevel(above: storeLevel))
    switch Meeting.allCases[step.fourth % Meeting.allCases.count] {
    case .newWithRow:
      guard !coded.isEmpty else { return nil }
      let row = coded[step.second % coded.count]
      let friend = friend(step)
      let others = friend.map { "\($0.relationship) \($0.number)" } ?? "alone"
      underway = "a new tag meets \(row) by \(policy.rawValue), with \(text), \(others)"
      try meetRow(row, text, friend: friend, place, holdsRow: step.first % 2 == 0)
    case .newWithNew:
      guard let code = unusedCode(step) else { return nil }
      lastNumber += 1
      underway = "two new tags \(lastNumber) with code \(code) meet by \(policy.rawValue), the second with \(text)"
      try meetNew(lastNumber, code, text, place)
    case .changedWithRow:
      guard !coded.isEmpty, free.count > 1 else { return nil }
      let row = coded[step.second % coded.count]
      let others = free.filter { $0 != row }
      let other = others[step.first % others.count]
      underway = "tag \(other) takes the code of \(row) by \(policy.rawValue), with \(text)"
      try take(codeOf: row, other, text, place)
    case .exchange:
      guard coded.count > 1 else { return nil }
      let first = step.second % coded.count
      let (one, other) = (coded[first], coded[(first + 1) % coded.count])
      underway = "tags \(one) and \(other) exchange their codes by \(policy.rawValue)"
      try exchange(one, other, place)
    case .batchWithRow:
      guard stack.hasSQL, !coded.isEmpty else { return nil }
      let row = coded[step.second % coded.count]
      underway = "a batch insert meets tag \(row) by \(policy.rawValue), with \(text)"
      try meetRow(row, byBatch: text, place)
    }
    return underway
  }

  private func code(of number: Int) -> Datum { storeLevel.objects[number]?.data["code"] ?? .value(.null) }

  /// An object that a new tag is related to, and the tag's relationship that leads to it.
  private typealias Friend = (number: Int, relationship: String)

  /// Returns a person or a song that no context has changed, or nil for a tag without relationships.
  private func friend(_ step: HistoryStep) -> Friend? {
    let (entity, relationship) = step.first / 3 % 2 == 0 ? ("Person", "people") : ("Song", "songs")
    let friends = storeLevel.objects.filter { number, object in
      object.entity.isKind(of: Chronicle.model.entity(entity)) && places.allSatisfy { $0.level.changes[number] == nil }
    }.keys.sorted()
    return friends.isEmpty || step.first % 3 == 0 ? nil : (friends[step.first / 6 % friends.count], relationship)
  }

  private func unusedCode(_ step: HistoryStep) -> Value? {
    let used = storeLevel.objects.values.filter { $0.entity.name == "Tag" }.compactMap { $0.data["code"] }
    return (0..<5).lazy.map { Self.value(of: .integer16, step.second + $0) }
      .first { !$0.isNull && !used.contains(.value($0)) }
  }

  // MARK: Meetings

  private func meetRow(_ row: Int, _ text: Value, friend: Friend?, _ place: Place, holdsRow: Bool) throws {
    guard case .value(let code) = code(of: row) else { return }
    let context = place.context
    let held = try context.performAndWait { () throws -> ManagedObject? in
      let held = holdsRow ? try object(row, in: place) : nil
      _ = held?["text"]
      let tag = insertTag(row, code, text, context)
      if let friend { tag.add(try object(friend.number, in: place), to: tag.entity.path(friend.relationship)) }
      return held
    }
    let level = PlainLevel(above: storeLevel)
    if context.mergePolicy == .overwrite || context.mergePolicy == .objectTrump && !text.isNull {
      level.set(row, "text", .value(text))
    }
    if let friend {
      level.add(friend.number, to: row, relationship(friend.relationship, of: row, in: storeLevel))
    }
    try settle(place, level, fails: context.mergePolicy == .error)
    withExtendedLifetime(held) {}
  }

  private func meetNew(_ number: Int, _ code: Value, _ text: Value, _ place: Place) throws {
    let context = place.context
    context.performAndWait {
      insertTag(number, code, "first", context)
      insertTag(number, code, text, context)
    }
    var tag = Self.blank(Chronicle.model.entity("Tag"), number)
    tag.data["code"] = .value(code)
    let takesSecond = context.mergePolicy == .overwrite || context.mergePolicy == .objectTrump && !text.isNull
    tag.data["text"] = .value(takesSecond ? text : "first")
    let level = PlainLevel(above: storeLevel)
    level.insert(number, tag)
    try settle(place, level, fails: context.mergePolicy == .error)
  }

  private func take(codeOf row: Int, _ other: Int, _ text: Value, _ place: Place) throws {
    guard case .value(let code) = code(of: row) else { return }
    try place.context.performAndWait {
      let tag = try object(other, in: place)
      tag["code"] = code
      tag["text"] = text
    }
    let level = PlainLevel(above: storeLevel)
    if place.context.mergePolicy == .storeTrump { level.set(other, "text", .value(text)) }
    // Neither row can become part of the other.
    let fails = place.context.mergePolicy != .storeTrump && place.context.mergePolicy != .rollback
    try settle(place, level, fails: fails)
  }

  private func exchange(_ one: Int, _ other: Int, _ place: Place) throws {
    let level = PlainLevel(above: storeLevel)
    try place.context.performAndWait {
      let tags = try [one, other].map { try object($0, in: place) }
      let codes = tags.map { $0["code"] }
      for (tag, code) in zip(tags, codes.reversed()) { tag["code"] = code }
    }
    level.set(one, "code", code(of: other))
    level.set(other, "code", code(of: one))
    try settle(place, level, fails: false)
  }

  private func meetRow(_ row: Int, byBatch text: Value, _ place: Place) throws {
    guard case .value(let code) = code(of: row) else { return }
    var request = BatchInsertRequest(
      Chronicle.model.entity("Tag"), objects: [["number": .integer(Int64(row)), "code": code, "text": text]])
    request.resultType = .objectIDs
    let updates = place.context.mergePolicy == .objectTrump || place.context.mergePolicy == .overwrite
    let objectIDs = try place.context.performAndWait { try place.context.execute(request).objectIDs }
    if objectIDs.count != (updates ? 1 : 0) {
      throw HistoryFailure(sentence: "a batch insert writes \(objectIDs.count) rows over \(row)")
    }
    if updates { storeLevel.objects[row]?.data["text"] = .value(text) }
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: objectIDs], into: places.map(\.context))
  }

  @discardableResult
  private func insertTag(_ number: Int, _ code: Value, _ text: Value, _ context: ManagedObjectContext) -> ManagedObject
  {
    let tag = context.insert(Chronicle.model.entity("Tag"))
    tag["number"] = .integer(Int64(number))
    tag["code"] = code
    if !text.isNull { tag["text"] = text }
    return tag
  }

  /// Saves and writes the level's changes into the plain store, or expects that the save fails.
  private func settle(_ place: Place, _ level: PlainLevel, fails: Bool) throws {
    do {
      _ = try saveAndShow(place)
    } catch let error as PersistenceError where error.code == .managedObjectConstraintMerge && fails {
      return
    }
    if fails { throw HistoryFailure(sentence: "a save does not see that two objects have one code") }
    level.save()
    settle()
    try compare(place)
  }
}
