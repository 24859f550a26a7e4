import Workloads

/// Writes a map as the YAML that `FeedMapReader` reads.
package struct FeedMapWriter {
  private let map: FeedMap

  /// Creates a writer.
  ///
  /// - Parameter map: The map.
  package init(_ map: FeedMap) {
    self.map = map
  }

  /// The map in one line, in the form of JSON. It can be part of a command line.
  package var line: String {
    var members: [YAMLValue.Member] = []
    if map.shape != FeedMap.Shape() { members.append(.init(key: "shape", value: .mapping(Self.shape(map.shape)))) }
    if let records = map.records { members.append(.init(key: "records", value: .text(records))) }
    if !map.entities.isEmpty {
      let entities = map.entities.map { YAMLValue.Member(key: $0.name, value: Self.entity($0)) }
      members.append(.init(key: "entities", value: .mapping(entities)))
    }
    return YAMLValue.mapping(members).line
  }

  // MARK: Parts

  static func shape(_ shape: FeedMap.Shape) -> [YAMLValue.Member] {
    [
      ("container", shape.container.map { .text($0.rawValue) }), ("path", shape.path.map(Self.list)),
      ("envelope", shape.envelope.map(Self.list)), ("omitted", shape.omitted.map(Self.list)),
      ("keyMember", shape.keyMember.map(YAMLValue.text)),
    ].compactMap { (key: String, value: YAMLValue?) in value.map { YAMLValue.Member(key: key, value: $0) } }
  }

  private static func entity(_ entity: FeedMap.Entity) -> YAMLValue {
    if entity.isRemoved { return .null }
    var members: [YAMLValue.Member] = []
    if let key = entity.key { members.append(.init(key: "key", value: Self.key(key))) }
    if !entity.attributes.isEmpty {
      let attributes = entity.attributes.map { YAMLValue.Member(key: $0.name, value: attribute($0)) }
      members.append(.init(key: "attributes", value: .mapping(attributes)))
    }
    if !entity.relationships.isEmpty {
      let relationships = entity.relationships.map { YAMLValue.Member(key: $0.name, value: relationship($0)) }
      members.append(.init(key: "relationships", value: .mapping(relationships)))
    }
    if !entity.ignored.isEmpty {
      members.append(.init(key: "ignore", value: list(entity.ignored.map { $0.joined(separator: ".") })))
    }
    if let edited = entity.edited { members.append(.init(key: "edit", value: Self.edited(edited))) }
    return .mapping(members)
  }

  static func key(_ key: FeedMapping.Key) -> YAMLValue {
    switch key {
    case .attributes(let names): list(names)
    case .content(let name): .mapping([.init(key: "content", value: .text(name))])
    case .place(let name): .mapping([.init(key: "place", value: .text(name))])
    }
  }

  static func attribute(_ attribute: FeedMap.Attribute) -> YAMLValue {
    let type = attribute.type.map { YAMLValue.Member(key: "type", value: .text($0.rawValue)) }
    switch attribute.source {
    case .removed: return .null
    case .constant(let text):
      return .mapping([.init(key: "value", value: .text(text))] + [type].compactMap(\.self))
    case .member(let member, let form):
      let date = form.map { YAMLValue.Member(key: "date", value: .text($0.rawValue)) }
      let further = [date, type].compactMap(\.self)
      return further.isEmpty ? path(member) : .mapping([.init(key: "member", value: path(member))] + further)
    }
  }

  static func relationship(_ relationship: FeedMap.Relationship) -> YAMLValue {
    guard let member = relationship.member else { return .null }
    let further = [
      relationship.referenceAttribute.map { YAMLValue.Member(key: "by", value: .text($0)) },
      relationship.target.map { YAMLValue.Member(key: "to", value: .text($0)) },
    ].compactMap(\.self)
    return further.isEmpty ? path(member) : .mapping([.init(key: "member", value: path(member))] + further)
  }

  static func edited(_ edited: FeedMap.Edited) -> YAMLValue {
    if case .attribute(let name) = edited { .text(name) } else { .null }
  }

  /// Returns a path of members as a text with points, or as a list if the text would be read in another way.
  private static func path(_ members: [String]) -> YAMLValue {
    let isPlain = members.allSatisfy { member in
      !member.isEmpty && !member.contains(".") && !member.contains(where: \.isNewline)
        && !member.allSatisfy(\.isWhitespace)
    }
    return isPlain ? .text(members.joined(separator: ".")) : list(members)
  }

  private static func list(_ names: [String]) -> YAMLValue { .list(names.map(YAMLValue.text)) }
}
