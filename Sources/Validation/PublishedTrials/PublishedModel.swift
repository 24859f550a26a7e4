import ContextEngine
import Foundation
import Harness
import MachineCore

/// The model of a published table's entities, and the values that their objects get.
struct PublishedModel: Sendable {
  let model: ManagedObjectModel
  private let entities: [Entity]
  private let seed: UInt64

  /// An entity with the paths of its attributes.
  struct Entity: Sendable {
    let description: EntityDescription
    let attributes: [Attribute]

    /// Returns the attribute with a name, which must exist. The table's reader has checked that it does.
    func attribute(_ name: String) -> Attribute {
      guard let attribute = attributes.first(where: { $0.declaration.name == name }) else {
        trapMisuse("entity \(description.name) has no attribute \(name)")
      }
      return attribute
    }
  }

  struct Attribute: Sendable {
    let declaration: PublishedTable.Attribute
    let path: PropertyPath
    /// A number that is different for each attribute of the model, so that their values differ.
    let stream: UInt64
  }

  init(_ table: PublishedTable, seed: UInt64) {
    self.seed = seed
    let model = ManagedObjectModel(table.entities.map(Self.declaration))
    self.model = model
    entities = table.entities.enumerated().map { place, entity in
      let description = model.entity(entity.name)
      return Entity(
        description: description,
        attributes: entity.attributes.enumerated().map { index, attribute in
          Attribute(
            declaration: attribute, path: description.path(attribute.name), stream: UInt64(place * 1_000 + index))
        })
    }
  }

  /// Returns the entity with a name, which must exist. The table's reader has checked that it does.
  func entity(_ name: String) -> Entity {
    guard let entity = entities.first(where: { $0.description.name == name }) else {
      trapMisuse("the table has no entity \(name)")
    }
    return entity
  }

  var allEntities: [Entity] { entities }

  static func declaration(of entity: PublishedTable.Entity) -> ManagedObjectModel.Declaration {
    ManagedObjectModel.Declaration(
      entity.name,
      attributes: entity.attributes.map { attribute in
        AttributeDescription(
          attribute.name, attribute.type, isOptional: attribute.isOptional, isIndexed: attribute.isIndexed,
          valueTransformer: attribute.type == .transformable ? BytesTransformer(name: "PublishedBytes") : nil)
      },
      relationships: entity.relationships.map { relationship in
        RelationshipDescription(
          relationship.name, to: relationship.destination, inverse: relationship.inverse,
          isToMany: relationship.isToMany, deleteRule: relationship.deleteRule)
      },
      uniquenessConstraints: entity.uniquenessConstraints)
  }
}

// MARK: - Values

extension PublishedModel {
  /// Returns the value that object number `number` has for an attribute.
  ///
  /// `generation` is 0 for the value at insertion; each update of the attribute counts one further.
  func value(of attribute: Attribute, number: Int, generation: Int = 0) -> Value {
    let declaration = attribute.declaration
    guard number % declaration.interval == 0 else { return .null }
    let number = declaration.distinctCount.map { number % $0 } ?? number
    let shifted = number + generation
    var random = random(attribute, number: number, generation: generation)
    return switch declaration.type {
    case .integer16: .integer(Int64(shifted % Int(Int16.max)))
    case .integer32, .integer64: .integer(Int64(shifted))
    case .decimal: .decimal(Decimal(shifted) / 100)
    case .double, .float: .double(Double(shifted) / 4)
    case .boolean: .boolean(shifted % 2 == 0)
    case .date: .date(Double(shifted))
    case .string: .string(Self.text(declaration.length, number: number, using: &random))
    case .binary: .binary(Self.data(declaration.length, using: &random))
    case .uuid: .uuid(Self.uuid(&random))
    case .uri: .null
    case .transformable: .transformable(TransformableValue(Self.data(declaration.length, using: &random)))
    }
  }

  private func random(_ attribute: Attribute, number: Int, generation: Int) -> SeededRandom {
    // The factors are odd, so that different objects begin in different states.
    let state =
      seed &* 0x9e37_79b9_7f4a_7c15 ^ attribute.stream &* 0xd6e8_feb8_6659_fd93
      ^ UInt64(number) &* 0xa076_1d64_78bd_642f ^ UInt64(generation) &* 0xe703_7ed1_a0b4_28db
    var random = SeededRandom(seed: state)
    _ = random.next()
    return random
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
  /// The number of letters at the end of a longer string that spell its number, which makes 26⁵ strings different.
  private static let numberedLetterCount = 5

  private static func text(_ length: Int, number: Int, using random: inout SeededRandom) -> String {
    var bytes = (0..<length).map { _ in letters[random.below(letters.count)] }
    if length > numberedLetterCount {
      var rest = number
      for place in (length - numberedLetterCount)..<length {
        bytes[place] = letters[rest % letters.count]
        rest /= letters.count
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func data(_ length: Int, using random: inout SeededRandom) -> Data {
    Data((0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  private static func uuid(_ random: inout SeededRandom) -> UUID {
    let high = random.next()
    let low = random.next()
    func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * place)) }
    // Random UUIDs have version 4 and variant 1.
    return UUID(
      uuid: (
        byte(high, 7), byte(high, 6), byte(high, 5), byte(high, 4), byte(high, 3), byte(high, 2),
        byte(high, 1) & 0x0f | 0x40, byte(high, 0), byte(low, 7) & 0x3f | 0x80, byte(low, 6), byte(low, 5),
        byte(low, 4), byte(low, 3), byte(low, 2), byte(low, 1), byte(low, 0)
      ))
  }
}

// MARK: - Checking

extension PublishedTable {
  /// Checks that the entities form a valid model.
  ///
  /// - Throws: `PersistenceError` with a sentence that names the entity and the property that do not fit.
  package static func checkModel(of entities: [Entity]) throws(PersistenceError) {
    _ = try ManagedObjectModel(checking: entities.map(PublishedModel.declaration))
  }
}
