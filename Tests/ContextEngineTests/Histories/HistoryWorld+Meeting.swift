import ContextEngine
import TestSupport

/// Two contexts change the same person and its relationships independently.
extension HistoryWorld {
  /// A change that one of the two contexts makes.
  private enum Deed {
    case set(String, Value)
    case move(house: Int?)
    /// Adds the pair if it does not exist, and removes it otherwise.
    case toggle(String, Int)
  }

  /// Both contexts change the person. The first one saves, then the second one with a merge policy, and all places
  /// merge both saves.
  func meet(_ step: HistoryStep) throws -> String? {
    let people = numbers(of: "Person")
    guard !people.isEmpty else { return nil }
    let number = people[step.second % people.count]
    let policy = MergePolicy.allCases[step.third % MergePolicy.allCases.count]
    let first = deeds(step.fourth, number)
    let other = deeds(step.first, number)
    let level = PlainLevel(above: storeLevel)
    // The changes of the second context are based on the current contents of the store.
    let base = PlainLevel(above: nil)
    base.objects = storeLevel.objects
    let otherLevel = PlainLevel(above: base)
    for deed in first { carryOut(deed, number, level) }
    for deed in other { carryOut(deed, number, otherLevel) }
    let touched = Set(level.changes.keys).union(otherLevel.changes.keys)
    guard !level.changes.isEmpty, !otherLevel.changes.isEmpty,
      places.allSatisfy({ place in touched.allSatisfy { place.level.changes[$0] == nil } })
    else { return nil }
    let sentence = "meet at \(number), \(policy.rawValue): \(first), then \(other)"
    underway = sentence
    try meet(number, (first, level), (other, otherLevel), policy)
    return sentence
  }

  private func numbers(of entity: String) -> [Int] {
    storeLevel.objects.filter { $0.value.entity.isKind(of: Chronicle.model.entity(entity)) }.keys.sorted()
  }

  private func deeds(_ choice: Int, _ number: Int) -> [Deed] {
    var deeds: [Deed] = []
    if choice % 2 == 0 { deeds.append(.set("large", Self.value(of: .integer64, choice >> 1))) }
    if choice >> 1 % 3 == 0 { deeds.append(.set("text", Self.value(of: .string, choice >> 2))) }
    let houses = numbers(of: "House")
    if choice >> 2 % 2 == 0 { deeds.append(.move(house: houses.isEmpty ? nil : houses[(choice >> 3) % houses.count])) }
    let tags = numbers(of: "Tag")
    if choice >> 3 % 2 == 0, !tags.isEmpty { deeds.append(.toggle("tags", tags[(choice >> 4) % tags.count])) }
    let friends = numbers(of: "Person").filter { $0 != number }
    if choice >> 4 % 3 == 0, !friends.isEmpty {
      deeds.append(.toggle("friends", friends[(choice >> 5) % friends.count]))
    }
    return deeds
  }

  func relationship(_ name: String, of number: Int, in level: PlainLevel) -> PlainRelationship {
    guard let entity = level.view[number]?.entity,
      let relationship = PlainRelationship.all(of: entity).first(where: { $0.name == name })
    else { preconditionFailure("\(number) has no relationship \(name)") }
    return relationship
  }

  /// Makes a change in a plain level.
  private func carryOut(_ deed: Deed, _ number: Int, _ level: PlainLevel) {
    switch deed {
    case .set(let name, let value):
      if level.datum(number, name) != .value(value) { level.set(number, name, .value(value)) }
    case .move(let house): level.relate(number, relationship("house", of: number, in: level), to: house)
    case .toggle(let name, let member):
      let relationship = relationship(name, of: number, in: level)
      if level.members(number, relationship).contains(member) {
        level.remove(member, from: number, relationship)
      } else {
        level.add(member, to: number, relationship)
      }
    }
  }

  private func carryOut(_ deeds: [Deed], _ number: Int, in place: Place) throws {
    let object = try object(number, in: place)
    for deed in deeds {
      switch deed {
      case .set(let name, let value): object[name] = value
      case .move(let house):
        object.relate(try house.map { try self.object($0, in: place) }, at: object.entity.path("house"))
      case .toggle(let name, let member):
        let isMember = place.level.members(number, relationship(name, of: number, in: place.level)).contains(member)
        let path = object.entity.path(name)
        let target = try self.object(member, in: place)
        if isMember { object.remove(target, from: path) } else { object.add(target, to: path) }
      }
    }
  }

  private typealias Part = (deeds: [Deed], level: PlainLevel)

  private func meet(_ number: Int, _ first: Part, _ other: Part, _ policy: MergePolicy) throws {
    let places = ["first", "other"].map { name in
      let context = ManagedObjectContext(.privateQueue, coordinator: stack.coordinator, name: name)
      // The level is the state in which the context finds its objects before it changes them.
      return Place(context: context, level: PlainLevel(above: storeLevel))
    }
    places[1].context.mergePolicy = policy
    for (place, part) in zip(places, [first, other]) {
      try place.context.performAndWait { try carryOut(part.deeds, number, in: place) }
    }
    let firstChange = first.level.changes[number]
    var saves = try saveAndShow(places[0])
    first.level.save()
    do {
      saves += try saveAndShow(places[1])
    } catch let error as PersistenceError where error.code == .managedObjectMerge && policy == .error {
      return
    }
    if policy == .error { throw HistoryFailure(sentence: "a save does not see the conflict at \(number)") }
    take(other, number, policy, over: firstChange)
    for (place, save) in zip(places, saves.reversed()) {
      place.context.performAndWait { place.context.mergeChanges(fromContextDidSave: save) }
      try compare(place)
    }
  }

  /// Saves a context that is not one of the places, and has all places merge the save.
  func saveAndShow(_ place: Place) throws -> [SaveNotification] {
    let journal = Journal<SaveNotification>()
    let token = place.context.observeDidSave { journal.write($0) }
    defer { token.cancel() }
    try place.context.performAndWait { try place.context.save() }
    for save in journal.entries { try distribute(save, from: place) }
    return journal.entries
  }

  /// Writes the values of the second save that replace those of the first one into the plain store. Every conflict is
  /// at the person, which both contexts have changed.
  private func take(_ other: Part, _ number: Int, _ policy: MergePolicy, over first: PlainChange?) {
    guard policy != .rollback, case .updated(let firstData) = first,
      case .updated(let otherData) = other.level.changes[number]
    else { return }
    let result = PlainLevel(above: storeLevel)
    for name in ["large", "text", "house"] {
      let datum: Datum? =
        switch policy {
        case .overwrite: other.level.datum(number, name)
        case .storeTrump where firstData[name] != nil: nil
        default: otherData[name]
        }
      if let datum { result.set(number, name, datum) }
    }
    for case .toggle(let name, let member) in other.deeds {
      let relationship = relationship(name, of: number, in: storeLevel)
      // A member that both contexts have added or removed is added or removed once.
      if other.level.members(number, relationship).contains(member) {
        result.add(member, to: number, relationship)
      } else {
        result.remove(member, from: number, relationship)
      }
    }
    result.save()
  }
}
