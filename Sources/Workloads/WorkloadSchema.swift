/// A description of a workload's rows, sufficient to create a model, to decode records and to check a store.
package struct WorkloadSchema: Hashable, Sendable, Codable {
  /// The entities. A link's target entity comes before the entity that links to it.
  package var entities: [Entity]
  /// The form of records, which gives each record's entity.
  package var recordForm: RecordForm

  package init(entities: [Entity], recordForm: RecordForm) {
    self.entities = entities
    self.recordForm = recordForm
  }

  /// Returns the index of an entity in `entities`, or nil if no entity has that name.
  package func index(ofEntity name: String) -> Int? {
    entities.firstIndex { $0.name == name }
  }
}

extension WorkloadSchema {
  package enum RecordForm: String, Hashable, Sendable, Codable {
    /// Records with a type. A row is `{"type":"Product","id":"…",…}`; a deletion is
    /// `{"type":"Product","id":"…","deleted":true}`.
    case tagged
    /// Records as a feed has them. They all belong to the only entity, none is a deletion, and members called `type`
    /// and `deleted` have no special meaning.
    case plain
  }

  package struct Entity: Hashable, Sendable, Codable {
    package var name: String
    /// The attributes that the import owns, including the key and without `note`.
    package var attributes: [Attribute]
    package var links: [Link]
    /// The index of the key in `attributes`.
    package var keyIndex: Int
    /// The indexes in `attributes` of the attributes that a list of this entity is sorted by, all ascending. The key is
    /// last.
    package var sortIndexes: [Int]
    /// The indexes in `attributes` of the attributes that a cell shows. It also shows `note`.
    package var shownIndexes: [Int]

    package init(
      name: String, attributes: [Attribute], links: [Link] = [], keyIndex: Int, sortIndexes: [Int], shownIndexes: [Int]
    ) {
      self.name = name
      self.attributes = attributes
      self.links = links
      self.keyIndex = keyIndex
      self.sortIndexes = sortIndexes
      self.shownIndexes = shownIndexes
    }

    package var keyAttribute: Attribute { attributes[keyIndex] }
    package var sortAttributes: [Attribute] { sortIndexes.map { attributes[$0] } }
    /// The attributes that a cell shows, `note` last.
    package var shownAttributes: [Attribute] { shownIndexes.map { attributes[$0] } + [Entity.editedAttribute] }
    /// The attributes that the model declares: those of the import, and `note`.
    package var allAttributes: [Attribute] { attributes + [Entity.editedAttribute] }

    /// The attribute that only the user changes. It is in every entity, is optional and appears in no record.
    package static let editedAttribute = Attribute(name: "note", type: .string, isOptional: true)
  }

  package struct Attribute: Hashable, Sendable, Codable {
    /// The name in the model; its upper-case form is unique in the entity.
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
    /// The member of a record that holds the value. It differs from `name` for a generated key (`id`) and for renamed
    /// members.
    package var member: String
    /// The name of the feed's member that the values come from, or nil if they come from no feed.
    package var feedMember: String?

    package init(
      name: String, type: AttributeType, isOptional: Bool = false, member: String? = nil, feedMember: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.member = member ?? name
      self.feedMember = feedMember
    }
  }

  package enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    case integer64
    case double
    case boolean
    case date
    case string
  }

  /// A to-one relationship, whose own delete rule is always nullify. The record's member of the same name holds the
  /// target's key.
  package struct Link: Hashable, Sendable, Codable {
    package var name: String
    package var targetEntity: String
    /// The name of the target's to-many relationship that mirrors this one.
    package var inverseName: String
    /// The effect of deleting the target on the rows that link to it.
    package var inverseDeleteRule: DeleteRule

    package init(name: String, targetEntity: String, inverseName: String, inverseDeleteRule: DeleteRule) {
      self.name = name
      self.targetEntity = targetEntity
      self.inverseName = inverseName
      self.inverseDeleteRule = inverseDeleteRule
    }
  }

  package enum DeleteRule: String, Hashable, Sendable, Codable {
    case nullify
    case cascade
  }

  /// A to-many relationship of an entity, which mirrors a link of another entity.
  package struct Inverse: Hashable, Sendable {
    package var name: String
    /// The index of the entity whose rows link here. `sourceLink` is the index of the link among that entity's links.
    package var sourceEntity: Int
    package var sourceLink: Int
    package var deleteRule: DeleteRule
  }

  /// Returns the to-many relationships of an entity, in the order of the entities and links that they mirror.
  package func inverses(of entity: Int) -> [Inverse] {
    var inverses: [Inverse] = []
    for (source, candidate) in entities.enumerated() {
      for (place, link) in candidate.links.enumerated() where link.targetEntity == entities[entity].name {
        inverses.append(
          Inverse(
            name: link.inverseName, sourceEntity: source, sourceLink: place, deleteRule: link.inverseDeleteRule))
      }
    }
    return inverses
  }
}

// MARK: - The generated workloads

extension WorkloadSchema {
  /// A schema of suppliers, their products, and the products' prices.
  package static let catalog = WorkloadSchema(
    entities: [
      Entity(
        name: "Supplier",
        attributes: [
          .remoteID, .name, Attribute(name: "city", type: .string), Attribute(name: "updatedAt", type: .date),
        ],
        keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1, 3]),
      Entity(
        name: "Product",
        attributes: [
          .remoteID, .name, Attribute(name: "detail", type: .string), Attribute(name: "weight", type: .double),
          Attribute(name: "createdAt", type: .date), Attribute(name: "updatedAt", type: .date),
        ],
        links: [
          Link(name: "supplier", targetEntity: "Supplier", inverseName: "products", inverseDeleteRule: .nullify)
        ],
        keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1, 3]),
      Entity(
        name: "Price",
        attributes: [
          .remoteID, .name, Attribute(name: "amount", type: .double), Attribute(name: "currency", type: .string),
          Attribute(name: "validFrom", type: .date),
        ],
        links: [
          Link(name: "product", targetEntity: "Product", inverseName: "prices", inverseDeleteRule: .cascade)
        ],
        keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1, 2]),
    ],
    recordForm: .tagged)

  /// A schema of one entity without links.
  package static let flat = WorkloadSchema(
    entities: [
      Entity(
        name: "Item", attributes: [.remoteID, .name, Attribute(name: "amount", type: .double)],
        keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1, 2])
    ],
    recordForm: .tagged)
}

extension WorkloadSchema.Attribute {
  fileprivate static let remoteID = WorkloadSchema.Attribute(name: "remoteID", type: .string, member: "id")
  fileprivate static let name = WorkloadSchema.Attribute(name: "name", type: .string)
}
