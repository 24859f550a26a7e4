import MachineCore

/// A request that changes attributes of all rows of one entity that match a predicate, by SQL and without making
/// objects.
///
/// The version of every changed row rises, so that a save that is based on an older state conflicts. Contexts are not
/// changed, objects are not validated, and no notifications are sent; rows in the row cache stay unchanged until the
/// IDs are merged. A batch update cannot set relationships, as in Core Data. Attributes that are derived from the
/// changed ones are computed again.
public struct BatchUpdateRequest: Sendable {
  /// The entity whose rows are changed, including rows of entities that inherit from it.
  public let entity: EntityDescription
  /// The predicate that selects the rows, or nil for all rows.
  public var predicate: FetchPredicate?
  /// The new value of each attribute. All expressions are evaluated with the previous values of the row.
  public var propertiesToUpdate: [PropertyPath: UpdateExpression]
  /// The kind of result that the request returns.
  public var resultType = BatchResultType.statusOnly

  /// Creates a request that changes the rows that match a predicate, or all rows of the entity if there is no
  /// predicate. Its result is a status unless ``resultType`` is set.
  public init(
    _ entity: EntityDescription, predicate: FetchPredicate? = nil,
    propertiesToUpdate: [PropertyPath: UpdateExpression]
  ) {
    self.entity = entity
    self.predicate = predicate
    self.propertiesToUpdate = propertiesToUpdate
  }

  /// Returns the assignments in the order of the slots.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` for a relationship, for any other property that is not a
  ///   stored attribute of the entity or is derived, and for a value that the attribute cannot have;
  ///   `.managedObjectValidation` for a value that the attribute's transformer cannot convert to bytes.
  func assignments() throws(PersistenceError) -> [StoreBatchUpdate.Assignment] {
    var assignments: [StoreBatchUpdate.Assignment] = []
    // The assignments are sorted, so that the same one of several mistakes is reported in every process.
    let sorted = propertiesToUpdate.sorted {
      ($0.key.slot, $0.key.kind.rawValue) < ($1.key.slot, $1.key.kind.rawValue)
    }
    for (path, expression) in sorted {
      let attribute = try attribute(at: path)
      try check(expression, setting: path)
      guard case .constant(let value) = expression else {
        assignments.append(StoreBatchUpdate.Assignment(slot: path.slot, expression: expression))
        continue
      }
      if value.isNull, !attribute.isOptional {
        throw unsupported("sets \(title(of: path)) to null, but it is mandatory")
      }
      let stored = attribute.stored(value)
      if case .transformable = stored {
        throw PersistenceError(
          .managedObjectValidation,
          "a batch update sets \(title(of: path)) to \(value), which its transformer cannot convert to bytes")
      }
      assignments.append(StoreBatchUpdate.Assignment(slot: path.slot, expression: .constant(stored)))
    }
    return assignments
  }

  /// Returns the attribute at a path.
  ///
  /// - Throws: `.unsupportedRequest` if the path is not an attribute of the entity, or is transient or derived.
  private func attribute(at path: PropertyPath) throws(PersistenceError) -> AttributeDescription {
    guard entity.isKind(ofIndex: Int(path.entity)) else {
      throw unsupported(
        "of entity \(entity.name) sets a property of another entity, number \(path.entity) of the model")
    }
    guard !path.isToMany, case .attribute(let attribute) = entity.slots[path.slot] else {
      throw unsupported(
        "sets \(title(of: path)), which is a relationship, whose inverse would not be updated; change it in a context "
          + "and save that")
    }
    if attribute.isTransient { throw unsupported("sets \(title(of: path)), which is transient and has no column") }
    if let text = attribute.derivationExpression {
      throw unsupported("sets \(title(of: path)), which is derived from “\(text)”")
    }
    return attribute
  }

  /// Throws an error if an expression uses a property that rows of the entity do not have, or if the attribute cannot
  /// hold its value.
  private func check(
    _ expression: UpdateExpression, setting path: PropertyPath
  ) throws(PersistenceError) {
    let type = entity.attributeTypes[path.slot]
    switch expression {
    case .constant(let value):
      guard type.admits(value) else {
        throw unsupported("sets \(title(of: path)) to \(value), which is not of its type")
      }
    case .property(let source):
      guard entity.isKind(ofIndex: Int(source.entity)), source.kind == .attribute else {
        throw unsupported("sets \(title(of: path)) from a property that is not an attribute of \(entity.name)")
      }
      guard entity.slots[source.slot].isStored else {
        throw unsupported("sets \(title(of: path)) from \(title(of: source)), which is transient and has no column")
      }
      let sourceType = entity.attributeTypes[source.slot]
      guard sourceType == type || type.takesNumbers(of: sourceType) else {
        throw unsupported(
          "sets \(title(of: path)), of type \(type), from \(title(of: source)), of type \(sourceType)")
      }
      guard entity.externalSlots.isDisjoint(with: [path.slot, source.slot]) else {
        throw unsupported(
          "sets \(title(of: path)) from another attribute; an attribute with external storage can only be set to a "
            + "constant"
        )
      }
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
      // SQLite would calculate decimal numbers as doubles.
      guard type == .date || type.takesNumbers(of: .integer64) else {
        throw unsupported("calculates \(title(of: path)), of type \(type), with which a store cannot calculate")
      }
      try check(left, setting: path)
      try check(right, setting: path)
    }
  }

  private func title(of path: PropertyPath) -> String { "\(entity.name).\(entity.propertyName(at: path))" }

  private func unsupported(_ predicate: String) -> PersistenceError {
    PersistenceError(.unsupportedRequest, "a batch update \(predicate)")
  }
}

extension AttributeType {
  /// Returns true if SQL may write numbers of another type to a column of this type.
  fileprivate func takesNumbers(of source: AttributeType) -> Bool {
    switch self {
    case .double, .float: source.isInteger || source == .double || source == .float
    default: isInteger && source.isInteger
    }
  }
}
