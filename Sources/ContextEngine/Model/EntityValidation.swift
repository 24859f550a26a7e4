import MachineCore

/// The checks that a save makes of the objects of one entity, collected once from the entity's properties.
struct EntityValidation: Sendable {
  /// The slots that must have a value when an object is saved.
  let mandatorySlots: [Int]
  /// The slots of the transformable attributes that a store keeps, whose values must be converted to bytes.
  let transformableSlots: [Int]
  /// The attributes with validation rules.
  let ruledSlots: [RuledSlot]
  /// The places of the to-many relationships that limit the number of their objects.
  let countedToManys: [Int]
  /// The slots of the to-one relationships and the places of the to-many relationships that can deny a deletion.
  let denyingSlots: [Int]
  let denyingToManys: [Int]

  struct RuledSlot: Sendable {
    let slot: Int
    let rules: ValidationRules
    let pattern: CompiledPattern?
  }

  /// True if values have to be checked before new and changed objects are saved.
  let checksValues: Bool
  /// True if there are more checks than the one that mandatory slots, given in `mandatorySet`, have values.
  let checksMore: Bool
  let mandatorySet: SlotSet
  /// True if a deletion can be denied.
  let checksDeletion: Bool

  init(slots: [EntityDescription.Slot], toManys: [EntityDescription.ToMany], hooks: DeclaredCallbacks.Hooks) {
    mandatorySlots = slots.indices.filter { slot in
      switch slots[slot] {
      // Derived attributes are computed after the check.
      case .attribute(let attribute): !attribute.isOptional && attribute.derivationExpression == nil
      case .toOne(let relationship): !relationship.isOptional
      }
    }
    ruledSlots = slots.indices.compactMap { slot in
      guard case .attribute(let attribute) = slots[slot], !attribute.validation.isEmpty else { return nil }
      let rules = attribute.validation
      return RuledSlot(slot: slot, rules: rules, pattern: rules.pattern.flatMap(CompiledPattern.init))
    }
    transformableSlots = slots.indices.filter { slot in
      guard case .attribute(let attribute) = slots[slot] else { return false }
      return attribute.type == .transformable && !attribute.isTransient
    }
    countedToManys = toManys.indices.filter { toManys[$0].hasCountBounds }
    denyingSlots = slots.indices.filter { slot in
      if case .toOne(let relationship) = slots[slot] { relationship.deleteRule == .deny } else { false }
    }
    denyingToManys = toManys.indices.filter { toManys[$0].deleteRule == .deny }
    mandatorySet = SlotSet(mandatorySlots)
    checksMore =
      !ruledSlots.isEmpty || !countedToManys.isEmpty || !transformableSlots.isEmpty
      || !hooks.isDisjoint(with: [.validateForInsert, .validateForUpdate, .validateValue])
    checksValues = checksMore || !mandatorySlots.isEmpty
    checksDeletion = !denyingSlots.isEmpty || !denyingToManys.isEmpty || hooks.contains(.validateForDelete)
  }

  func rules(at slot: Int) -> RuledSlot? {
    ruledSlots.first { $0.slot == slot }
  }
}
