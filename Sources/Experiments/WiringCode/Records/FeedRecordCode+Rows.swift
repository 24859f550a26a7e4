import Workloads

/// The rows that follow from a record, and the records of a model without a feed.
extension FeedRecordCode {
  /// Returns the function or property that makes the rows of a record.
  func rows(_ number: Int, attributes: [Attribute]) -> Code {
    let entity = mapping.entities[number]
    let before = entity.relationships.compactMap { rowsOfTarget($0, in: number) }
    let after = entity.relationships.compactMap(rowsOfOwned)
    let isAlone = before.isEmpty && after.isEmpty
    let own = row(
      number, key: "key", attributes: values(attributes), links: links(number),
      lists: pairs(number, toMany: true).map(Code.dictionary))
    let declaration: Code =
      isOwned(number)
      ? """
      /// The rows of the object. `owner` is the link to the row of the record that contains it.
      func rows(under owner: [String: Key?] = [:]) -> [Row]
      """
      : """
      \(isAlone ? "" : "/// The row of the record, and those of nested values.")
      var rows: [Row]
      """
    return """
      \(declaration) {
        \(hasDeletions ? "if deleted == true { return [\(deletedRow(number))] }" : "")
        \(isAlone ? "\(hasDeletions ? "return " : "")[\(own)]" : Self.appending(own, before, after))
      }
      """
  }

  private static func appending(_ own: Code, _ before: [Code], _ after: [Code]) -> Code {
    """
    var rows: [Row] = []
    \(before)
    rows.append(\(own))
    \(after)
    return rows
    """
  }

  /// Returns the statement that adds the rows of objects that carry the link to the row of the record, or nil if a
  /// relationship has no such objects.
  private func rowsOfOwned(_ relationship: FeedMapping.Relationship) -> Code? {
    inverse(of: relationship).map { inverse in
      let owner = "[\(SwiftNames.literal(inverse)): key]"
      return "for object in \(property(relationship.name)) { rows += object.rows(under: \(owner)) }"
    }
  }

  /// Returns the name of the link that the target of a relationship carries, or nil if it carries none.
  private func inverse(of relationship: FeedMapping.Relationship) -> String? {
    relationship.isCarriedByTarget ? relationship.inverse?.name : nil
  }

  /// Returns the statement that adds the rows to which the row of a record links, or nil if the record does not have
  /// them.
  private func rowsOfTarget(_ relationship: FeedMapping.Relationship, in number: Int) -> Code? {
    guard inverse(of: relationship) == nil else { return nil }
    let name = property(relationship.name)
    let target = relationship.target
    if relationship.isReference {
      guard mapping.entities[target].isReferenceOnly else { return nil }
      let (start, value): (Code, String) =
        relationship.isToMany ? ("for id in \(name)", "id") : ("if let \(name)", name)
      return .block(start, body: "rows.append(\(referenceRow(target, value: value)))")
    }
    let call = isOwned(target) ? "rows()" : "rows"
    return isArray(relationship, in: number)
      ? "for object in \(name) { rows += object.\(call) }" : "if let \(name) { rows += \(name).\(call) }"
  }

  /// Returns the pairs of the names and the targets of relationships, or nil if there are none.
  private func pairs(_ number: Int, toMany: Bool) -> [String]? {
    let pairs = mapping.entities[number].relationships.filter { $0.isToMany == toMany && inverse(of: $0) == nil }
      .map { relationship in
        let name = property(relationship.name)
        let value =
          if relationship.isReference {
            "\(name).map { \(referenceKey(relationship.target, value: "$0")) }"
          } else if toMany {
            "\(name).map(\\.key)"
          } else {
            "\(name)\(isArray(relationship, in: number) ? ".first" : "")?.key"
          }
        return "\(SwiftNames.literal(relationship.name)): \(value)"
      }
    return pairs.isEmpty ? nil : pairs
  }

  private func links(_ number: Int) -> Code? {
    let links = pairs(number, toMany: false).map(Code.dictionary)
    guard isOwned(number) else { return links }
    // The record that contains the object takes precedence over a link that the object has itself.
    return links.map { "\($0).merging(owner) { $1 }" } ?? "owner"
  }

  /// Returns the row to which a value only refers. The key is its only value.
  private func referenceRow(_ number: Int, value: String) -> Code {
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
  /// The enumeration of the records, each with the name of its entity.
  var taggedRecord: Code {
    let cases = mapping.entities.enumerated().map { number, entity in
      (
        caseName: SwiftNames.property(SwiftNames.lowercased(entity.name), taken: Self.taken),
        type: structureName(of: number), name: SwiftNames.literal(entity.name),
        call: isOwned(number) ? "rows()" : "rows"
      )
    }
    return """
      /// One record of a payload. Its member `type` is the name of its entity.
      ///
      /// No feed was given. Replace these structures with those of your server.
      nonisolated enum Record: Decodable, Sendable {
        \(cases.map { "case \($0.caseName)(\($0.type))" })

        init(from decoder: any Decoder) throws {
          let type: String = try Members(decoder).required("type")
          switch type {
          \(cases.map { "case \($0.name): self = .\($0.caseName)(try \($0.type)(from: decoder))" })
          default:
            throw DecodingError.dataCorrupted(
              DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\\(type) is not an entity"))
          }
        }

        /// The rows of the record.
        var rows: [Row] {
          switch self {
          \(cases.map { "case .\($0.caseName)(let record): record.\($0.call)" })
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
