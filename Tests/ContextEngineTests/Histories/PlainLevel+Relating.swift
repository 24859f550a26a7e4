import ContextEngine
import TestSupport

/// A relationship by name, with the kind of its other end.
struct PlainRelationship {
  enum Kind {
    case one
    /// An unordered to-many relationship whose inverse is to-one; only the inverse is stored.
    case keys
    /// An ordered to-many relationship whose inverse is to-one.
    case list
    /// A relationship that is to-many at both ends.
    case pairs
  }

  let name: String
  let kind: Kind
  let isOrdered: Bool
  let destination: EntityDescription
  /// The name of the inverse relationship, or nil if it does not exist.
  let inverse: String?
  let rule: DeleteRule
  /// A Boolean value that is true if the model does not declare the relationship, which is the inverse of a to-many
  /// relationship without a declared inverse.
  var isHidden = false

  static func all(of entity: EntityDescription) -> [PlainRelationship] { declared(of: entity) + hidden(of: entity) }

  /// Returns a name that begins with a character which no declared property has.
  private static func hiddenName(_ relationship: RelationshipDescription) -> String { "~\(relationship.name)" }

  private static func hidden(of entity: EntityDescription) -> [PlainRelationship] {
    Chronicle.model.entities.flatMap { owner in
      owner.relationships.filter {
        $0.isToMany && $0.inverse == nil && entity.isKind(of: Chronicle.model.entity($0.destination))
          && (owner.superentity?.relationshipsByName[$0.name] == nil)
      }.map { relationship in
        PlainRelationship(
          name: hiddenName(relationship), kind: .one, isOrdered: false, destination: owner, inverse: relationship.name,
          rule: .nullify, isHidden: true)
      }
    }
  }

  private static func declared(of entity: EntityDescription) -> [PlainRelationship] {
    entity.relationships.map { relationship in
      let destination = Chronicle.model.entity(relationship.destination)
      let inverse = relationship.inverse.flatMap { destination.relationshipsByName[$0] }
      let kind: Kind =
        if !relationship.isToMany { .one } else if inverse?.isToMany == true { .pairs } else if relationship.isOrdered {
          .list
        } else {
          .keys
        }
      return PlainRelationship(
        name: relationship.name, kind: kind, isOrdered: relationship.isOrdered, destination: destination,
        inverse: relationship.inverse ?? (relationship.isToMany ? hiddenName(relationship) : nil),
        rule: relationship.deleteRule)
    }
  }

  /// The inverse relationship, or nil if it does not exist.
  var back: PlainRelationship? { inverse.flatMap { name in Self.all(of: destination).first { $0.name == name } } }
}

extension PlainLevel {
  func datum(_ number: Int, _ property: String) -> Datum? { view[number]?.data[property] }

  /// Returns the numbers of the objects that a relationship leads to.
  func members(_ number: Int, _ relationship: PlainRelationship) -> [Int] {
    guard relationship.kind == .keys else { return datum(number, relationship.name)?.members ?? [] }
    return view.filter { $0.value.data[relationship.inverse ?? ""] == .one(number) }.keys.sorted()
  }

  private func leave(_ number: Int, _ relationship: PlainRelationship?, _ member: Int) {
    guard let relationship else { return }
    // The delete rule no action leaves keys that refer to a deleted object.
    if view[number] == nil { return }
    switch relationship.kind {
    case .one: set(number, relationship.name, .one(nil))
    case .keys: touch(number)
    case .list, .pairs:
      set(number, relationship.name, .many(members(number, relationship).filter { $0 != member }))
    }
  }

  private func enter(_ number: Int, _ relationship: PlainRelationship, _ member: Int) {
    switch relationship.kind {
    case .one: set(number, relationship.name, .one(member))
    case .keys: touch(number)
    case .list, .pairs: set(number, relationship.name, .many(members(number, relationship) + [member]))
    }
  }

  /// Sets a to-one relationship and the inverse relationships that it affects.
  func relate(_ number: Int, _ relationship: PlainRelationship, to target: Int?) {
    let back = relationship.back
    let old = members(number, relationship).first
    if old == target { return }
    if let old { leave(old, back, number) }
    if let target, let back, back.kind == .one, let previous = members(target, back).first {
      leave(previous, relationship, target)
    }
    set(number, relationship.name, .one(target))
    if let target, let back { enter(target, back, number) }
  }

  func add(_ member: Int, to number: Int, _ relationship: PlainRelationship) {
    guard let back = relationship.back else { return }
    guard relationship.kind == .pairs else { return relate(member, back, to: number) }
    if members(number, relationship).contains(member) {
      // A context that has not read the relationship cannot compare, so it counts both objects as changed.
      touch(number)
      touch(member)
      return
    }
    enter(number, relationship, member)
    if !members(member, back).contains(number) { enter(member, back, number) }
  }

  func remove(_ member: Int, from number: Int, _ relationship: PlainRelationship) {
    guard members(number, relationship).contains(member), let back = relationship.back else { return }
    guard relationship.kind == .pairs else { return relate(member, back, to: nil) }
    leave(number, relationship, member)
    if members(member, back).contains(number) { leave(member, back, number) }
  }

  func arrange(_ number: Int, _ relationship: PlainRelationship, _ order: [Int]) {
    set(number, relationship.name, .many(order))
  }

  /// Deletes an object by the rules of its relationships.
  func delete(_ number: Int) {
    guard let object = view[number] else { return }
    let ends = PlainRelationship.all(of: object.entity).map { ($0, members(number, $0)) }
    remove(number)
    for (relationship, members) in ends {
      for member in members where view[member] != nil {
        switch relationship.rule {
        case .cascade: delete(member)
        case .nullify: leave(member, relationship.back, number)
        case .noAction, .deny: break
        }
      }
    }
  }

  /// Returns the objects that a deletion deletes or changes.
  func reach(ofDeleting number: Int) -> Set<Int> {
    var reach: Set<Int> = [number]
    guard let object = view[number] else { return reach }
    for relationship in PlainRelationship.all(of: object.entity) {
      for member in members(number, relationship) where member != number {
        reach.insert(member)
        guard relationship.rule == .cascade, let end = view[member] else { continue }
        for further in PlainRelationship.all(of: end.entity) { reach.formUnion(members(member, further)) }
      }
    }
    return reach
  }

  /// A Boolean value that is true if a delete rule denies one of the level's deletions.
  var isDenied: Bool {
    guard let base = above?.view else { return false }
    return changes.contains { number, change in
      guard case .deleted = change, let object = base[number] else { return false }
      return PlainRelationship.all(of: object.entity).contains { relationship in
        relationship.rule == .deny && !members(number, relationship).isEmpty
      }
    }
  }
}
