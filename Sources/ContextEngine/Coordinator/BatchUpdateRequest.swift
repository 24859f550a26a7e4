import MachineCore

/// Changes attributes of all rows of one entity that match a predicate, by SQL and without making objects.
///
/// Every changed row's version rises, so that a save that is based on an older state meets a conflict. Contexts,
/// validation and notifications are passed by; rows in the row cache stay as they were until the IDs are merged.
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
  /// Traps for a relationship, a property of another entity or a constant of another type, since a request is code.
  func assignments() -> [StoreBatchUpdate.Assignment] {
    propertiesToUpdate.sorted { $0.key.slot < $1.key.slot }.map { path, expression in
      guard entity.isKind(ofIndex: Int(path.entity)), case .attribute(let attribute) = entity.slots[path.slot],
        !attribute.isTransient
      else {
        trapMisuse("a batch update of entity \(entity.name) sets a property that is no stored attribute of it")
      }
      expression.check(against: entity, setting: path)
      if case .constant(let value) = expression {
        let stored = attribute.stored(value)
        if case .transformable = stored {
          trapMisuse("a batch update sets \(attribute.name) to \(value), of which its transformer can make no bytes")
        }
        return StoreBatchUpdate.Assignment(slot: path.slot, expression: .constant(stored))
      }
      return StoreBatchUpdate.Assignment(slot: path.slot, expression: expression)
    }
  }
}

/// What a batch update computes for an attribute of a row.
public indirect enum UpdateExpression: Hashable, Sendable {
  case constant(Value)
  /// What another attribute of the row had before the update.
  case property(PropertyPath)
  case sum(UpdateExpression, UpdateExpression)
  case difference(UpdateExpression, UpdateExpression)
  case product(UpdateExpression, UpdateExpression)

  /// Traps where the expression names what a row of the entity does not have, or a constant that cannot be assigned.
  fileprivate func check(against entity: EntityDescription, setting path: PropertyPath) {
    let title = "\(entity.name).\(entity.propertyName(at: path))"
    switch self {
    case .constant(let value):
      guard entity.attributeTypes[path.slot].admits(value) else {
        trapMisuse("a batch update sets \(title) to \(value), which is not of its type")
      }
    case .property(let source):
      guard entity.isKind(ofIndex: Int(source.entity)), source.kind == .attribute else {
        trapMisuse("a batch update sets \(title) from a property that is no attribute of \(entity.name)")
      }
      guard entity.externalSlots & (1 << UInt64(path.slot) | 1 << UInt64(source.slot)) == 0 else {
        trapMisuse("a batch update sets \(title) from another attribute; what may lie in files is set to constants")
      }
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
      left.check(against: entity, setting: path)
      right.check(against: entity, setting: path)
    }
  }
}
