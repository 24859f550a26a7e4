import Workloads

/// The text of a file with the whole mapping of a feed, which the user edits.
package struct FeedMapText {
  private let mapping: FeedMapping
  private let map: FeedMap
  private let feed: String
  private let model: String?
  private let problems: [String]

  /// Creates the text of a file.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - feed: The name of the feed's file.
  ///   - model: The name of the model's file, or nil if the model is inferred.
  ///   - problems: The reasons why an import cannot use the mapping yet. They become comments.
  package init(_ mapping: FeedMapping, feed: String, model: String?, problems: [String] = []) {
    self.problems = problems
    self.mapping = mapping
    map = FeedMap(mapping, place: FeedMapFile.description)
    self.feed = feed
    self.model = model
  }

  /// The lines of the file, with a line break at the end.
  package var text: String {
    var lines = [
      "# The map of the feed \(shown(feed)) to "
        + (model.map { "the model \(shown($0))." } ?? "a model that is inferred from it."),
      "# Each part replaces what is inferred. A part that is removed from the file is inferred again.",
      "# To leave out an attribute, a relationship or an entity, give it the value ~.",
    ]
    if !problems.isEmpty {
      lines += ["#", "# This is a draft. An import needs more than was found:"] + problems.map { "#   \(oneLine($0))" }
    }
    lines += ["", "shape:"]
    lines += FeedMapKeys.shape.members(of: map.shape).map { "  \($0.key): \($0.value.plain)" }
    if let records = map.records {
      lines += ["", "# The entity of the feed's own records.", "records: \(shown(records))"]
    }
    lines += ["", "entities:"]
    for (number, entity) in map.entities.enumerated() { lines += self.lines(entity, mapping.entities[number]) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ entity: FeedMap.Entity, _ mapped: FeedMapping.Entity) -> [String] {
    var lines = ["  \(shown(entity.name)):"]
    if entity.key == nil, entity.attributes.isEmpty {
      lines.append("    # Give the members of at least one attribute here.")
    }
    if let key = entity.key { lines.append("    key: \(shown(key, FeedMapKeys.key))  # \(comment(key))") }
    if !entity.attributes.isEmpty {
      lines.append("    attributes:")
      for attribute in entity.attributes {
        let type = mapped.attributes.first { $0.name == attribute.name }?.type.rawValue ?? ""
        lines.append("      \(shown(attribute.name)): \(shown(attribute, FeedMapKeys.attribute))  # \(type)")
      }
    }
    if !entity.relationships.isEmpty {
      lines.append("    relationships:")
      for (place, relationship) in entity.relationships.enumerated() {
        let value = shown(relationship, FeedMapKeys.relationship)
        let kind = mapped.relationships[place].isToMany ? "to-many" : "to-one"
        lines.append("      \(shown(relationship.name)): \(value)  # \(kind)")
      }
    }
    let unmatched = mapping.unmatched.filter { $0.hasPrefix(entity.name + ".") }
    if !unmatched.isEmpty {
      lines.append("    # No property takes the following members. They can be mapped, or listed after ignore.")
      lines += unmatched.map { "    #   \(shown(String($0.dropFirst(entity.name.count + 1))))" }
    }
    if let edited = entity.edited { lines.append("    edit: \(shown(edited, FeedMapKeys.edited))") }
    return lines
  }

  private func comment(_ key: FeedMapping.Key) -> String {
    switch key {
    case .attributes: "the attributes that distinguish rows"
    case .content: "rows of equal content are one row; the attribute holds a digest"
    case .place: "the attribute holds the place of the record in the feed"
    }
  }

  /// Returns a text without line breaks, for a comment.
  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Returns a text as the file has it, in one line.
  private func shown(_ text: String) -> String { YAMLValue.text(text).plain }

  /// Returns a value as the file has it, in one line.
  private func shown<Value>(_ value: Value, _ form: YAMLForm<Value>) -> String { form.write(value)?.plain ?? "" }
}
