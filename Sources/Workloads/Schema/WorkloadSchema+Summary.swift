extension WorkloadSchema {
  /// The number of entities that a summary lists.
  fileprivate static let summarisedCount = 6

  /// The filled entities in one line, with the numbers of their attributes and their keys, such as
  /// `Record (9 attributes, key id), Brand (2 attributes, key name)`.
  package var summary: String {
    let filled = entities.filter(\.isImported)
    let shown = filled.prefix(Self.summarisedCount).map { entity in
      let count = entity.attributes.count
      let names = entity.keyAttributes.map(\.name)
      let others = names.count - Self.summarisedCount
      let key =
        names.prefix(Self.summarisedCount).joined(separator: " and ") + (others > 0 ? " and \(others) more" : "")
      return "\(entity.name) (\(count) attribute\(count == 1 ? "" : "s"), key \(key))"
    }
    let rest = filled.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension FeedMapping {
  /// The members that contain IDs of other rows in one line, such as `Record.parent_id to Record`, or nil if there are
  /// none.
  package var referenceSummary: String? {
    let references = entities.flatMap { entity in
      entity.relationships.filter(\.isReference).map { relationship in
        "\(entity.name).\(relationship.member.joined(separator: ".")) to \(entities[relationship.target].name)"
      }
    }
    let rest = references.count - WorkloadSchema.summarisedCount
    return references.isEmpty
      ? nil
      : references.prefix(WorkloadSchema.summarisedCount).joined(separator: ", ")
        + (rest > 0 ? " and \(rest) more" : "")
  }
}
