import MachineCore

// MARK: - Relating

extension ManagedObject {
  /// Sets a to-one relationship and updates the inverses.
  ///
  /// The objects at the other end become changed too. They are fired for that, as a save needs their versions. If the
  /// relationship has no inverse, they are neither fired nor changed.
  ///
  /// If the next save deletes this object, the inverses are not updated. If the row of either object no longer exists,
  /// the call has no effect, and the first such call is logged.
  public func relate(_ target: ManagedObject?, at path: PropertyPath) {
    check(path)
    guard path.kind == .toOne, case .toOne(let relationship) = entity.slots[path.slot] else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is not a to-one relationship")
    }
    if let target {
      check(target, isFitFor: relationship.name, to: relationship.destination)
      if let inverse = relationship.inverse, target.refusesChange(of: inverse) { return }
    }
    guard canChange(path) else { return }
    context.countRelationshipSet()
    guard !isDeletedForGood else {
      return changeIfDifferent(path.slot, to: target.map { .object($0.objectID) } ?? .null)
    }
    let old = related(path)
    guard old !== target else { return }
    change(path.slot, to: target.map { .object($0.objectID) } ?? .null)
    guard let inverse = relationship.inverse else { return }
    if let old { old.unlinkInverse(inverse, from: self) }
    if let target { target.linkInverse(inverse, to: self) }
  }

  /// Adds two objects to each other's many-to-many relationship.
  ///
  /// Reads the relationship at `path` only if the change may be undone. Otherwise the members that are known decide
  /// whether the call has an effect.
  func link(_ target: ManagedObject, at path: PropertyPath) {
    let relationship = entity.toManys[path.slot]
    guard canChange(path, with: target, of: relationship) else { return }
    context.countRelationshipSet()
    readToUndo(path)
    if isMember(target, of: path.slot) == true || target.isMember(self, of: relationship.inverse.slot) == true {
      return
    }
    linkInverse(path, to: target)
    target.linkInverse(relationship.inverse, to: self)
  }

  /// Removes two objects from each other's many-to-many relationship.
  func unlink(_ target: ManagedObject, at path: PropertyPath) {
    let relationship = entity.toManys[path.slot]
    guard canChange(path, with: target, of: relationship) else { return }
    context.countRelationshipSet()
    readToUndo(path)
    if isMember(target, of: path.slot) == false || target.isMember(self, of: relationship.inverse.slot) == false {
      return
    }
    unlinkInverse(path, from: target)
    target.unlinkInverse(relationship.inverse, from: self)
  }

  /// Returns true if a pair of a many-to-many relationship can be added or removed.
  ///
  /// That is not the case if one of the objects is deleted, as its pairs are deleted with it. Logs if the row of one no
  /// longer exists.
  private func canChange(
    _ path: PropertyPath, with target: ManagedObject, of relationship: EntityDescription.ToMany
  ) -> Bool {
    check(target, isFitFor: relationship.name, to: relationship.destination)
    if target.refusesChange(of: relationship.inverse) { return false }
    return canChange(path) && !isDeletedForGood && !target.isDeletedForGood
  }

  /// A Boolean value that is true if the next save deletes the object and its delete rules have been carried out.
  private var isDeletedForGood: Bool {
    flags.contains(.deleted) && !context.unpropagatedList.contains { $0 === self }
  }

  /// Reads a to-many relationship that is about to change if the change may be undone: the undo must know whether the
  /// call had an effect, as it would otherwise remove members that existed before.
  private func readToUndo(_ path: PropertyPath) {
    if context.changeRecorder != nil { _ = relatedObjectIDs(path) }
  }

  /// Returns true if an object is known to be a member of a to-many relationship, or nil if that is not known.
  private func isMember(_ object: ManagedObject, of place: Int) -> Bool? {
    toManys.isEmpty ? nil : toManys[place].isMember(object.objectID, identities: context.coordinator.identities)
  }

  /// Traps if an object cannot be the target of a relationship.
  private func check(_ target: ManagedObject, isFitFor name: String, to destination: Int) {
    if target.registry !== registry {
      trapMisuse("\(entity.name).\(name) was set to an object of another context; use object(with:)")
    }
    if !target.entity.isKind(ofIndex: destination) {
      trapMisuse("\(entity.name).\(name) was set to an object of entity \(target.entity.name)")
    }
  }

  /// Adds `source` to the relationship at `path`, whose inverse was just set.
  private func linkInverse(_ path: PropertyPath, to source: ManagedObject) {
    touch()
    if path.isToMany {
      let relationship = entity.toManys[path.slot]
      changeToMany(at: path.slot) { state, identities in
        if relationship.followsKeys {
          state.add(source.objectID, identities: identities)
        } else {
          state.enter(source.objectID, isOrdered: relationship.isOrdered, identities: identities)
        }
      }
    } else {
      makeChangeable()
      guard !isDeleted else { return }
      let previous = related(path)
      change(path.slot, to: .object(source.objectID))
      if let previous, previous !== source, case .toOne(let relationship) = entity.slots[path.slot],
        let inverse = relationship.inverse
      {
        previous.unlinkInverse(inverse, from: self)
      }
    }
  }

  /// Removes `source` from the relationship at `path`, because `source` does not lead here any more or is deleted. Has
  /// no effect on a deleted object.
  func unlinkInverse(_ path: PropertyPath, from source: ManagedObject) {
    guard !isDeleted else { return }
    touch()
    if path.isToMany {
      let relationship = entity.toManys[path.slot]
      // An undo must put the object back in its place.
      if relationship.isOrdered { readToUndo(path) }
      changeToMany(at: path.slot) { state, identities in
        if relationship.followsKeys {
          state.remove(source.objectID, identities: identities)
        } else {
          state.leave(source.objectID, identities: identities)
        }
      }
    } else {
      makeChangeable()
      // An object whose row no longer exists is not changed.
      guard !isDeleted else { return }
      change(path.slot, to: .null)
    }
  }

  /// Calls `body` to change the state of a to-many relationship, and lists the object as changed.
  func changeToMany(at place: Int, body: (inout ToManyState, IdentityMap) -> Void) {
    makeChangeable()
    guard !isDeleted else { return }
    context.noteChange(of: self, slots: [])
    prepareToManys()
    changeToManys { body(&$0[place], context.coordinator.identities) }
  }
}
