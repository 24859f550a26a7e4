import ContextEngine
import Foundation
import TestSupport

extension HistoryWorld {
  /// Carries a step out in the engine and in the plain model.
  ///
  /// - Returns: a sentence about the step, or nil if it could not be carried out.
  func perform(_ step: HistoryStep) throws -> String? {
    if places.isEmpty { addContext(below: 0) }
    let place = places[step.first % places.count]
    underway = nil
    let done: String? =
      switch step.kind {
      case .insert, .set, .relate, .add, .remove, .arrange, .replaceMembers, .delete, .mark:
        try change(place, step)
      case .save: try save(place)
      case .saveUpwards: try saveUpwards(place)
      case .rollback, .reset: try giveUp(place, step)
      case .refresh, .refreshAll, .fire, .obtainIDs, .process: try look(place, step)
      case .fetch, .count: try ask(place, step)
      case .dictionaries: try askForDictionaries(place, step)
      case .list: try lookAtList(place)
      case .replay: try replay()
      case .pin: try pin(step)
      case .meet: try meet(step)
      case .unite: try unite(step)
      case .batchInsert, .batchUpdate, .batchDelete: try batch(place, step)
      case .undo, .redo: try changeAndUndo(place, step)
      case .addContext: add(step)
      case .dropContext: drop(place)
      }
    return done.map { "\(place.context.name): \($0)" }
  }

  // MARK: Changing

  private func change(_ place: Place, _ step: HistoryStep) throws -> String? {
    let done = try place.context.performAndWait { () throws -> String? in
      let done = try change(once: place, step)
      // Delete rules that are delayed to the end of the event are carried out here.
      if done != nil, step.fourth % 3 > 0 || place.context.propagatesDeletesAtEndOfEvent {
        place.context.processPendingChanges()
      }
      return done
    }
    if done != nil { try refreshBelow(place) }
    return done
  }

  /// Returns the number that a step chooses from the objects of a context that fit, or nil if no object fits.
  private func choose(_ choice: Int, in place: Place, _ fits: (PlainObject) -> Bool = { _ in true }) -> Int? {
    let fitting = place.level.view.filter { fits($0.value) }.keys.sorted()
    return fitting.isEmpty ? nil : fitting[choice % fitting.count]
  }

  func change(once place: Place, _ step: HistoryStep) throws -> String? {
    switch step.kind {
    case .insert, .mark: return insert(place, step)
    case .set: return try set(place, step)
    case .delete: return try delete(place, step)
    default: return try relate(place, step)
    }
  }

  private func insert(_ place: Place, _ step: HistoryStep) -> String? {
    // The number of objects is limited, so that steps often choose the same ones.
    if place.level.view.count > 14 { return nil }
    let entity = Chronicle.model.entities[step.second % Chronicle.model.entities.count]
    lastNumber += 1
    let object = place.context.insert(entity)
    object[Self.numberPath(entity)] = .integer(Int64(lastNumber))
    // Memos with odd numbers go to the second store.
    if let second, entity.name == "Memo", lastNumber % 2 == 1 { place.context.assign(object, to: second) }
    var plain = Self.blank(entity, lastNumber)
    if entity.callbacks.contains(where: { $0.awakeFromInsert != nil }) { plain.data["text"] = .value(Chronicle.born) }
    place.level.insert(lastNumber, plain)
    return "insert \(entity.name) \(lastNumber)"
  }

  static func blank(_ entity: EntityDescription, _ number: Int) -> PlainObject {
    var data: [String: Datum] = [:]
    for attribute in entity.attributes { data[attribute.name] = .value(.null) }
    data["number"] = .value(.integer(Int64(number)))
    for relationship in PlainRelationship.all(of: entity) {
      if relationship.kind == .one { data[relationship.name] = .one(nil) }
      if relationship.kind == .list || relationship.kind == .pairs { data[relationship.name] = .many([]) }
    }
    return PlainObject(entity: entity, data: data)
  }

  private func set(_ place: Place, _ step: HistoryStep) throws -> String? {
    guard let number = choose(step.second, in: place), areLeft([number], by: place),
      let plain = place.level.view[number]
    else { return nil }
    let attributes = plain.entity.attributes.filter { $0.name != "number" }
    let attribute = attributes[step.third % attributes.count]
    let value = Self.value(of: attribute.type, step.fourth)
    try object(number, in: place)[attribute.name] = value
    if plain.data[attribute.name] != .value(value) { place.level.set(number, attribute.name, .value(value)) }
    return "set \(attribute.name) of \(plain.entity.name) \(number) to \(value)"
  }

  /// Returns one of five values, so that objects often have equal ones.
  static func value(of type: AttributeType, _ choice: Int) -> Value {
    let number = choice % 5
    if number == 0 { return .null }
    return switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number - 2))
    case .decimal: .decimal(Decimal(number) / 4)
    case .double: .double(Double(number) / 8)
    case .float: .double(Double(number) / 4)
    case .boolean: .boolean(number > 2)
    case .date: .date(Double(number) * 1_000)
    case .string: .string(String(repeating: "ab", count: number * 9))
    case .binary: .binary(Data(repeating: UInt8(number), count: number * 7))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))))
    case .uri: URL(string: "https://example.com/\(number)").map(Value.uri) ?? .null
    case .transformable: .transformable(TransformableValue(number))
    }
  }

  private func delete(_ place: Place, _ step: HistoryStep) throws -> String? {
    guard let number = choose(step.second, in: place), let plain = place.level.view[number],
      areFree(place.level.reach(ofDeleting: number), for: place)
    else { return nil }
    place.context.delete(try object(number, in: place))
    place.level.delete(number)
    return "delete \(plain.entity.name) \(number)"
  }

  // MARK: Relating

  private func relate(_ place: Place, _ step: HistoryStep) throws -> String? {
    guard let number = choose(step.second, in: place), let plain = place.level.view[number] else { return nil }
    let relationships = PlainRelationship.all(of: plain.entity).filter { fits($0, step.kind) }
    guard !relationships.isEmpty else { return nil }
    let relationship = relationships[step.third % relationships.count]
    let before = place.level.members(number, relationship)
    let target: Int? =
      switch step.kind {
      case .remove: before.isEmpty ? nil : before[step.fourth % before.count]
      default: choose(step.fourth, in: place) { $0.entity.isKind(of: relationship.destination) }
      }
    if target == number { return nil }
    // No relationship leads from one store to another.
    if let target, second != nil, plain.entity.name == "Memo", target % 2 != number % 2 { return nil }
    // The members of the relationship and the objects that lead to the target are changed too.
    var ends = Set(before + [number])
    if let target {
      ends.insert(target)
      if let back = relationship.back { ends.formUnion(place.level.members(target, back)) }
    }
    guard areFree(ends, for: place) else { return nil }
    return try carryOut(place, step, number, relationship, target)
  }

  private func fits(_ relationship: PlainRelationship, _ kind: HistoryStep.Kind) -> Bool {
    if relationship.isHidden { return false }
    return switch kind {
    case .relate: relationship.kind == .one
    case .arrange: relationship.isOrdered
    default: relationship.kind != .one
    }
  }

  private func carryOut(
    _ place: Place, _ step: HistoryStep, _ number: Int, _ relationship: PlainRelationship, _ target: Int?
  ) throws -> String? {
    let object = try object(number, in: place)
    let path = object.entity.path(relationship.name)
    let name = "\(relationship.name) of \(object.entity.name) \(number)"
    let level = place.level
    switch step.kind {
    case .relate:
      let target = step.fourth % 5 == 0 ? nil : target
      object.relate(try target.map { try self.object($0, in: place) }, at: path)
      level.relate(number, relationship, to: target)
      return "relate \(name) to \(target.map(String.init) ?? "nothing")"
    case .add:
      guard let target else { return nil }
      let count = level.members(number, relationship).count
      let index = step.third % (count + 1)
      if relationship.isOrdered, step.third % 2 == 0 {
        object.insert(try self.object(target, in: place), into: path, at: index)
        if !level.members(number, relationship).contains(target) {
          level.add(target, to: number, relationship)
          var order = level.members(number, relationship).filter { $0 != target }
          order.insert(target, at: index)
          level.arrange(number, relationship, order)
        }
        return "insert \(target) into \(name) at \(index)"
      }
      object.add(try self.object(target, in: place), to: path)
      level.add(target, to: number, relationship)
      return "add \(target) to \(name)"
    case .remove:
      guard let target else { return nil }
      object.remove(try self.object(target, in: place), from: path)
      level.remove(target, from: number, relationship)
      return "remove \(target) from \(name)"
    case .arrange:
      var order = level.members(number, relationship)
      guard order.count > 1 else { return nil }
      let from = step.third % order.count
      let to = step.fourth % order.count
      object.moveObjects(of: path, at: [from], to: to)
      order.insert(order.remove(at: from), at: to)
      if from != to { level.arrange(number, relationship, order) }
      return "move \(from) of \(name) to \(to)"
    default:
      return try replaceMembers(of: object, path, place, number, relationship, target)
    }
  }

  private func replaceMembers(
    of object: ManagedObject, _ path: PropertyPath, _ place: Place, _ number: Int, _ relationship: PlainRelationship,
    _ target: Int?
  ) throws -> String? {
    let before = place.level.members(number, relationship)
    // The new members are the last current one and the chosen one.
    var wanted = before.suffix(1).filter { $0 != target }
    if let target { wanted.append(target) }
    object.setRelatedObjects(try wanted.map { try self.object($0, in: place) }, at: path)
    for member in before where !wanted.contains(member) { place.level.remove(member, from: number, relationship) }
    for member in wanted where !before.contains(member) { place.level.add(member, to: number, relationship) }
    if relationship.isOrdered, place.level.members(number, relationship) != wanted {
      place.level.arrange(number, relationship, Array(wanted))
    }
    return "set \(relationship.name) of \(object.entity.name) \(number) to \(Array(wanted))"
  }
}
