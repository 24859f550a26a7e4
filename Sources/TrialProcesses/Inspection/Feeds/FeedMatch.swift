import Reporting
import Workloads

/// The properties that take the members of a feed, as `stackbench inspect` prints them.
package struct FeedMatch: Hashable, Sendable, Encodable {
  /// An entity with the members that fill it.
  package struct Entity: Hashable, Sendable, Encodable {
    package let name: String
    /// The names of the key's attributes.
    package let key: [String]
    package let properties: [Property]
  }

  /// An attribute or a relationship, and the member that it takes.
  package struct Property: Hashable, Sendable, Encodable {
    package let name: String
    package let member: String
    /// The type of an attribute, or `to-one` or `to-many`.
    package let type: String
    /// The entity to which a relationship leads, or nil for an attribute.
    package let target: String?
    /// True if the member contains IDs of the target.
    package let isReference: Bool
  }

  package let entities: [Entity]
  /// The members that no property takes.
  package let unmatched: [String]
  /// The reasons why an import cannot use the matching.
  package let problems: [String]

  /// Creates the description of a draft.
  package init(_ draft: FeedDraft) {
    let mapping = draft.mapping
    unmatched = mapping.unmatched
    problems = draft.problems
    entities = mapping.entities.map { entity in
      let attributes = entity.attributes.map { attribute in
        Property(
          name: attribute.name, member: attribute.member.joined(separator: "."), type: attribute.type.rawValue,
          target: nil, isReference: false)
      }
      let relationships = entity.relationships.map { relationship in
        Property(
          name: relationship.name, member: relationship.member.joined(separator: "."),
          type: relationship.isToMany ? "to-many" : "to-one", target: mapping.entities[relationship.target].name,
          isReference: relationship.isReference)
      }
      return Entity(name: entity.name, key: entity.key.attributeNames, properties: attributes + relationships)
    }
  }

  /// The sections of a page: the properties with their members, the members without a property, and the problems.
  var sections: [Page.Section] {
    let rows = entities.flatMap { entity in entity.properties.map { (entity: entity, property: $0) } }
    let table = PageTable(
      of: rows,
      [
        PageColumn("property") { "\($0.entity.name).\($0.property.name)" },
        PageColumn("member") { $0.property.member },
        PageColumn("type") { row in
          row.property.type + (row.property.target.map { " \($0)" } ?? "")
            + (row.property.isReference ? " by ID" : "")
            + (row.entity.key.contains(row.property.name) ? ", key" : "")
        },
      ])
    var sections = [Page.Section("Matching", [.table(table)])]
    if !unmatched.isEmpty {
      sections.append(
        Page.Section("Members without a property", [.list(Page.List(nil, unmatched.map { Page.Item("\($0)") }))]))
    }
    if !problems.isEmpty {
      sections.append(Page.Section("Problems", [.list(Page.List(nil, problems.map { Page.Item("\($0)") }))]))
    }
    return sections
  }
}

/// The references that were inferred from a feed, as `stackbench inspect` prints them.
package struct FeedReferences: Hashable, Sendable, Encodable {
  /// A member with IDs of other objects.
  package struct Reference: Hashable, Sendable, Encodable {
    package let member: String
    package let relationship: String
    package let target: String
    package let ids: Int
    /// The number of IDs that no object has.
    package let dangling: Int
  }

  package let references: [Reference]

  /// Creates the description of a draft.
  package init(_ draft: FeedDraft) {
    references = draft.references.map {
      Reference(
        member: "\($0.entity).\($0.member)", relationship: $0.relationship, target: $0.target, ids: $0.count,
        dangling: $0.danglingCount)
    }
  }

  /// Encodes the references as a list.
  ///
  /// - Throws: The error of the encoder.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.singleValueContainer()
    try values.encode(references)
  }

  /// The section of a page. The list is empty if there are no references.
  var sections: [Page.Section] {
    guard !references.isEmpty else { return [] }
    let table = PageTable(
      of: references,
      [
        PageColumn("member") { $0.member },
        PageColumn("leads to") { $0.target },
        PageColumn("as") { $0.relationship },
        PageColumn("IDs", .right) { "\($0.ids)" },
        PageColumn("without an object", .right) { "\($0.dangling)" },
      ])
    return [Page.Section("References", [.table(table)])]
  }
}

/// The summary of a feed with its mapping.
package struct FeedDescription: Encodable {
  let summary: FeedSummary
  /// The matching with a model, or nil if none is given.
  let match: FeedMatch?
  let references: FeedReferences

  /// Creates the description of a feed.
  ///
  /// - Parameters:
  ///   - summary: The figures of the feed.
  ///   - draft: The mapping of the feed.
  ///   - hasModel: True if the feed was matched with a model.
  package init(_ summary: FeedSummary, _ draft: FeedDraft, hasModel: Bool) {
    self.summary = summary
    match = hasModel ? FeedMatch(draft) : nil
    references = FeedReferences(draft)
  }

  private enum CodingKeys: String, CodingKey {
    case matching, references
  }

  /// Encodes the members of the summary and those of this description as one object.
  ///
  /// - Throws: The error of the encoder.
  package func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(match, forKey: .matching)
    try values.encode(references, forKey: .references)
  }
}
