import MachineCore

// MARK: - Relating

extension ManagedObject {
  /// Sets a to-one relationship and keeps both inverses in step.
  ///
  /// Becomes a change of the objects at the other end too; they are fired for it, as a save needs their versions.
  public func relate(_ target: ManagedObject?, at path: PropertyPath) {
    check(path)
    guard path.kind == .toOne, case .toOne(let relationship) = entity.slots[path.slot] else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is no to-one relationship")
    }
    if let target, target.registry !== registry {
      trapMisuse("\(entity.name).\(relationship.name) was set to an object of another context; use object(with:)")
    }
    if let target, !target.entity.isKind(ofIndex: relationship.destination) {
      trapMisuse("\(entity.name).\(relationship.name) was set to an object of entity \(target.entity.name)")
    }
    makeChangeable()
    context.countPropertySet()
    let old = related(path)
    guard old !== target else { return }
    change(path.slot, to: target.map { .object($0.objectID) } ?? .null)
    if let old { old.unlinkInverse(relationship.inverse, from: self) }
    if let target { target.linkInverse(relationship.inverse, to: self) }
  }

  /// Adds an object to a to-many relationship by setting its other end.
  public func add(_ object: ManagedObject, to path: PropertyPath) {
    object.relate(self, at: inverse(of: path))
  }

  /// Takes an object out of a to-many relationship by clearing its other end.
  public func remove(_ object: ManagedObject, from path: PropertyPath) {
    guard object.related(inverse(of: path)) === self else { return }
    object.relate(nil, at: inverse(of: path))
  }

  private func inverse(of path: PropertyPath) -> PropertyPath {
    check(path)
    guard path.isToMany else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is no to-many relationship")
    }
    return entity.toManys[path.slot].inverse
  }

  /// Makes `source` part of the relationship at `path`, whose other end was just set.
  private func linkInverse(_ path: PropertyPath, to source: ManagedObject) {
    touch()
    if path.isToMany {
      changeToMany(path.slot) { $0.add(source.objectID, context.coordinator.identities) }
    } else {
      makeChangeable()
      let previous = related(path)
      change(path.slot, to: .object(source.objectID))
      if let previous, previous !== source, case .toOne(let relationship) = entity.slots[path.slot] {
        previous.makeChangeable()
        previous.change(relationship.inverse.slot, to: .null)
      }
    }
  }

  func unlinkInverse(_ path: PropertyPath, from source: ManagedObject) {
    guard !isDeleted else { return }
    touch()
    if path.isToMany {
      changeToMany(path.slot) { $0.remove(source.objectID, context.coordinator.identities) }
    } else {
      makeChangeable()
      change(path.slot, to: .null)
    }
  }

  private func changeToMany(_ slot: Int, _ body: (inout ToManyState) -> Void) {
    makeChangeable()
    guard !isDeleted else { return }
    prepareToManys()
    changeToManys { body(&$0[slot]) }
    context.noteChange(of: self, slots: 0)
  }
}
