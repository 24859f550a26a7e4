import Workloads

/// The rows that follow from a record, and the records of a model without a feed.
extension FeedRecordCode {
  /// Returns the function or property that makes the rows of a record.
  func rows(_ number: Int, attributes: [Attribute]) -> String {
    let relationships = mapping.entities[number].relationships
    var before: [String] = []
    var after: [String] = []
    var links: [String] = []
    var lists: [String] = []
    for relationship in relationships {
      let name = property(relationship.name)
      let target = relationship.target
      let isArray = relationship.isToMany || isBoxed(relationship, of: number)
      if relationship.isCarriedByTarget, let inverse = relationship.inverse {
        let owner = "[\(SwiftNames.literal(inverse.name)): key]"
        after.append("for object in \(name) { rows += object.rows(under: \(owner)) }")
        continue
      }
      if relationship.isReference {
        if mapping.entities[target].isReferenceOnly {
          before.append(
            relationship.isToMany
              ? Self.block("for id in \(name)", body: "rows.append(\(referenceRow(target, value: "id")))")
              : Self.block("if let \(name)", body: "rows.append(\(referenceRow(target, value: name)))"))
        }
      } else {
        let call = isOwned(target) ? "rows()" : "rows"
        before.append(
          isArray
            ? "for object in \(name) { rows += object.\(call) }" : "if let \(name) { rows += \(name).\(call) }")
      }
      let pair = SwiftNames.literal(relationship.name) + ": "
      if relationship.isToMany {
        lists.append(
          pair
            + (relationship.isReference
              ? "\(name).map { \(referenceKey(target, value: "$0")) }" : "\(name).map(\\.key)"))
      } else if relationship.isReference {
        links.append(pair + "\(name).map { \(referenceKey(target, value: "$0")) }")
      } else {
        links.append(pair + (isArray ? "\(name).first?.key" : "\(name)?.key"))
      }
    }
    let own = row(
      number, key: "key", attributes: values(attributes),
      links: linksExpression(links, isOwned: isOwned(number)),
      lists: lists.isEmpty ? nil : RecordCode.dictionary(lists))
    let declaration =
      isOwned(number)
      ? "/// The rows of the object. `owner` is the link to the row of the record that contains it.\n"
        + "func rows(under owner: [String: Key?] = [:]) -> [Row]"
      : before.isEmpty && after.isEmpty
        ? "var rows: [Row]" : "/// The row of the record, and those of nested values.\nvar rows: [Row]"
    let deletion =
      hasDeletions
      ? ["if deleted == true { return [\(deletedRow(number))] }"] : []
    let body =
      before.isEmpty && after.isEmpty && deletion.isEmpty
      ? "[\(own)]"
      : (deletion
        + (before.isEmpty && after.isEmpty
          ? ["return [\(own)]"] : ["var rows: [Row] = []"] + before + ["rows.append(\(own))"] + after + ["return rows"]))
        .joined(separator: "\n")
    return "\(declaration) {\n\(WiringCode.indented(body))\n}"
  }

  /// Returns a statement with a block, on one line if it is short.
  private static func block(_ start: String, body: String) -> String {
    let line = "\(start) { \(body) }"
    return line.count <= 100 && !body.contains("\n") ? line : "\(start) {\n\(WiringCode.indented(body))\n}"
  }

  private func linksExpression(_ links: [String], isOwned: Bool) -> String? {
    guard isOwned else { return links.isEmpty ? nil : RecordCode.dictionary(links) }
    // The record that contains the object takes precedence over a link that the object has itself.
    return links.isEmpty ? "owner" : "\(RecordCode.dictionary(links)).merging(owner) { $1 }"
  }

  /// Returns the row to which a value only refers. The key is its only value.
  private func referenceRow(_ number: Int, value: String) -> String {
    let name = mapping.entities[number].key.attributeNames[0]
    return row(number, key: referenceKey(number, value: value), attributes: "[\(SwiftNames.literal(name)): \(value)]")
  }

  private func deletedRow(_ number: Int) -> String {
    let family = hasFamilies ? ", entityName: \(SwiftNames.literal(mapping.entities[number].name))" : ""
    return "Row(key: key\(family), attributes: [:], isDeletion: true)"
  }
}

// MARK: - Records of a model without a feed

extension FeedRecordCode {
  /// Returns the name of the case of an entity.
  private func caseName(_ number: Int) -> String {
    let name = mapping.entities[number].name
    return SwiftNames.property(name.prefix(1).lowercased() + name.dropFirst(), taken: Self.taken)
  }

  /// The enumeration of the records, each with the name of its entity.
  var taggedRecord: String {
    let numbers = mapping.entities.indices
    let cases = numbers.map { "  case \(caseName($0))(\(structureName(of: $0)))" }
    let decoded = numbers.map { number in
      "    case \(SwiftNames.literal(mapping.entities[number].name)): "
        + "self = .\(caseName(number))(try \(structureName(of: number))(from: decoder))"
    }
    let rows = numbers.map { "    case .\(caseName($0))(let record): record.rows\(isOwned($0) ? "()" : "")" }
    return """
      /// One record of a payload. Its member `type` is the name of its entity.
      ///
      /// No feed was given. Replace these structures with those of your server.
      nonisolated enum Record: Decodable, Sendable {
      \(cases.joined(separator: "\n"))

        init(from decoder: any Decoder) throws {
          let type: String = try Members(decoder).required("type")
          switch type {
      \(decoded.joined(separator: "\n"))
          default:
            throw DecodingError.dataCorrupted(
              DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\\(type) is not an entity"))
          }
        }

        /// The rows of the record.
        var rows: [Row] {
          switch self {
      \(rows.joined(separator: "\n"))
          }
        }
      }
      """
  }

  /// The entities with keys of several attributes to which records refer.
  var referredEntities: [Int] {
    mapping.entities.indices.filter { number in
      schema.entities[index(of: number)].keyIndexes.count > 1
        && mapping.entities.contains { $0.relationships.contains { $0.isReference && $0.target == number } }
    }
  }
}
