/// How one derived attribute is computed at each save, read from its expression once.
package struct Derivation: Sendable {
  /// The slot of the derived attribute.
  package let slot: Int
  package let attribute: AttributeDescription
  package let formula: Formula

  package enum Formula: Sendable {
    /// `now()`: the instant of the save, in seconds since 2001-01-01 00:00 UTC.
    case now
    /// `author.name`, or `canonical:(name)`: an attribute behind any number of to-one relationships, given as slots.
    case attribute(toOnes: [Int], slot: Int, function: TextFunction?)
    /// `books.@count`: the place among the to-many relationships.
    case count(toMany: Int)
    /// `books.price.@sum`: the slot in what the relationship leads to.
    case sum(toMany: Int, slot: Int)
  }

  package enum TextFunction: String, Sendable {
    case canonical
    case uppercase
    case lowercase

    /// The text as the function makes it, by rules that depend on no locale. O(bytes).
    package func callAsFunction(_ text: String) -> String {
      switch self {
      case .canonical: ComparisonOptions([.caseInsensitive, .diacriticInsensitive]).fold(text)
      case .uppercase: text.uppercased()
      case .lowercase: text.lowercased()
      }
    }
  }

  /// The to-many relationship whose members count; nil = none does.
  var toMany: Int? {
    switch formula {
    case .count(let toMany), .sum(let toMany, _): toMany
    case .now, .attribute: nil
    }
  }

  /// The value as the attribute's type holds it: whole numbers become what the type counts in, cut off where it ends.
  func fitting(_ value: Value) -> Value {
    switch (attribute.type, value.number) {
    case (.double, .integer(let number)), (.float, .integer(let number)): attribute.stored(.double(Double(number)))
    case (.integer16, .integer(let number)): .integer(Int64(Int16(clamping: number)))
    case (.integer32, .integer(let number)): .integer(Int64(Int32(clamping: number)))
    // A sum that left 64 bits.
    case (let type, .real(let number)) where type.isInteger: .integer(number < 0 ? .min : .max)
    default: value.isNull ? value : attribute.stored(value)
    }
  }
}

/// The derivations of a model, by entity.
package struct Derivations: Sendable {
  /// By the index of an entity, those of all its derived attributes, inherited ones included, in the order of the slots.
  private let lists: [[Derivation]]
  /// The slots of derived attributes by entity, as bits.
  private let slots: [UInt64]

  /// Whether there are none.
  package let isEmpty: Bool
  /// Whether any comes from attributes of other objects.
  let followOthers: Bool

  /// - Throws: `.invalidModel` where an expression cannot be read or leads to a property that is not there.
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
    slots = lists.map { $0.reduce(0) { $0 | 1 << UInt64($1.slot) } }
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

  func slots(of entity: Int) -> UInt64 { slots[entity] }
}
