/// The rule by which one derived attribute is computed at each save, parsed once from its expression.
package struct Derivation: Sendable {
  /// The slot of the derived attribute.
  package let slot: Int
  package let attribute: AttributeDescription
  package let formula: Formula

  package enum Formula: Sendable {
    /// `now()`: the time of the save, in seconds since 2001-01-01 00:00 UTC.
    case now
    /// `author.name` or `canonical:(name)`: an attribute reached over any number of to-one relationships, given as
    /// slots.
    case attribute(toOnes: [Int], slot: Int, function: TextFunction?)
    /// `books.@count`: the place of the relationship among the to-many relationships.
    case count(toMany: Int)
    /// `books.price.@sum`: the place of the relationship, and the slot of the attribute in its destination.
    case sum(toMany: Int, slot: Int)
  }

  package enum TextFunction: String, Sendable {
    case canonical
    case uppercase
    case lowercase

    /// Returns the result of the function for a text, by rules that do not depend on a locale. O(bytes).
    package func callAsFunction(_ text: String) -> String {
      switch self {
      case .canonical: ComparisonOptions([.caseInsensitive, .diacriticInsensitive]).fold(text)
      case .uppercase: text.uppercased()
      case .lowercase: text.lowercased()
      }
    }
  }

  /// The place of the to-many relationship that the attribute is computed from, or nil if there is none.
  var toMany: Int? {
    switch formula {
    case .count(let toMany), .sum(let toMany, _): toMany
    case .now, .attribute: nil
    }
  }

  /// Returns the value converted to the attribute's type. An integer becomes a floating-point number for floating-point
  /// types, and is clamped to the range of 16-bit and 32-bit types.
  func fitting(_ value: Value) -> Value {
    switch (attribute.type, value.number) {
    case (.double, .integer(let number)), (.float, .integer(let number)): attribute.stored(.double(Double(number)))
    case (.integer16, .integer(let number)): .integer(Int64(Int16(clamping: number)))
    case (.integer32, .integer(let number)): .integer(Int64(Int32(clamping: number)))
    // This is a sum that exceeded 64 bits.
    case (let type, .real(let number)) where type.isInteger: .integer(number < 0 ? .min : .max)
    default: value.isNull ? value : attribute.stored(value)
    }
  }
}

/// The derivations of a model, by entity.
package struct Derivations: Sendable {
  /// The derivations of each entity by its index, including those of inherited attributes, in the order of the slots.
  private let lists: [[Derivation]]
  /// The slots of the derived attributes of each entity, as bits.
  private let slots: [SlotSet]

  /// True if the model has no derived attributes.
  package let isEmpty: Bool
  /// True if any attribute is derived from attributes of other objects.
  let followOthers: Bool

  /// Parses the expressions of all derived attributes.
  ///
  /// - Throws: `.invalidModel` if an expression cannot be parsed or names a property that does not exist or cannot be
  ///   used.
  init(_ entities: [EntityDescription]) throws(PersistenceError) {
    var lists: [[Derivation]] = []
    for entity in entities {
      var list: [Derivation] = []
      for (slot, property) in entity.slots.enumerated() {
        guard case .attribute(let attribute) = property, let text = attribute.derivationExpression else { continue }
        let parser = DerivationParser(attribute: attribute, entity: entity, entities: entities)
        list.append(Derivation(slot: slot, attribute: attribute, formula: try parser.formula(of: text)))
      }
      lists.append(list)
    }
    self.lists = lists
    slots = lists.map { SlotSet($0.map(\.slot)) }
    isEmpty = lists.allSatisfy(\.isEmpty)
    followOthers = lists.joined().contains { derivation in
      switch derivation.formula {
      case .attribute(let toOnes, _, _): !toOnes.isEmpty
      case .sum: true
      case .now, .count: false
      }
    }
  }

  package subscript(entity: Int) -> [Derivation] { lists[entity] }

  func slots(of entity: Int) -> SlotSet { slots[entity] }
}
