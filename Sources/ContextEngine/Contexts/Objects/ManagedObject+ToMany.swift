import Foundation
import MachineCore

// MARK: - Changing to-many relationships

extension ManagedObject {
  /// Adds an object to a to-many relationship, at the end if it is ordered, and updates the inverse.
  ///
  /// If the inverse is a to-one relationship, the object is removed from the relationship that it was in before. The
  /// call has no effect if the object is known to be a member. It reads the relationship only if that is many-to-many
  /// and the change may be undone.
  public func add(_ object: ManagedObject, to path: PropertyPath) {
    let relationship = toMany(at: path)
    if refusesChange(of: path) { return }
    if relationship.isManyToMany {
      link(object, at: path)
    } else {
      object.relate(self, at: relationship.inverse)
    }
  }

  /// Removes an object from a to-many relationship and updates the inverse. An object that is not a member is not
  /// changed.
  public func remove(_ object: ManagedObject, from path: PropertyPath) {
    let relationship = toMany(at: path)
    if refusesChange(of: path) { return }
    if relationship.isManyToMany {
      unlink(object, at: path)
    } else if object.related(relationship.inverse) === self {
      object.relate(nil, at: relationship.inverse)
    }
  }

  /// Sets the members of a to-many relationship to the given objects: adds and removes members as necessary.
  ///
  /// In an ordered relationship, the members get the given order, and an object that is given twice gets its first
  /// place. Reads the relationship. O(members before and after).
  public func setRelatedObjects(_ objects: [ManagedObject], at path: PropertyPath) {
    let relationship = toMany(at: path)
    if refusesChange(of: path) { return }
    let before = relatedObjects(path)
    let wanted = Self.withoutRepetitions(objects)
    let staying = Set(wanted.map(\.objectID))
    for object in before where !staying.contains(object.objectID) { remove(object, from: path) }
    let known = Set(before.map(\.objectID))
    for object in wanted where !known.contains(object.objectID) { add(object, to: path) }
    guard relationship.isOrdered else { return }
    let order = wanted.map(\.objectID)
    let reached = before.filter { staying.contains($0.objectID) } + wanted.filter { !known.contains($0.objectID) }
    if reached.map(\.objectID) != order { arrange(order, at: path) }
  }

  private static func withoutRepetitions(_ objects: [ManagedObject]) -> [ManagedObject] {
    var seen: Set<ObjectID> = []
    return objects.filter { seen.insert($0.objectID).inserted }
  }
}

// MARK: - Changing ordered relationships

extension ManagedObject {
  /// Adds an object to an ordered relationship at an index. An object that is a member already stays in its place.
  ///
  /// Reads the relationship. Traps if the relationship is not ordered or the index is out of range. O(members).
  ///
  /// - Parameters:
  ///   - object: The object to add.
  ///   - path: The ordered relationship.
  ///   - index: The index of the new member, from 0 to the number of members.
  public func insert(_ object: ManagedObject, into path: PropertyPath, at index: Int) {
    checkIsOrdered(path)
    if refusesChange(of: path) { return }
    var order = relatedObjects(path).map(\.objectID)
    check(index, isIn: 0...order.count, of: path)
    guard !order.contains(object.objectID) else { return }
    let isLast = index == order.count
    order.insert(object.objectID, at: index)
    add(object, to: path)
    if !isLast { arrange(order, at: path) }
  }

  /// Replaces the object at an index of an ordered relationship by another object. Reads the relationship.
  ///
  /// If the other object is a member already, it moves to the place of the replaced one. The call has no effect if it
  /// is at the index already, or if the receiver was deleted or its row is gone, which writes a warning once. Traps if
  /// the relationship is not ordered or the index is out of range, as every index is if there are no members.
  public func replaceObject(at index: Int, of path: PropertyPath, with object: ManagedObject) {
    checkIsOrdered(path)
    if refusesChange(of: path) { return }
    var members = relatedObjects(path)
    check(index, isIn: 0...max(members.count - 1, 0), of: path)
    guard members.indices.contains(index) else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) has no members, so no member can be replaced")
    }
    guard members[index] !== object else { return }
    members[index] = object
    var order = members
    // An object that is also at another index is removed there.
    order = order.enumerated().filter { $0.offset == index || $0.element !== object }.map(\.element)
    setRelatedObjects(order, at: path)
  }

  /// Moves members of an ordered relationship: removes them and inserts them, in their order, so that the first of them
  /// is at `index` of the list without them, as `NSMutableOrderedSet.moveObjects(at:to:)` does.
  ///
  /// Reads the relationship. The inverses of the members do not change. Traps if the relationship is not ordered or an
  /// index is out of range. O(members).
  public func moveObjects(of path: PropertyPath, at indexes: IndexSet, to index: Int) {
    checkIsOrdered(path)
    if refusesChange(of: path) { return }
    let before = relatedObjects(path).map(\.objectID)
    for moved in indexes { check(moved, isIn: 0...max(before.count - 1, 0), of: path) }
    if before.isEmpty { return }
    var order = before.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
    check(index, isIn: 0...order.count, of: path)
    order.insert(contentsOf: indexes.map { before[$0] }, at: index)
    if order != before { arrange(order, at: path) }
  }

  private func arrange(_ order: [ObjectID], at path: PropertyPath) {
    context.countRelationshipSet()
    changeToMany(at: path.slot) { state, _ in state.arrange(order) }
  }

  private func checkIsOrdered(_ path: PropertyPath) {
    if !toMany(at: path).isOrdered {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is not ordered, so its members have no positions")
    }
  }

  private func check(_ index: Int, isIn range: ClosedRange<Int>, of path: PropertyPath) {
    guard range.contains(index) else {
      trapMisuse(
        "\(entity.name).\(entity.propertyName(at: path)) has no position \(index); \(range.lowerBound) to "
          + "\(range.upperBound) are possible")
    }
  }

  /// Returns the description of a to-many relationship. Traps for other properties.
  private func toMany(at path: PropertyPath) -> EntityDescription.ToMany {
    check(path)
    guard path.isToMany else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is not a to-many relationship")
    }
    return entity.toManys[path.slot]
  }
}
