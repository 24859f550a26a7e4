import Foundation

/// The forms of JSON values.
package struct ValueForms: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package static let boolean = ValueForms(rawValue: 1)
  /// An integer of at most 64 bits.
  package static let integer = ValueForms(rawValue: 2)
  /// A number with a fraction or an exponent, or a larger integer.
  package static let number = ValueForms(rawValue: 4)
  package static let string = ValueForms(rawValue: 8)
  package static let object = ValueForms(rawValue: 16)
  package static let list = ValueForms(rawValue: 32)
}

/// The forms of the values from which an entity's properties are set, in the order of the mapping's properties.
package struct EntityForms: Hashable, Sendable {
  package var attributes: [ValueForms]
  package var relationships: [ValueForms]
}

extension MappedFeed {
  /// The forms that the values of each entity's properties have in the feed, without nulls.
  package var forms: [EntityForms] {
    let kinds = kindsOfEntities
    return zip(mapping.entities, kinds).map { entity, kinds in
      EntityForms(
        attributes: entity.attributes.map { forms(of: $0.member, kinds) },
        relationships: entity.relationships.map { forms(of: $0.member, kinds) })
    }
  }

  /// The kinds of objects that become rows of each entity.
  private var kindsOfEntities: [Set<Int>] {
    var kinds = mapping.entities.map { _ in Set<Int>() }
    if !kinds.isEmpty { kinds[0] = [0] }
    var isComplete = false
    while !isComplete {
      isComplete = true
      for (number, entity) in mapping.entities.enumerated() {
        for relationship in entity.relationships where !relationship.isReference {
          let found = kinds[number].flatMap { members(at: relationship.member, of: $0) }.compactMap(\.kind)
          if !kinds[relationship.target].isSuperset(of: found) { isComplete = false }
          kinds[relationship.target].formUnion(found)
        }
      }
    }
    return kinds
  }

  private func members(at path: [String], of kind: Int) -> [FeedStructure.Member] {
    guard let name = path.first, let member = structure.kinds[kind].member(name) else { return [] }
    guard path.count > 1 else { return [member] }
    return member.kind.map { members(at: Array(path.dropFirst()), of: $0) } ?? []
  }

  private func forms(of path: [String], _ kinds: Set<Int>) -> ValueForms {
    kinds.flatMap { members(at: path, of: $0) }.reduce(into: []) { forms, member in
      if member.booleans { forms.insert(.boolean) }
      if member.integers { forms.insert(.integer) }
      if member.decimals || member.largeIntegers { forms.insert(.number) }
      if member.strings { forms.insert(.string) }
      if member.objects { forms.insert(.object) }
      if member.lists { forms.insert(.list) }
    }
  }

  /// Returns true if the feed has objects in which a dump of MongoDB wraps values, such as `{"$oid":"…"}`. A feed's reader
  /// gives the values in them, and other readers of JSON give the objects.
  ///
  /// - Throws: `WorkloadError` if the file cannot be read.
  package func hasWrappedValues() throws(WorkloadError) -> Bool {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: reader.path), options: .alwaysMapped)
    } catch {
      throw WorkloadError(.unreadableFile, "cannot be read", path: reader.path)
    }
    guard data.range(of: Data("\"$".utf8)) != nil else { return false }
    return WrappedValue.names.contains { data.range(of: Data("\"\($0)\"".utf8)) != nil }
  }
}
