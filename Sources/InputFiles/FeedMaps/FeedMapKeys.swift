import Workloads

/// The keys of a map's file, from which maps are read and written.
enum FeedMapKeys {
  static let root: [YAMLKey<FeedMap>] = [
    .standard("shape", \.shape, .mapping(shape, FeedMap.Shape()), FeedMap.Shape()),
    .optional("records", \.records, .text), .standard("entities", \.entities, .named(entity, name: \.name), []),
  ]

  static let shape: [YAMLKey<FeedMap.Shape>] = [
    .optional("container", \.container, .choice), .optional("path", \.path, members),
    .optional("envelope", \.envelope, names), .optional("omitted", \.omitted, names),
    .optional("keyMember", \.keyMember, .text),
  ]

  /// The form of an entity: a mapping, or null if the inferred entity is left out.
  private static let entity = YAMLForm<FeedMap.Entity>(
    { (entities, name) throws(YAMLError) in
      let isRemoved = entities.isNull(name)
      let blank = FeedMap.Entity(name: name, line: entities.line(ofKey: name), isRemoved: isRemoved)
      if isRemoved { return blank }
      return try entityKeys.value(of: try entities.mapping(name, keys: entityKeys.names()), blank)
    }, write: { $0.isRemoved ? .null : .mapping(entityKeys.members(of: $0)) })

  private static let entityKeys: [YAMLKey<FeedMap.Entity>] = [
    .optional("key", \.key, key),
    .standard("attributes", \.attributes, .named(attribute, name: \.name, mayBeNull: true), []),
    .standard("relationships", \.relationships, .named(relationship, name: \.name, mayBeNull: true), []),
    .standard("ignore", \.ignored, paths, []), .optional("edit", \.edited, edited),
  ]

  static let edited = YAMLForm<FeedMap.Edited>(
    { (entity, key) throws(YAMLError) in entity.isNull(key) ? .nothing : .attribute(try entity.text(key)) },
    write: { if case .attribute(let name) = $0 { .text(name) } else { .null } })
}

// MARK: - Keys of entities

extension FeedMapKeys {
  static let key = YAMLForm<FeedMapping.Key>(
    { (entity, key) throws(YAMLError) in
      guard entity.isMapping(key) else { return .attributes(try keyNames.read(entity, key)) }
      return try YAMLForm.one(of: keySources) { "has \($0) sources" }.read(entity, key)
    },
    write: { key in
      switch key {
      case .attributes(let names): keyNames.write(names)
      case .content(let name): .mapping([.init(key: "content", value: .text(name))])
      case .place(let name): .mapping([.init(key: "place", value: .text(name))])
      }
    })

  private static let keySources: [YAMLKey<FeedMapping.Key?>] = [
    .making("attributes", keyNames) { .attributes($0) }, .making("content", .text) { .content(attribute: $0) },
    .making("place", .text) { .place(attribute: $0) },
  ]

  private static let keyNames = YAMLForm<[String]>(
    { (mapping, key) throws(YAMLError) in
      let names = try names.read(mapping, key)
      guard !names.isEmpty else { throw mapping.error(key, "empty; use the names of attributes") }
      guard Set(names).count == names.count else { throw mapping.error(key, "names an attribute twice; use it once") }
      return names
    }, write: names.write)
}

// MARK: - Properties

extension FeedMapKeys {
  static let attribute = property(
    [
      .optional("member", \.member, path), .optional("date", \.date, .choice),
      .optional("value", \.constant, constant).checked { (attribute, mapping) throws(YAMLError) in
        if mapping.has("member") { throw mapping.error("value", "contradicts member; use one of the two") }
        if mapping.has("date") {
          throw mapping.error("date", "concerns members; leave it out, and write the value as ISO 8601")
        }
        if mapping.isNull("value") {
          throw mapping.error("value", "is null; leave the attribute out with \(attribute.name): ~")
        }
      },
      .optional("type", \.type, .choice),
    ], member: \.member
  ) { FeedMap.Attribute(name: $0, line: $1, source: .removed) }

  static let relationship = property(
    [
      .optional("member", \.member, path), .optional("by", \.referenceAttribute, .text),
      .optional("to", \.target, .text),
    ], member: \.member
  ) { FeedMap.Relationship(name: $0, line: $1, member: nil) }

  /// Returns the form of a property: null if it is left out, the path of its member, or a mapping.
  private static func property<Property: Sendable>(
    _ keys: [YAMLKey<Property>], member: WritableKeyPath<Property, [String]?> & Sendable,
    _ blank: @escaping @Sendable (_ name: String, _ line: Int?) -> Property
  ) -> YAMLForm<Property> {
    YAMLForm(
      { (properties, name) throws(YAMLError) in
        var property = blank(name, properties.line(ofKey: name))
        if properties.isNull(name) { return property }
        guard properties.isMapping(name) else {
          property[keyPath: member] = try path.read(properties, name)
          return property
        }
        let mapping = try properties.mapping(name, keys: keys.names())
        guard mapping.has("member") || mapping.has("value") else { throw mapping.missing("member") }
        return try keys.value(of: mapping, property)
      },
      write: { property in
        let members = keys.members(of: property)
        guard members.map(\.key) == ["member"] else { return members.isEmpty ? .null : .mapping(members) }
        return members[0].value
      })
  }
}

extension FeedMap.Attribute {
  fileprivate var member: [String]? {
    get { if case .member(let member, _) = source { member } else { nil } }
    set { source = newValue.map { .member($0, date) } ?? .removed }
  }

  fileprivate var date: FeedMapping.DateForm? {
    get { if case .member(_, let form) = source { form } else { nil } }
    set { source = .member(member ?? [], newValue) }
  }

  fileprivate var constant: String? {
    get { if case .constant(let text) = source { text } else { nil } }
    set { source = newValue.map { .constant($0) } ?? .removed }
  }
}

// MARK: - Values

extension FeedMapKeys {
  /// The form of a constant, which may be an empty text.
  private static let constant = YAMLForm<String>(
    { (mapping, key) throws(YAMLError) in
      guard !mapping.isList(key), !mapping.isMapping(key) else {
        throw mapping.error(key, "not a text, number or boolean; use one value for all rows")
      }
      return try mapping.string(key)
    }, write: { .text($0) })

  /// The form of a path of members: a text with points, or a list if the text would be read in another way.
  private static let path = YAMLForm<[String]>(
    { (mapping, key) throws(YAMLError) in
      let names = try members.read(mapping, key)
      guard !names.isEmpty else { throw mapping.error(key, "empty; use the name of a member") }
      return names
    },
    write: { members in
      let isPlain = members.allSatisfy { member in
        !member.contains { $0 == "." || $0.isNewline } && !member.allSatisfy(\.isWhitespace)
      }
      return isPlain ? .text(members.joined(separator: ".")) : names.write(members)
    })

  /// The form of the names of a list, or of a text that is divided at its points.
  private static let members = YAMLForm<[String]>(
    { (mapping, key) throws(YAMLError) in
      mapping.isList(key) ? try mapping.names(key) : split(try mapping.text(key))
    }, write: names.write)

  /// The form of the names of a list, or of a text as the only name.
  private static let names = YAMLForm<[String]>(
    { (mapping, key) throws(YAMLError) in mapping.isList(key) ? try mapping.names(key) : [try mapping.text(key)] },
    write: { .list($0.map(YAMLValue.text)) })

  private static let paths = YAMLForm<[[String]]>(
    { (mapping, key) throws(YAMLError) in try names.read(mapping, key).map(split) },
    write: { .list($0.map { .text($0.joined(separator: ".")) }) })

  private static func split(_ text: String) -> [String] {
    text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
