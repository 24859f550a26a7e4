import MachineCore

/// Changes attributes of all rows of one entity that match a predicate, by SQL and without making objects.
///
/// Every changed row's version rises, so that a save that is based on an older state meets a conflict. Contexts,
/// validation and notifications are passed by; rows in the row cache stay as they were until the IDs are merged. It cannot
/// set relationships, as Core Data's cannot. Attributes that are derived from what it sets follow.
public struct BatchUpdateRequest: Sendable {
  public let entity: EntityDescription
  /// Nil = all rows.
  public var predicate: Predicate?
  /// What each attribute is set to. All expressions are taken from the row as it was.
  public var propertiesToUpdate: [PropertyPath: UpdateExpression]
  public var resultType = BatchResultType.statusOnly

  public init(
    _ entity: EntityDescription, predicate: Predicate? = nil,
    propertiesToUpdate: [PropertyPath: UpdateExpression]
  ) {
    self.entity = entity
    self.predicate = predicate
    self.propertiesToUpdate = propertiesToUpdate
  }

  /// The assignments in the order of the slots.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` for a relationship, which no batch update can set, for any
  ///   other property that is no stored attribute of the entity or is derived, and for a value that the attribute cannot
  ///   have; `.managedObjectValidation` for one of which its transformer can make no bytes.
  func assignments() throws(PersistenceError) -> [StoreBatchUpdate.Assignment] {
    var assignments: [StoreBatchUpdate.Assignment] = []
    // Sorted, so that of several mistakes the same is named in every process.
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
        throw unsupported("sets \(title(of: path)) to nothing, which is mandatory")
      }
      let stored = attribute.stored(value)
      if case .transformable = stored {
        throw PersistenceError(
          .managedObjectValidation,
          "a batch update sets \(title(of: path)) to \(value), of which its transformer can make no bytes")
      }
      assignments.append(StoreBatchUpdate.Assignment(slot: path.slot, expression: .constant(stored)))
    }
    return assignments
  }

  /// The attribute that is to be set.
  private func attribute(at path: PropertyPath) throws(PersistenceError) -> AttributeDescription {
    guard entity.isKind(ofIndex: Int(path.entity)) else {
      throw unsupported(
        "of entity \(entity.name) sets a property of another entity, number \(path.entity) of the model")
    }
    guard !path.isToMany, case .attribute(let attribute) = entity.slots[path.slot] else {
      throw unsupported(
        "sets \(title(of: path)), which is a relationship, and would leave its other end behind; change it in a context "
          + "and save that")
    }
    if attribute.isTransient { throw unsupported("sets \(title(of: path)), which is transient: no row has it") }
    if let text = attribute.derivationExpression {
      throw unsupported("sets \(title(of: path)), which is derived from “\(text)”")
    }
    return attribute
  }

  /// Refuses an expression that names what a row of the entity does not have, or whose value the attribute cannot hold.
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
        throw unsupported("sets \(title(of: path)) from a property that is no attribute of \(entity.name)")
      }
      guard entity.slots[source.slot].isStored else {
        throw unsupported("sets \(title(of: path)) from \(title(of: source)), which is transient: no row has it")
      }
      let sourceType = entity.attributeTypes[source.slot]
      guard sourceType == type || type.takesNumbers(of: sourceType) else {
        throw unsupported(
          "sets \(title(of: path)), of type \(type), from \(title(of: source)), of type \(sourceType)")
      }
      guard entity.externalSlots & (1 << UInt64(path.slot) | 1 << UInt64(source.slot)) == 0 else {
        throw unsupported(
          "sets \(title(of: path)) from another attribute; what may lie in files is set to constants")
      }
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
      // Of decimal numbers SQLite would make doubles.
      guard type == .date || type.takesNumbers(of: .integer64) else {
        throw unsupported("calculates \(title(of: path)), of type \(type), with which a store cannot")
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
  /// Whether SQL may put numbers of another type into a column of this one.
  fileprivate func takesNumbers(of source: AttributeType) -> Bool {
    switch self {
    case .double, .float: source.isInteger || source == .double || source == .float
    default: isInteger && source.isInteger
    }
  }
}
