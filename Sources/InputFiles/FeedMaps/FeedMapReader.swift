import Workloads

/// Reads a map from the text of a YAML file, and rejects unknown keys and invalid values.
package struct FeedMapReader {
  /// The keys of a map.
  enum Keys {
    static let root = ["shape", "records", "entities"]
    static let shape = ["container", "path", "envelope", "omitted", "keyMember"]
    static let entity = ["key", "attributes", "relationships", "ignore", "edit"]
    static let key = ["attributes", "content", "place"]
    static let attribute = ["member", "date", "value", "type"]
    static let relationship = ["member", "by", "to"]
  }

  /// The name of the file in errors.
  let place: String

  /// Reads a map.
  ///
  /// - Parameter text: The text of a file.
  /// - Returns: The map.
  /// - Throws: `YAMLError` that names the file, the line and the key.
  package func map(from text: String) throws(YAMLError) -> FeedMap {
    let root = try YAMLMapping(text: text, place: place, keys: Keys.root)
    var map = FeedMap(place: place)
    if root.has("shape") { map.shape = try shape(try root.mapping("shape", keys: Keys.shape)) }
    if root.has("records") {
      map.records = try root.text("records")
      map.recordsLine = root.line(ofKey: "records")
    }
    guard root.has("entities") else { return map }
    let entities = try root.mapping("entities", keys: nil)
    for name in entities.keys { map.entities.append(try entity(name, in: entities)) }
    return map
  }
}

// MARK: - Parts

extension FeedMapReader {
  private func shape(_ mapping: YAMLMapping) throws(YAMLError) -> FeedMap.Shape {
    var shape = FeedMap.Shape()
    if mapping.has("container") {
      let name = try mapping.name("container", of: FeedShape.Container.allCases.map(\.rawValue))
      shape.container = FeedShape.Container(rawValue: name)
    }
    if mapping.has("path") { shape.path = try path("path", in: mapping) }
    if mapping.has("envelope") { shape.envelope = try names("envelope", in: mapping) }
    if mapping.has("omitted") { shape.omitted = try names("omitted", in: mapping) }
    if mapping.has("keyMember") { shape.keyMember = try mapping.text("keyMember") }
    return shape
  }

  private func entity(_ name: String, in entities: YAMLMapping) throws(YAMLError) -> FeedMap.Entity {
    var entity = FeedMap.Entity(name: name, line: entities.line(ofKey: name))
    if entities.isNull(name) {
      entity.isRemoved = true
      return entity
    }
    let mapping = try entities.mapping(name, keys: Keys.entity)
    if mapping.has("key") { entity.key = try key(mapping) }
    if mapping.has("attributes"), !mapping.isNull("attributes") {
      let attributes = try mapping.mapping("attributes", keys: nil)
      for name in attributes.keys { entity.attributes.append(try attribute(name, in: attributes)) }
    }
    if mapping.has("relationships"), !mapping.isNull("relationships") {
      let relationships = try mapping.mapping("relationships", keys: nil)
      for name in relationships.keys { entity.relationships.append(try relationship(name, in: relationships)) }
    }
    if mapping.has("ignore") {
      entity.ignored = try names("ignore", in: mapping).map(Self.split)
    }
    if mapping.has("edit") { entity.edited = mapping.isNull("edit") ? .nothing : .attribute(try mapping.text("edit")) }
    return entity
  }

  private func key(_ entity: YAMLMapping) throws(YAMLError) -> FeedMapping.Key {
    guard entity.isMapping("key") else { return .attributes(try keyNames("key", in: entity)) }
    let mapping = try entity.mapping("key", keys: Keys.key)
    guard mapping.keys.count == 1 else {
      throw entity.error("key", "has \(mapping.keys.count) sources; use one of \(Keys.key.joined(separator: ", "))")
    }
    if mapping.has("content") { return .content(attribute: try mapping.text("content")) }
    if mapping.has("place") { return .place(attribute: try mapping.text("place")) }
    return .attributes(try keyNames("attributes", in: mapping))
  }

  private func keyNames(_ key: String, in mapping: YAMLMapping) throws(YAMLError) -> [String] {
    let names = try names(key, in: mapping)
    guard !names.isEmpty else { throw mapping.error(key, "empty; use the names of attributes") }
    guard Set(names).count == names.count else { throw mapping.error(key, "names an attribute twice; use it once") }
    return names
  }

  private func attribute(_ name: String, in attributes: YAMLMapping) throws(YAMLError) -> FeedMap.Attribute {
    let line = attributes.line(ofKey: name)
    if attributes.isNull(name) { return FeedMap.Attribute(name: name, line: line, source: .removed) }
    guard attributes.isMapping(name) else {
      return FeedMap.Attribute(name: name, line: line, source: .member(try path(name, in: attributes), nil))
    }
    let mapping = try attributes.mapping(name, keys: Keys.attribute)
    var form: FeedMapping.DateForm?
    if mapping.has("date") {
      form = FeedMapping.DateForm(
        rawValue: try mapping.name("date", of: FeedMapping.DateForm.allCases.map(\.rawValue)))
    }
    let source: FeedMap.Attribute.Source
    if mapping.has("value") {
      if mapping.has("member") { throw mapping.error("value", "contradicts member; use one of the two") }
      if form != nil { throw mapping.error("date", "concerns members; leave it out, and write the value as ISO 8601") }
      if mapping.isNull("value") { throw mapping.error("value", "is null; leave the attribute out with \(name): ~") }
      source = .constant(try value(mapping))
    } else {
      source = .member(try path("member", in: mapping), form)
    }
    var attribute = FeedMap.Attribute(name: name, line: line, source: source)
    if mapping.has("type") {
      let types = WorkloadSchema.AttributeType.allCases
      attribute.type = WorkloadSchema.AttributeType(rawValue: try mapping.name("type", of: types.map(\.rawValue)))
    }
    return attribute
  }

  private func relationship(
    _ name: String, in relationships: YAMLMapping
  ) throws(YAMLError) -> FeedMap.Relationship {
    let line = relationships.line(ofKey: name)
    if relationships.isNull(name) { return FeedMap.Relationship(name: name, line: line, member: nil) }
    guard relationships.isMapping(name) else {
      return FeedMap.Relationship(name: name, line: line, member: try path(name, in: relationships))
    }
    let mapping = try relationships.mapping(name, keys: Keys.relationship)
    return FeedMap.Relationship(
      name: name, line: line, member: try path("member", in: mapping),
      referenceAttribute: mapping.has("by") ? try mapping.text("by") : nil,
      target: mapping.has("to") ? try mapping.text("to") : nil)
  }
}

// MARK: - Values

extension FeedMapReader {
  /// Returns a constant, which may be an empty text.
  private func value(_ mapping: YAMLMapping) throws(YAMLError) -> String {
    guard !mapping.isList("value"), !mapping.isMapping("value") else {
      throw mapping.error("value", "not a text, number or boolean; use one value for all rows")
    }
    return try mapping.string("value")
  }

  /// Returns a path of members: the names of a list, or a text that is divided at its points.
  private func path(_ key: String, in mapping: YAMLMapping) throws(YAMLError) -> [String] {
    guard mapping.isList(key) else { return Self.split(try mapping.text(key)) }
    let names = try mapping.names(key)
    guard !names.isEmpty || key == "path" else { throw mapping.error(key, "empty; use the name of a member") }
    return names
  }

  /// Returns the names of a list, or a text as the only name.
  private func names(_ key: String, in mapping: YAMLMapping) throws(YAMLError) -> [String] {
    mapping.isList(key) ? try mapping.names(key) : [try mapping.text(key)]
  }

  private static func split(_ text: String) -> [String] {
    text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
