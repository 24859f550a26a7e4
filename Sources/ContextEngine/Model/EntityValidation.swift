import MachineCore

/// What a save checks in the objects of one entity, gathered once from its properties.
struct EntityValidation: Sendable {
  /// The slots that may not be saved empty.
  let mandatorySlots: [Int]
  /// The transformable attributes that a store keeps, of whose values bytes have to be made.
  let transformableSlots: [Int]
  /// The attributes with rules.
  let ruledSlots: [RuledSlot]
  /// The places of the to-many relationships that bound how many objects they lead to.
  let countedToManys: [Int]
  /// The slots and the to-many places of relationships that forbid a deletion.
  let denyingSlots: [Int]
  let denyingToManys: [Int]

  struct RuledSlot: Sendable {
    let slot: Int
    let rules: ValidationRules
    let pattern: CompiledPattern?
  }

  /// Whether values have to be looked at before new and changed objects are saved.
  let checksValues: Bool
  /// Whether there is more to look at than whether mandatory slots, as bits, are empty.
  let checksMore: Bool
  let mandatoryBits: UInt64
  /// Whether a deletion can be denied.
  let checksDeletion: Bool

  init(slots: [EntityDescription.Slot], toManys: [EntityDescription.ToMany], hooks: DeclaredCallbacks.Hooks) {
    mandatorySlots = slots.indices.filter { slot in
      switch slots[slot] {
      // What is derived is computed after the check.
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
    countedToManys = toManys.indices.filter { !toManys[$0].isOptional || toManys[$0].hasCountBounds }
    denyingSlots = slots.indices.filter { slot in
      if case .toOne(let relationship) = slots[slot] { relationship.deleteRule == .deny } else { false }
    }
    denyingToManys = toManys.indices.filter { toManys[$0].deleteRule == .deny }
    mandatoryBits = mandatorySlots.reduce(0) { $0 | 1 << UInt64($1) }
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
