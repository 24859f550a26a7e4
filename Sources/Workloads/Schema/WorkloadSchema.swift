/// A description of a workload's rows, sufficient to create a model, to decode records and to check a store.
package struct WorkloadSchema: Equatable, Sendable, Codable {
  /// The entities. A link's target entity comes before the entity that links to it.
  package internal(set) var entities: [Entity]
  /// The form of records, which gives each record's entity.
  package var recordForm: RecordForm
  /// The model of which a store is made: the user's, or one that the entities describe.
  package let model: ModelDocument
  /// True if the user gave the model.
  package let isModelGiven: Bool
  /// True if records may be followed by others of the same record of a feed, which an import saves together with them.
  package var hasGroups = false
  /// True if the run starts from a store of the user's. Entities that no record fills may then have rows too, which are
  /// named by their primary keys.
  package var startsFromStore = false

  /// The list that all screens show, or nil if the user has chosen none.
  package var list: ShownList?

  /// Creates a schema of a user's model, or of the model that the entities describe if the user gave none.
  package init(entities: [Entity], recordForm: RecordForm, model: ModelDocument? = nil) {
    self.entities = entities
    self.recordForm = recordForm
    self.model = model ?? ModelDocument(describedBy: entities)
    isModelGiven = model != nil
  }

  /// True if values of some entity must be unique in a store.
  package var hasUniqueValues: Bool { model.entities.contains { !$0.uniquenessConstraints.isEmpty } }

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

  package struct Entity: Equatable, Sendable, Codable {
    package var name: String
    /// The name of the entity that this one inherits from, or nil if it does not exist.
    package var superentity: String?
    /// True if only entities that inherit from this one have rows.
    package var isAbstract: Bool
    /// The attributes that the import sets, inherited ones first, including the key. The attribute that the user edits
    /// is not among them.
    package var attributes: [Attribute]
    /// The to-one relationships that records set.
    package var links: [Relationship]
    /// The to-many relationships that records set.
    package var lists: [Relationship]
    /// The indexes of the key's attributes in `attributes`, the one that distinguishes the most rows first. It is empty
    /// for an entity that no record fills.
    package var keyIndexes: [Int]
    /// The indexes in `attributes` of the attributes that a list of this entity is sorted by. The key is last.
    package var sortIndexes: [Int]
    /// The indexes among `sortIndexes` of the attributes whose order is descending.
    package var descendingIndexes: [Int] = []
    /// The indexes in `attributes` of the attributes that a cell shows. It also shows the edited attribute.
    package var shownIndexes: [Int]
    /// The optional string attribute that only the user changes, or nil if the user edits no rows of this entity.
    package var editedAttribute: Attribute?
    /// False for an entity that has a key only because entities that inherit from it have it.
    package var isFilled = true

    package init(
      name: String, superentity: String? = nil, isAbstract: Bool = false, attributes: [Attribute],
      links: [Relationship] = [], lists: [Relationship] = [], keyIndexes: [Int], sortIndexes: [Int],
      shownIndexes: [Int], editedAttribute: Attribute? = .note
    ) {
      self.name = name
      self.superentity = superentity
      self.isAbstract = isAbstract
      self.attributes = attributes
      self.links = links
      self.lists = lists
      self.keyIndexes = keyIndexes
      self.sortIndexes = sortIndexes
      self.shownIndexes = shownIndexes
      self.editedAttribute = editedAttribute
    }

    /// Creates an entity with a key of one attribute.
    package init(
      name: String, attributes: [Attribute], links: [Relationship] = [], keyIndex: Int, sortIndexes: [Int],
      shownIndexes: [Int]
    ) {
      self.init(
        name: name, attributes: attributes, links: links, keyIndexes: [keyIndex], sortIndexes: sortIndexes,
        shownIndexes: shownIndexes)
    }

    /// The relationships that records set, links first.
    package var relationships: [Relationship] { links + lists }
    /// True if records fill the entity with rows.
    package var isImported: Bool { isFilled && !isAbstract && !keyIndexes.isEmpty }
    package var keyAttributes: [Attribute] { keyIndexes.map { attributes[$0] } }
    package var sortAttributes: [Attribute] { sortIndexes.map { attributes[$0] } }
    /// The attributes that a cell shows, the edited one last.
    package var shownAttributes: [Attribute] {
      shownIndexes.map { attributes[$0] } + [editedAttribute].compactMap(\.self)
    }
    /// The attributes of the import, and the edited one.
    package var allAttributes: [Attribute] { attributes + [editedAttribute].compactMap(\.self) }

    /// Returns the member of a record that holds the keys of a relationship: the relationship's name, unless the name has
    /// another meaning there or is the member of an attribute.
    package func member(ofRelationship name: String) -> String {
      let isTaken = Self.reservedMembers.contains(name) || attributes.contains { $0.member == name }
      guard isTaken else { return name }
      var member = name + "_"
      while attributes.contains(where: { $0.member == member }) || links.contains(where: { $0.name == member })
        || lists.contains(where: { $0.name == member })
      {
        member += "_"
      }
      return member
    }

    /// The members of a record that have a meaning of their own.
    static let reservedMembers: Set<String> = ["type", "deleted", "isFollowed"]

    /// Returns the key of a row with these values of `attributes`, or nil if all values of the key are null.
    package func key(of values: [FieldValue]) -> RecordKey? {
      keyIndexes.count == 1 ? RecordKey(values[keyIndexes[0]]) : RecordKey(keyIndexes.map { values[$0] })
    }
  }

  package struct Attribute: Equatable, Sendable, Codable {
    /// The name in the model; its upper-case form is unique in the entity.
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
    /// The member of a record that holds the value. It differs from `name` for a generated key (`id`) and for renamed
    /// members.
    package var member: String
    /// True if the values are not in a feed's records: a digest of the record, or its place in the feed.
    package var isAdded: Bool
    /// True if some dates have fractions of seconds or lie before 1600. A record holds such a date as a number of seconds
    /// since 2001, and any other as text in the ISO 8601 format.
    package var hasNumericDates: Bool
    /// True if a store may keep large values in separate files.
    package var allowsExternalStorage: Bool

    package init(
      name: String, type: AttributeType, isOptional: Bool = false, member: String? = nil, isAdded: Bool = false,
      hasNumericDates: Bool = false, allowsExternalStorage: Bool = false
    ) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.member = member ?? name
      self.isAdded = isAdded
      self.hasNumericDates = hasNumericDates
      self.allowsExternalStorage = allowsExternalStorage
    }

    /// The attribute that the user changes in entities without a model of their own. It appears in no record.
    package static let note = Attribute(name: "note", type: .string, isOptional: true)
  }

  /// The types of a model's attributes that an import can set. The raw values are the names in the model's file.
  package enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    case integer16 = "Integer 16"
    case integer32 = "Integer 32"
    case integer64 = "Integer 64"
    case decimal = "Decimal"
    case double = "Double"
    case float = "Float"
    case boolean = "Boolean"
    case date = "Date"
    case string = "String"
    case binary = "Binary"
    case uuid = "UUID"
    case uri = "URI"
    case transformable = "Transformable"

    /// Creates the type of an attribute of a model, or nil if an import cannot set such attributes.
    package init?(_ type: ModelDocument.AttributeType) { self.init(rawValue: type.rawValue) }

    package var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
  }

  /// A relationship that records set. A member of the record holds the key of its target, or a list of keys if the
  /// relationship is to-many.
  @dynamicMemberLookup
  package struct Relationship: Equatable, Sendable, Codable {
    package var end: RelationshipEnd
    package var targetEntity: String
    /// The target's relationship that mirrors this one, or nil if it does not exist.
    package var inverse: RelationshipEnd?

    package init(_ end: RelationshipEnd, to targetEntity: String, inverse: RelationshipEnd?) {
      self.end = end
      self.targetEntity = targetEntity
      self.inverse = inverse
    }

    package subscript<Value>(dynamicMember path: KeyPath<RelationshipEnd, Value>) -> Value { end[keyPath: path] }

    /// True if a target belongs to one row at most. That is so for a to-many relationship without an inverse too,
    /// because a store keeps the key of the owner in the target's row.
    package var isExclusive: Bool { inverse.map { !$0.isToMany } ?? end.isToMany }
  }

  /// A relationship of an entity that mirrors a link of an entity.
  package struct Mirror: Equatable, Sendable {
    package var name: String
    /// The index of the entity whose rows link here. `sourceLink` is the index of the link among that entity's links.
    package var sourceEntity: Int
    package var sourceLink: Int
  }

  /// Returns the relationships of an entity that mirror links, in the order of the entities and links that they mirror.
  /// A link to an entity that this one inherits from counts too.
  package func inverses(of entity: Int) -> [Mirror] {
    let lineage = lineage(of: entity).map { entities[$0].name }
    var inverses: [Mirror] = []
    for (source, candidate) in entities.enumerated() where candidate.isImported {
      for (place, link) in candidate.links.enumerated() where lineage.contains(link.targetEntity) {
        guard let inverse = link.inverse else { continue }
        inverses.append(Mirror(name: inverse.name, sourceEntity: source, sourceLink: place))
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
          Relationship(.toOne("supplier"), to: "Supplier", inverse: .toMany("products"))
        ],
        keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1, 3]),
      Entity(
        name: "Price",
        attributes: [
          .remoteID, .name, Attribute(name: "amount", type: .double), Attribute(name: "currency", type: .string),
          Attribute(name: "validFrom", type: .date),
        ],
        links: [
          Relationship(.toOne("product"), to: "Product", inverse: .toMany("prices", deleteRule: .cascade))
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
