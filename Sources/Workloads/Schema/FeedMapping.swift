/// The way from the members of a feed's records to the properties of a model's entities.
///
/// A mapping is inferred from a feed, with a model or without, and can be written to a file, edited and read again. It
/// has all that is needed to make a schema of a workload and to convert each record.
package struct FeedMapping: Equatable, Sendable, Codable {
  /// The places and the form of the records in the feed.
  package var shape: FeedShape
  /// The mapped entities. The first is the entity of the feed's own records, and the others are those of nested values
  /// and of references.
  package var entities: [Entity]
  /// The members of records that no property takes, as paths such as `Record.address.city`, in the order of their bytes.
  package var unmatched: [String] = []

  /// The mapping of one entity.
  package struct Entity: Equatable, Sendable, Codable {
    /// The name of the model's entity.
    package var name: String
    package var key: Key
    package var attributes: [Attribute]
    package var relationships: [Relationship] = []
    /// The name of the optional string attribute that the user edits, or nil if the user edits no rows of the entity.
    package var editedAttribute: String?
    /// True if the feed has only keys of such rows, in references.
    package var isReferenceOnly = false
  }

  /// The source of the key of an entity's rows.
  package enum Key: Hashable, Sendable, Codable {
    /// The values of attributes, by name, the one that distinguishes the most rows first.
    case attributes([String])
    /// A digest of the record's content, which an added string attribute of this name holds. Records of equal content
    /// are one row.
    case content(attribute: String)
    /// The place of the record in the feed, which an added integer attribute of this name holds.
    case place(attribute: String)

    /// The names of the key's attributes.
    package var attributeNames: [String] {
      switch self {
      case .attributes(let names): names
      case .content(let name), .place(let name): [name]
      }
    }
  }

  /// An attribute of the model, and the member of records that sets it.
  @dynamicMemberLookup
  package struct Attribute: Equatable, Sendable, Codable {
    /// The model's attribute. Its type is one whose values an import can set.
    package var declaration: ModelDocument.Attribute
    /// The names that lead from the record to the value. More than one name leads into nested objects.
    package var member: [String]
    /// The form of dates, or nil to recognise it from each value.
    package var dateForm: DateForm?
    /// The value of all rows as text, or nil if the values come from a member.
    package var constant: String?

    package var type: ValueType { declaration.type.importedType(of: declaration.name) }

    package subscript<Value>(dynamicMember path: WritableKeyPath<ModelDocument.Attribute, Value>) -> Value {
      get { declaration[keyPath: path] }
      set { declaration[keyPath: path] = newValue }
    }
  }

  /// The forms in which feeds write dates.
  package enum DateForm: String, Hashable, Sendable, Codable, CaseIterable {
    case iso8601
    case rfc822
    /// Seconds since 1970.
    case seconds
    /// Milliseconds since 1970.
    case milliseconds
  }

  /// A relationship that a member of records sets.
  @dynamicMemberLookup
  package struct Relationship: Equatable, Sendable, Codable {
    /// The model's relationship, declared by this entity.
    package var end: RelationshipEnd
    /// The target's relationship that mirrors this one, or nil if it does not exist.
    package var inverse: RelationshipEnd?
    package var member: [String]
    /// The index of the target among the mapping's entities.
    package var target: Int
    /// True if the member holds keys of the target, false if it holds nested objects.
    package var isReference = false
    /// The member of the targets that takes the names under which they are in the member's object, or nil if they have
    /// no names.
    package var keyMember: String?
    /// True if the targets' records carry the relationship, as a link back to the record that contains them.
    package var isCarriedByTarget = false

    package subscript<Value>(dynamicMember path: KeyPath<RelationshipEnd, Value>) -> Value { end[keyPath: path] }
  }
}

extension FeedMapping.Attribute {
  /// Creates the mapping of an attribute that no model declares.
  init(_ name: String, _ type: ValueType, isOptional: Bool = true, member: [String]) {
    self.init(
      declaration: ModelDocument.Attribute(name: name, type: .value(type), isOptional: isOptional), member: member)
  }
}

extension FeedMapping.Key {
  /// The attribute that the mapping adds for the key, or nil if members of records have the key.
  var addedDeclaration: ModelDocument.Attribute? {
    switch self {
    case .attributes: nil
    case .content(let name): ModelDocument.Attribute(name: name, type: .value(.string))
    case .place(let name): ModelDocument.Attribute(name: name, type: .value(.integer64))
    }
  }
}

extension FeedMapping.Entity {
  /// The attribute that the user edits, or nil if the user edits no rows of the entity.
  var editedDeclaration: ModelDocument.Attribute? { editedAttribute.map(ModelDocument.Attribute.edited) }
}
