import MachineCore

// MARK: - Validation

extension ManagedObject {
  /// Checks the same as a save of a new object: mandatory properties, the rules of attributes, the counts of
  /// relationships, and the entity's callbacks.
  ///
  /// Reads the to-many relationships that restrict their counts: one SELECT for each that was not read.
  ///
  /// - Throws: `PersistenceError` with all failures in `failures`. Its code is that of the failure if there is one, and
  ///   1560 if there are several.
  public func validateForInsert() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .insert)) { throw error }
  }

  /// Checks the same as a save of a changed object.
  ///
  /// - Throws: `PersistenceError`, as `validateForInsert()`.
  public func validateForUpdate() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .update)) { throw error }
  }

  /// Checks the same as a save of a deleted object: that relationships with the rule *deny* do not lead to objects that
  /// remain, and the entity's callbacks.
  ///
  /// - Throws: `PersistenceError`, as `validateForInsert()`. Each relationship that denies the deletion is a failure
  ///   with the code 1600.
  public func validateForDelete() throws(PersistenceError) {
    context.checkQueue()
    if let error = PersistenceError.validation(failures(in: .delete)) { throw error }
  }

  /// Checks a value for an attribute: calls the entity's callbacks, which may replace it, and checks whether it may be
  /// null and the rules of the attribute. Traps for a relationship.
  ///
  /// - Throws: `PersistenceError` with the failures.
  public func validateValue(_ value: inout Value, at path: PropertyPath) throws(PersistenceError) {
    check(path)
    guard path.kind == .attribute else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is a relationship; a save validates it")
    }
    var failures = failuresOfCallbacks(&value, at: path)
    failures += self.failures(of: value, at: path.slot)
    if let error = PersistenceError.validation(failures) { throw error }
  }

  /// True if validation of the object's values may find failures. It is nearly always false, and then the list of
  /// failures need not be created.
  var needsValidation: Bool {
    if entity.validation.checksMore { return true }
    let mandatory = entity.validation.mandatorySet
    guard !mandatory.isEmpty else { return false }
    return (ownRow ?? snapshotRow)?.withStorage { $0.isAnyNull(of: mandatory) } ?? true
  }

  /// The kind of save that an object is validated for.
  enum ValidationOccasion {
    case insert
    case update
    case delete
  }

  /// Returns all failures that prevent the object from being saved as it is, in the order in which they are checked.
  /// O(properties with rules).
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
      value: .transformable(value), reason: "is \(value), which its transformer cannot convert to bytes")
  }

  private func failure(_ broken: EntityValidation.BrokenRule, at slot: Int) -> ValidationFailure {
    ValidationFailure(
      broken.code, objectID: objectID, entityName: entity.name, propertyName: entity.slots[slot].name,
      value: broken.value, reason: broken.reason)
  }

  private func failureOfCount(at place: Int) -> ValidationFailure? {
    let relationship = entity.toManys[place]
    let count = relatedObjectIDs(PropertyPath(entity: entity.index, slot: place, kind: .toMany)).count
    // An optional relationship without members satisfies its minimum, as in Core Data.
    if count == 0, relationship.isOptional { return nil }
    if count < relationship.minCount {
      return failure(
        .validationRelationshipLacksMinimumCount, of: relationship.name,
        reason: "has \(count) objects but needs at least \(relationship.minCount)")
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      return failure(
        .validationRelationshipExceedsMaximumCount, of: relationship.name,
        reason: "has \(count) objects but may have at most \(relationship.maxCount)")
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
      // An object that has been given to another owner since does not prevent the deletion.
      let count = relatedObjects(path).count { !$0.isDeleted && $0.leads(to: self, at: relationship.inverse) }
      if count > 0 { failures.append(denied(by: relationship.name, count: count)) }
    }
    return failures
  }

  private func denied(by name: String, count: Int) -> ValidationFailure {
    failure(
      .validationRelationshipDeniedDelete, of: name,
      reason: "denies the deletion, because it has \(count) objects that are not deleted")
  }

  private func leads(to target: ManagedObject, at path: PropertyPath) -> Bool {
    path.isToMany ? relatedObjects(path).contains { $0 === target } : related(path) === target
  }

  private func failure(_ code: PersistenceError.Code, of name: String, reason: String) -> ValidationFailure {
    ValidationFailure(code, objectID: objectID, entityName: entity.name, propertyName: name, reason: reason)
  }
}

// MARK: - Callbacks

extension ManagedObject {
  /// Calls the entity's callbacks to check each attribute. If they replace a value, the object gets the replacement.
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

  /// Returns the failures for an error that a callback threw: those of a `PersistenceError`, or a failure with the
  /// error as its underlying error.
  private func failures(
    of error: any Error, propertyName: String?, value: Value
  ) -> [ValidationFailure] {
    guard let error = error as? PersistenceError else {
      var failure = ValidationFailure(
        .managedObjectValidation, objectID: objectID, entityName: entity.name, propertyName: propertyName, value: value,
        reason: "was refused by the app's own validation: \(error)")
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
  /// Returns the rules that a value breaks. A null value does not break a rule.
  func failures(of value: Value) -> [EntityValidation.BrokenRule] {
    if value.isNull { return [] }
    var broken: [EntityValidation.BrokenRule] = []
    func note(_ code: PersistenceError.Code, reason: String) {
      broken.append(.init(code: code, value: value, reason: reason))
    }
    let isDate = if case .date = value { true } else { false }
    if let minimum = rules.minimum, Value.compare(value, minimum) < 0 {
      note(isDate ? .validationDateTooSoon : .validationNumberTooSmall, reason: "is \(value), less than \(minimum)")
    }
    if let maximum = rules.maximum, Value.compare(value, maximum) > 0 {
      note(isDate ? .validationDateTooLate : .validationNumberTooLarge, reason: "is \(value), more than \(maximum)")
    }
    guard case .string(let string) = value else { return broken }
    let length = string.utf16.count
    if let minimum = rules.minimumLength, length < minimum {
      note(.validationStringTooShort, reason: "has \(length) characters and needs at least \(minimum)")
    }
    if let maximum = rules.maximumLength, length > maximum {
      note(.validationStringTooLong, reason: "has \(length) characters and may have at most \(maximum)")
    }
    if let pattern, let text = rules.pattern, !pattern.matches(string) {
      note(.validationStringPatternMatching, reason: "does not match the pattern \(text)")
    }
    return broken
  }
}
