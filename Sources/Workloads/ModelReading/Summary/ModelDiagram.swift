/// A diagram of a model as text in DOT, the language of Graphviz.
///
/// An entity is a record with its attributes and their types. Inheritance is an edge with an empty arrowhead, and a
/// relationship with its inverse is one edge with the number of objects at each end.
package struct ModelDiagram: Hashable, Sendable {
  package let text: String

  /// Creates the diagram of a model.
  package init(_ document: ModelDocument) {
    let indexes = Dictionary(document.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var lines = [
      "digraph \(Self.quoted(document.version)) {",
      "  graph [rankdir=LR, nodesep=0.6, ranksep=1.4, fontname=\"Helvetica\", charset=\"UTF-8\"];",
      "  node [shape=record, fontname=\"Helvetica\", fontsize=10];",
      "  edge [fontname=\"Helvetica\", fontsize=9, labeldistance=2.6, labelangle=-22];",
    ]
    for (index, entity) in document.entities.enumerated() {
      lines.append("  e\(index) [label=\"\(Self.label(of: entity))\"\(entity.isAbstract ? ", style=dashed" : "")];")
    }
    for (index, entity) in document.entities.enumerated() {
      guard let parent = entity.parent.flatMap({ indexes[$0] }) else { continue }
      lines.append("  e\(index) -> e\(parent) [arrowhead=empty];")
    }
    for pair in RelationshipPair.all(of: document) { lines.append(Self.edge(pair)) }
    lines.append("}")
    text = lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - Records

extension ModelDiagram {
  private static func label(of entity: ModelDocument.Entity) -> String {
    let name = escaped(entity.name) + (entity.isAbstract ? " (abstract)" : "")
    let rows = entity.attributes.map { attribute in
      let marks =
        (attribute.isOptional ? "?" : "") + (attribute.isTransient ? ", transient" : "")
        + (attribute.isDerived ? ", derived" : "")
      return "\(escaped(attribute.name)): \(escaped(attribute.type.rawValue))\(marks)\\l"
    }
    return rows.isEmpty ? name : "\(name)|\(rows.joined())"
  }

  /// Returns a text as a part of a record, where some characters have a meaning.
  private static func escaped(_ text: String) -> String {
    plain(text).reduce(into: "") { result, character in
      switch character {
      case "\\", "\"", "{", "}", "|", "<", ">", " ": result += "\\\(character)"
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
  }

  /// Returns a text in quotes, for a name or the label of an edge.
  private static func quoted(_ text: String) -> String {
    let escaped = plain(text).reduce(into: "") { result, character in
      switch character {
      case "\\", "\"": result += "\\\(character)"
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return "\"\(escaped)\""
  }

  /// Returns a text with a space for each line break and each character that is not printed.
  private static func plain(_ text: String) -> String {
    String(
      text.map { $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }
}

// MARK: - Edges

extension ModelDiagram {
  private static func edge(_ pair: RelationshipPair) -> String {
    let near = pair.first.relationship
    let far = pair.isReflexive ? near : pair.second?.relationship
    let target = pair.second?.entity ?? pair.destination
    // The labels at the ends of a loop would lie on each other.
    let isLoop = target == pair.first.entity
    func name(_ relationship: ModelDocument.Relationship) -> String {
      isLoop ? "\(relationship.name) \(arity(relationship))" : relationship.name
    }
    // The head shows how many objects the first relationship leads to, and the tail how many the inverse leads to.
    var attributes = ["arrowhead=\(arrow(near))"]
    if !isLoop { attributes.append("headlabel=\(quoted(arity(near)))") }
    if let far {
      attributes += ["dir=both", "arrowtail=\(arrow(far))"]
      if !isLoop { attributes.append("taillabel=\(quoted(arity(far)))") }
    } else {
      attributes.append("style=dotted")
    }
    let names = [name(near)] + (pair.second.map { [name($0.relationship)] } ?? [])
    attributes.append("label=\(quoted(names.joined(separator: " / ")))")
    return "  e\(pair.first.entity) -> e\(target) [\(attributes.joined(separator: ", "))];"
  }

  private static func arrow(_ relationship: ModelDocument.Relationship) -> String {
    relationship.isToMany ? "crow" : "none"
  }

  /// Returns the number of objects that a relationship leads to, such as `0..1` or `1..*`.
  private static func arity(_ relationship: ModelDocument.Relationship) -> String {
    let low = relationship.isOptional ? 0 : max(relationship.minCount, 1)
    let high = relationship.isToMany ? (relationship.maxCount == 0 ? "*" : "\(relationship.maxCount)") : "1"
    let range = high == "\(low)" ? high : "\(low)..\(high)"
    return relationship.isToMany && relationship.isOrdered ? "\(range) ordered" : range
  }
}
