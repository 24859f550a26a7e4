import MachineCore

// MARK: - Validation

extension ManagedObject {
  /// Checks what a save checks in a new object: mandatory properties, the rules of attributes, the counts of relationships.
  ///
  /// Reads to-many relationships that bound their counts: one SELECT each if they were not read.
  ///
  /// - Throws: `PersistenceError` with everything that is wrong in `failures`: its own code where it is one thing, else 1560.
  public func validateForInsert() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .insert)) { throw error }
  }

  /// Checks what a save checks in a changed object; as `validateForInsert()`.
  public func validateForUpdate() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .update)) { throw error }
  }

  /// Checks what a save checks in a deleted object: that no relationship with the rule *deny* leads to a living one.
  ///
  /// - Throws: `PersistenceError`, 1600 for each such relationship.
  public func validateForDelete() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .delete)) { throw error }
  }

  /// Checks a value that an attribute is meant to get, against whether it may be empty and its rules.
  ///
  /// - Throws: `PersistenceError` with what is wrong.
  public func validateValue(_ value: inout Value, at path: PropertyPath) throws(PersistenceError) {
    check(path)
    guard path.kind == .attribute else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is a relationship; a save validates it")
    }
    var failures = failuresOfCallbacks(&value, at: path)
    failures += self.failures(of: value, at: path.slot)
    if let error = PersistenceError.validation(failures) { throw error }
  }

  /// Whether the object may fail to be saved by its values: nearly always it cannot, and nothing has to be made to say so.
  var needsValidation: Bool {
    if entity.validation.checksMore { return true }
    let mandatory = entity.validation.mandatoryBits
    guard mandatory != 0 else { return false }
    return (ownRow ?? snapshotRow)?.withStorage { $0.isAnyNull(of: mandatory) } ?? true
  }

  /// What leads to a validation.
  enum ValidationOccasion {
    case insert
    case update
    case delete
  }

  /// Everything that keeps the object from being saved as it is, in the order of its properties. O(properties with rules).
  func failures(in occasion: ValidationOccasion) -> [ValidationFailure] {
    switch occasion {
    case .insert, .update: entity.validation.checksValues ? failuresOfValues() + failuresOfChecks(in: occasion) : []
    case .delete: entity.validation.checksDeletion ? failuresOfDeletion() + failuresOfChecks(in: occasion) : []
    }
  }

  private func failuresOfValues() -> [ValidationFailure] {
    let validation = entity.validation
    var failures = entity.hooks.contains(.validateValue) ? failuresOfValueCallbacks() : []
    for slot in validation.mandatorySlots where currentRow.isNull(at: slot) {
      failures.append(missing(at: slot))
    }
    for slot in validation.transformableSlots {
      if let value = currentRow.unformedValue(at: slot) { failures.append(unformed(value, at: slot)) }
    }
    for ruled in validation.ruledSlots {
      failures += ruled.failures(of: currentValue(at: ruled.slot)).map { failure($0, at: ruled.slot) }
    }
    for place in validation.countedToManys {
      if let failure = failureOfCount(at: place) { failures.append(failure) }
    }
    return failures
  }

  private func failures(of value: Value, at slot: Int) -> [ValidationFailure] {
    if value.isNull { return entity.validation.mandatorySlots.contains(slot) ? [missing(at: slot)] : [] }
    if case .attribute(let attribute) = entity.slots[slot], case .transformable(let value) = attribute.stored(value) {
      return [unformed(value, at: slot)]
    }
    guard let ruled = entity.validation.rules(at: slot) else { return [] }
    return ruled.failures(of: value).map { failure($0, at: slot) }
  }

  private func missing(at slot: Int) -> ValidationFailure {
    ValidationFailure(
      .validationMissingMandatoryProperty, objectID: objectID, entityName: entity.name,
      propertyName: entity.slots[slot].name, reason: "is mandatory and has no value")
  }

  private func unformed(_ value: TransformableValue, at slot: Int) -> ValidationFailure {
    ValidationFailure(
      .managedObjectValidation, objectID: objectID, entityName: entity.name, propertyName: entity.slots[slot].name,
      value: .transformable(value), reason: "is \(value), of which its transformer can make no bytes")
  }

  private func failure(_ broken: EntityValidation.BrokenRule, at slot: Int) -> ValidationFailure {
    ValidationFailure(
      broken.code, objectID: objectID, entityName: entity.name, propertyName: entity.slots[slot].name,
      value: broken.value, reason: broken.reason)
  }

  private func failureOfCount(at place: Int) -> ValidationFailure? {
    let relationship = entity.toManys[place]
    let count = relatedObjectIDs(PropertyPath(entity: entity.index, slot: place, kind: .toMany)).count
    // One that may be empty and is keeps its minimum, as in Core Data.
    if count == 0, relationship.isOptional { return nil }
    let minimum = max(relationship.minCount, relationship.isOptional ? 0 : 1)
    if count < minimum {
      return failure(
        .validationRelationshipLacksMinimumCount, of: relationship.name,
        "leads to \(count) objects and has to lead to at least \(minimum)")
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      return failure(
        .validationRelationshipExceedsMaximumCount, of: relationship.name,
        "leads to \(count) objects and may lead to at most \(relationship.maxCount)")
    }
    return nil
  }

  // MARK: Deletions

  private func failuresOfDeletion() -> [ValidationFailure] {
    let validation = entity.validation
    var failures: [ValidationFailure] = []
    for slot in validation.denyingSlots {
      guard case .object(let target) = currentValue(at: slot), !context.object(with: target).isDeleted else { continue }
      failures.append(denied(by: entity.slots[slot].name, count: 1))
    }
    for place in validation.denyingToManys {
      let relationship = entity.toManys[place]
      let path = PropertyPath(entity: entity.index, slot: place, kind: .toMany)
      // What has been given to another object since does not stand in the way.
      let count = relatedObjects(path).count { !$0.isDeleted && $0.leads(to: self, at: relationship.inverse) }
      if count > 0 { failures.append(denied(by: relationship.name, count: count)) }
    }
    return failures
  }

  private func denied(by name: String, count: Int) -> ValidationFailure {
    failure(
      .validationRelationshipDeniedDelete, of: name, "denies the deletion, since it leads to \(count) living objects")
  }

  private func leads(to target: ManagedObject, at path: PropertyPath) -> Bool {
    path.isToMany ? relatedObjects(path).contains { $0 === target } : related(path) === target
  }

  private func failure(_ code: PersistenceError.Code, of name: String, _ reason: String) -> ValidationFailure {
    ValidationFailure(code, objectID: objectID, entityName: entity.name, propertyName: name, reason: reason)
  }
}

// MARK: - Callbacks

extension ManagedObject {
  /// Lets the entity's callbacks check each attribute; the object gets what they put in a value's place.
  private func failuresOfValueCallbacks() -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    for (slot, property) in entity.slots.enumerated() {
      guard case .attribute = property else { continue }
      let path = PropertyPath(entity: entity.index, slot: slot, kind: .attribute)
      let before = shown(currentValue(at: slot), of: slot)
      var value = before
      failures += failuresOfCallbacks(&value, at: path)
      if value != before { set(value, at: path) }
    }
    return failures
  }

  private func failuresOfCallbacks(_ value: inout Value, at path: PropertyPath) -> [ValidationFailure] {
    guard entity.hooks.contains(.validateValue) else { return [] }
    var failures: [ValidationFailure] = []
    for callbacks in entity.callbacks {
      guard let validateValue = callbacks.validateValue else { continue }
      do {
        try validateValue(self, path, &value)
      } catch {
        failures += self.failures(of: error, propertyName: entity.propertyName(at: path), value: value)
      }
    }
    return failures
  }

  private func failuresOfChecks(in occasion: ValidationOccasion) -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    for callbacks in entity.callbacks {
      let check =
        switch occasion {
        case .insert: callbacks.validateForInsert
        case .update: callbacks.validateForUpdate
        case .delete: callbacks.validateForDelete
        }
      guard let check else { continue }
      do {
        try check(self)
      } catch {
        failures += self.failures(of: error, propertyName: nil, value: .null)
      }
    }
    return failures
  }

  /// What a callback threw, as it said it or in its words.
  private func failures(
    of error: any Error, propertyName: String?, value: Value
  ) -> [ValidationFailure] {
    guard let error = error as? PersistenceError else {
      var failure = ValidationFailure(
        .managedObjectValidation, objectID: objectID, entityName: entity.name, propertyName: propertyName, value: value,
        reason: "is refused by a check of the app: \(error)")
      failure.underlyingError = error
      return [failure]
    }
    if !error.failures.isEmpty { return error.failures }
    return [
      ValidationFailure(
        error.code, objectID: objectID, entityName: entity.name, propertyName: propertyName, value: value,
        reason: error.message)
    ]
  }
}

// MARK: - Rules

extension EntityValidation {
  /// A rule of an attribute that a value breaks.
  struct BrokenRule {
    var code: PersistenceError.Code
    var value: Value
    var reason: String
  }
}

extension EntityValidation.RuledSlot {
  /// The rules that a value breaks; nothing breaks none.
  func failures(of value: Value) -> [EntityValidation.BrokenRule] {
    if value.isNull { return [] }
    var broken: [EntityValidation.BrokenRule] = []
    func note(_ code: PersistenceError.Code, _ reason: String) {
      broken.append(.init(code: code, value: value, reason: reason))
    }
    let isDate = if case .date = value { true } else { false }
    if let minimum = rules.minimum, Value.compare(value, minimum) < 0 {
      note(isDate ? .validationDateTooSoon : .validationNumberTooSmall, "is \(value), less than \(minimum)")
    }
    if let maximum = rules.maximum, Value.compare(value, maximum) > 0 {
      note(isDate ? .validationDateTooLate : .validationNumberTooLarge, "is \(value), more than \(maximum)")
    }
    guard case .string(let string) = value else { return broken }
    let length = string.utf16.count
    if let minimum = rules.minimumLength, length < minimum {
      note(.validationStringTooShort, "has \(length) characters and needs at least \(minimum)")
    }
    if let maximum = rules.maximumLength, length > maximum {
      note(.validationStringTooLong, "has \(length) characters and may have at most \(maximum)")
    }
    if let pattern, let text = rules.pattern, !pattern.matches(string) {
      note(.validationStringPatternMatching, "does not match the pattern \(text)")
    }
    return broken
  }
}
