/// The import of a workload's records into the entities of a model, sufficient to decode records and to check a store.
package struct WorkloadSchema: Equatable, Sendable, Codable {
  /// The model of which a store is made.
  package let model: ModelDocument
  /// True if the user gave the model, false if it is that of a generated workload or follows from a feed.
  package let isModelGiven: Bool
  /// The import into each entity of the model, in the model's order. Records of a link's target come before those that
  /// link to it.
  package internal(set) var entities: [Entity]
  /// The form of records, which gives each record's entity.
  package var recordForm: RecordForm
  /// True if records may be followed by others of the same record of a feed, which an import saves together with them.
  package var hasGroups = false
  /// True if the run starts from a store of the user's. Entities that no record fills may then have rows too, which are
  /// named by their primary keys.
  package var startsFromStore = false

  /// The list that all screens show, or nil if the user has chosen none.
  package var list: ShownList?

  /// Creates a schema. The entities are those of the model, in its order.
  package init(
    _ model: ModelDocument, isModelGiven: Bool = false, entities: [Entity], recordForm: RecordForm = .tagged
  ) {
    self.model = model
    self.isModelGiven = isModelGiven
    self.entities = entities
    self.recordForm = recordForm
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

  /// The import into an entity of the model.
  package struct Entity: Equatable, Sendable, Codable {
    package let name: String
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
    /// False for an entity that is abstract, or has a key only because entities that inherit from it have it.
    package var isFilled = true

    /// The relationships that records set, links first.
    package var relationships: [Relationship] { links + lists }
    /// True if records fill the entity with rows.
    package var isImported: Bool { isFilled && !keyIndexes.isEmpty }
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

  /// An attribute of the model, and the member of records that sets it.
  package struct Attribute: Equatable, Sendable, Codable {
    /// The name in the model; its upper-case form is unique in the entity.
    package let name: String
    package let type: ValueType
    /// True if a store may keep large values in separate files.
    let allowsExternalStorage: Bool
    /// True if a record may have no value.
    package let isOptional: Bool
    /// The member of a record that holds the value. It differs from `name` for a generated key (`id`) and for renamed
    /// members.
    package var member: String
    /// True if the values are not in a feed's records: a digest of the record, or its place in the feed.
    package let isAdded: Bool
    /// True if some dates have fractions of seconds or lie before 1600. A record holds such a date as a number of seconds
    /// since 2001, and any other as text in the ISO 8601 format.
    package let hasNumericDates: Bool

    /// Creates the import of an attribute that a model declares. A record may have no value if the attribute is optional,
    /// unless `isOptional` is given. Traps if an import cannot set attributes of its type.
    package init(
      _ declared: ModelDocument.Attribute, isOptional: Bool? = nil, member: String? = nil, isAdded: Bool = false,
      hasNumericDates: Bool = false
    ) {
      name = declared.name
      type = declared.type.importedType(of: declared.name)
      allowsExternalStorage = declared.allowsExternalStorage
      self.isOptional = isOptional ?? declared.isOptional
      self.member = member ?? declared.name
      self.isAdded = isAdded
      self.hasNumericDates = hasNumericDates
    }

    /// The attribute that the user changes in entities without a model of their own. It appears in no record.
    package static let note = Attribute(.edited("note"))
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
