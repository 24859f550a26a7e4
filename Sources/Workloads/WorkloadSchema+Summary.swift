extension WorkloadSchema {
  /// The number of entities that a summary lists.
  private static let summarisedCount = 6

  /// The filled entities in one line, with the numbers of their attributes and their keys, such as
  /// `Record (9 attributes, key id), Brand (2 attributes, key name)`.
  package var summary: String {
    let filled = entities.filter(\.isImported)
    let shown = filled.prefix(Self.summarisedCount).map { entity in
      let count = entity.attributes.count
      let key = entity.keyAttributes.map(\.name).joined(separator: " and ")
      return "\(entity.name) (\(count) attribute\(count == 1 ? "" : "s"), key \(key))"
    }
    let rest = filled.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
