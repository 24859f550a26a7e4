// MARK: - Both ends of relationships

extension ContextInspection {
  /// Notes each relationship of an object whose two ends disagree, as far as both ends are known in the context: an
  /// object that the relationship leads to and that does not lead back, or a removed one that still leads here.
  mutating func inspectRelationships(of object: ManagedObject) {
    guard Self.isStanding(object) else { return }
    inspectToOnes(of: object)
    for (place, state) in object.toManys.enumerated() { inspectToMany(of: object, at: place, state: state) }
  }

  /// True if the relationships of an object are meaningful: it is not deleted, gone, inaccessible or invalid.
  private static func isStanding(_ object: ManagedObject) -> Bool {
    object.flags.isDisjoint(with: [.deleted, .inaccessible, .gone, .invalid])
  }

  /// Returns the row of an object as far as it was read, or nil if the object is a fault.
  private static func row(of object: ManagedObject) -> Row? { object.changedRow ?? object.snapshot }

  private mutating func inspectToOnes(of object: ManagedObject) {
    guard let row = Self.row(of: object) else { return }
    for (slot, property) in object.entity.slots.enumerated() {
      guard row.wasRead(slot), case .toOne(let relationship) = property,
        let target = row.objectID(at: slot), let other = self.object(target), let inverse = relationship.inverse
      else { continue }
      if !Self.isStanding(other) { continue }
      if leadsBack(from: other, at: inverse, to: object) == false {
        note(object, "leads to \(Self.name(other)) by \(relationship.name), which does not lead back")
      }
    }
  }

  private mutating func inspectToMany(of object: ManagedObject, at place: Int, state: ToManyState) {
    let relationship = object.entity.toManys[place]
    let identities = object.context.coordinator.identities
    let members = state.base.map { state.current(over: $0, identities) } ?? Array(state.added)
    var seen: Set<ObjectID> = []
    for member in members {
      if !seen.insert(identities.canonical(member)).inserted {
        note(object, "has \(member.key) twice in \(relationship.name)")
      }
      guard let other = self.object(member), Self.isStanding(other) else { continue }
      if leadsBack(from: other, at: relationship.inverse, to: object) == false {
        note(object, "has \(Self.name(other)) in \(relationship.name), which does not lead back")
      }
    }
    for member in state.removed where !seen.contains(identities.canonical(member)) {
      guard let other = self.object(member), Self.isStanding(other) else { continue }
      if leadsBack(from: other, at: relationship.inverse, to: object) == true {
        note(object, "has taken \(Self.name(other)) out of \(relationship.name), which still leads here")
      }
    }
  }

  /// Returns true if an object leads to another by a relationship, or nil if that is not known without reading.
  private func leadsBack(from object: ManagedObject, at path: PropertyPath, to target: ManagedObject) -> Bool? {
    if path.isToMany {
      guard object.toManys.indices.contains(path.slot) else { return nil }
      return object.toManys[path.slot].isMember(target.objectID, identities: target.context.coordinator.identities)
    }
    guard let row = Self.row(of: object), row.wasRead(path.slot) else { return nil }
    return isSame(row.objectID(at: path.slot), as: target)
  }
}
