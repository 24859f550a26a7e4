/// What a workload's rows look like: enough to make a model of, to decode records by, and to check a store against.
package struct WorkloadSchema: Hashable, Sendable, Codable {
  /// In the order in which records refer to each other: a link's target entity comes first.
  package var entities: [Entity]
  /// How a record says which entity it is of.
  package var recordForm: RecordForm

  package init(entities: [Entity], recordForm: RecordForm) {
    self.entities = entities
    self.recordForm = recordForm
  }

  /// The place of an entity in `entities`; nil if there is none of that name.
  package func index(ofEntity name: String) -> Int? {
    entities.firstIndex { $0.name == name }
  }
}

extension WorkloadSchema {
  package enum RecordForm: String, Hashable, Sendable, Codable {
    /// `{"type":"Product","id":"…",…}`; a deletion is `{"type":"Product","id":"…","deleted":true}`.
    case tagged
    /// A feed's own record: all are of the one entity, none is a deletion, `type` and `deleted` mean nothing.
    case plain
  }

  package struct Entity: Hashable, Sendable, Codable {
    package var name: String
    /// The attributes that the import owns, the key among them; `note` is not.
    package var attributes: [Attribute]
    package var links: [Link]
    /// The place of the key in `attributes`.
    package var keyIndex: Int
    /// The places in `attributes` of what a list of this entity sorts by, all ascending; the key is the last.
    package var sortIndexes: [Int]
    /// The places in `attributes` of what a cell shows; it shows `note` besides.
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
    /// What a cell shows, `note` last.
    package var shownAttributes: [Attribute] { shownIndexes.map { attributes[$0] } + [Entity.editedAttribute] }
    /// What the model declares: the import's attributes and `note`.
    package var allAttributes: [Attribute] { attributes + [Entity.editedAttribute] }

    /// The attribute that the user owns: in no record, optional, in every entity.
    package static let editedAttribute = Attribute(name: "note", type: .string, isOptional: true)
  }

  package struct Attribute: Hashable, Sendable, Codable {
    /// The name in the model; its upper-case form is unique in the entity.
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
    /// The member of a record that holds it; differs from `name` for a generated key (`id`) and for renamed ones.
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

  /// A to-one relationship; its own delete rule is always nullify. In a record, the member of this name is a key.
  package struct Link: Hashable, Sendable, Codable {
    package var name: String
    package var targetEntity: String
    /// The to-many on the target that mirrors it.
    package var inverseName: String
    /// What deleting the target does to the rows that link to it.
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

  /// A to-many as its owner sees it: the link that it mirrors.
  package struct Inverse: Hashable, Sendable {
    package var name: String
    /// The entity whose rows link here, and which of its links does.
    package var sourceEntity: Int
    package var sourceLink: Int
    package var deleteRule: DeleteRule
  }

  /// The to-many relationships of an entity, in the order of the entities and links that they mirror.
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
  /// Suppliers, their products, and the products' prices.
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

  /// One entity without links.
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
