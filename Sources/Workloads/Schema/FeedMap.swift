/// The parts of a feed's mapping that a user gives. All other parts are inferred.
///
/// A map is read from a file. It is passed on as a value, so that a change of the file does not affect a run that has
/// begun.
package struct FeedMap: Hashable, Sendable, Codable {
  /// The file, as errors name it.
  package var place: String
  package var shape: Shape
  /// The name of the entity of the feed's own records, or nil to infer it.
  package var records: String?
  /// The line of `records` in the file.
  package var recordsLine: Int?
  package var entities: [Entity]

  package init(place: String, shape: Shape = Shape(), records: String? = nil, entities: [Entity] = []) {
    self.place = place
    self.shape = shape
    self.records = records
    self.entities = entities
  }

  /// The parts of a feed's shape that are given. Those that are nil are detected.
  package struct Shape: Hashable, Sendable, Codable {
    package var container: FeedShape.Container?
    package var path: [String]?
    package var envelope: [String]?
    package var omitted: [String]?
    package var keyMember: String?

    package init() {}
  }

  /// The parts of an entity's mapping that are given.
  package struct Entity: Hashable, Sendable, Codable {
    package var name: String
    /// The number of the line in the file.
    package var line: Int?
    /// True if the inferred entity is left out, with the relationships that lead to it.
    package var isRemoved: Bool
    package var key: FeedMapping.Key?
    package var attributes: [Attribute]
    package var relationships: [Relationship]
    /// The members without a property about which there is no remark.
    package var ignored: [[String]]
    /// The attribute that the user edits, or nil to infer it.
    package var edited: Edited?

    package init(
      name: String, line: Int? = nil, isRemoved: Bool = false, key: FeedMapping.Key? = nil,
      attributes: [Attribute] = [], relationships: [Relationship] = [], ignored: [[String]] = [], edited: Edited? = nil
    ) {
      self.name = name
      self.line = line
      self.isRemoved = isRemoved
      self.key = key
      self.attributes = attributes
      self.relationships = relationships
      self.ignored = ignored
      self.edited = edited
    }
  }

  /// The choice of the attribute that the user edits.
  package enum Edited: Hashable, Sendable, Codable {
    case attribute(String)
    case nothing
  }

  package struct Attribute: Hashable, Sendable, Codable {
    package var name: String
    /// The number of the line in the file.
    package var line: Int?
    package var source: Source
    /// The type of the attribute, or nil for that of the model or of the member's values.
    package var type: ValueType?

    package init(name: String, line: Int? = nil, source: Source, type: ValueType? = nil) {
      self.name = name
      self.line = line
      self.source = source
      self.type = type
    }

    /// The source of an attribute's values.
    package enum Source: Hashable, Sendable, Codable {
      /// The value at a path of members, with the form of dates, which is nil to recognise it from each value.
      case member([String], FeedMapping.DateForm?)
      /// One value for all rows, as text.
      case constant(String)
      /// No source. The inferred attribute is left out.
      case removed
    }
  }

  package struct Relationship: Hashable, Sendable, Codable {
    package var name: String
    /// The number of the line in the file.
    package var line: Int?
    /// The path of members that leads to nested objects or to references, or nil to leave the inferred relationship
    /// out.
    package var member: [String]?
    /// The attribute of the target that references contain, or nil if the member holds nested objects.
    package var referenceAttribute: String?
    /// The name of the target, or nil to infer it.
    package var target: String?

    package init(
      name: String, line: Int? = nil, member: [String]?, referenceAttribute: String? = nil, target: String? = nil
    ) {
      self.name = name
      self.line = line
      self.member = member
      self.referenceAttribute = referenceAttribute
      self.target = target
    }
  }
}

extension FeedMap.Shape {
  /// Returns a detected shape with the parts of this one.
  ///
  /// - Parameter detected: The shape that was detected, or nil if none was.
  /// - Returns: The shape, or nil if it lacks a container.
  func completing(_ detected: FeedShape?) -> FeedShape? {
    guard var shape = detected ?? container.map({ FeedShape($0) }) else { return nil }
    if let container { shape.container = container }
    if let path { shape.path = path }
    if let envelope { shape.envelope = envelope }
    if let omitted { shape.omitted = omitted }
    if let keyMember { shape.keyMember = keyMember }
    return shape
  }
}

extension FeedMap {
  /// The map that gives all parts of a mapping, as a file lists them.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - place: The file, as errors name it.
  package init(_ mapping: FeedMapping, place: String) {
    var shape = Shape()
    shape.container = mapping.shape.container
    shape.path = mapping.shape.path
    shape.envelope = mapping.shape.envelope
    shape.omitted = mapping.shape.omitted
    if mapping.shape.container == .dictionary { shape.keyMember = mapping.shape.keyMember }
    self.init(
      place: place, shape: shape, records: mapping.entities.first?.name,
      entities: mapping.entities.map { Entity($0, in: mapping) })
  }
}

extension FeedMap.Entity {
  /// Creates the entity that gives all parts of a mapping's entity.
  fileprivate init(_ entity: FeedMapping.Entity, in mapping: FeedMapping) {
    self.init(
      name: entity.name, key: entity.key.attributeNames.isEmpty ? nil : entity.key,
      attributes: entity.attributes.compactMap { attribute in
        if let constant = attribute.constant {
          return FeedMap.Attribute(name: attribute.name, source: .constant(constant))
        }
        // The key of rows that the feed only refers to has no member.
        guard !attribute.member.isEmpty else { return nil }
        return FeedMap.Attribute(name: attribute.name, source: .member(attribute.member, attribute.dateForm))
      },
      relationships: entity.relationships.map { relationship in
        let target = mapping.entities[relationship.target]
        return FeedMap.Relationship(
          name: relationship.name, member: relationship.member,
          referenceAttribute: relationship.isReference ? target.key.attributeNames.first : nil, target: target.name)
      },
      edited: entity.editedAttribute.map(FeedMap.Edited.attribute) ?? .nothing)
  }
}
