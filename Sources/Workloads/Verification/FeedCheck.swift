/// Reads a feed a second time, with SQLite's JSON functions, and compares its values with those of the payloads.
///
/// The payloads of a workload and the answer that stores are checked against come from one reading of the feed. A fault
/// of that reader would be in both, and no check of a store could find it. This check can find it, because it shares no
/// code with the reader and with the mapping of records. It uses the mapping as a description only: each member of each
/// record must have the place in the payloads that the mapping gives, also in nested objects.
///
/// The check covers one pass over a feed without a model that is only inserted, in one lane or several. With a map, which
/// can convert values and leave members out, it compares strings and the numbers of rows only.
/// It does not cover updates and deletions, rows that imports share, further passes under fresh keys, and records that
/// are left out because they do not fit.
///
/// SQLite ends a string at U+0000, so strings and names of members are compared up to there. Numbers inside lists and
/// in members whose names contain a double quote may differ by one unit in the last place. Records of more than a
/// megabyte are not compared, because SQLite would take many times their size in memory.
package struct FeedCheck {
  let reader: SQLiteFile
  private let path: String
  private let archive: WorkloadArchive
  private let mapping: FeedMapping
  /// The members of each entity's records that the mapping uses, up to U+0000, each with its different full names.
  private let names: [[MemberName: Set<MemberName>]]
  /// True if each member of the feed must have a property.
  private let isComplete: Bool

  private static let largestRecordByteCount = 1_000_000

  /// Compares a feed with the payloads that were made from it.
  ///
  /// Complexity: O(n) in the bytes of the feed. The check takes about as long as reading the feed and writing the
  /// payloads, and blocks the calling thread.
  /// - Parameters:
  ///   - path: The path of the feed.
  ///   - archive: The workload that was made from it.
  /// - Throws: `VerificationError` for the first value that differs, or if SQLite cannot read the feed.
  package static func check(_ path: String, against archive: WorkloadArchive) throws(VerificationError) {
    guard let mapping = archive.mapping, covers(archive) else { return }
    try FeedCheck(path, archive, mapping).compare()
  }

  /// Tests an archive for what the check cannot compare, such as updates.
  ///
  /// - Parameter archive: The workload.
  /// - Returns: True if the check covers the workload.
  package static func covers(_ archive: WorkloadArchive) -> Bool {
    archive.mapping != nil && archive.options.model == nil && archive.options.mix == .insertsOnly
      && archive.options.overlap == 0
      && (archive.options.map == nil || archive.options.onBadRecord == .fail)
  }

  private init(_ path: String, _ archive: WorkloadArchive, _ mapping: FeedMapping) throws(VerificationError) {
    self.path = path
    self.archive = archive
    self.mapping = mapping
    isComplete = archive.options.map == nil
    names = mapping.entities.map { entity in
      let members = entity.attributes.compactMap(\.member.first) + entity.relationships.compactMap(\.member.first)
      return members.reduce(into: [:]) { $0[MemberName($1.upToNull), default: []].insert(MemberName($1)) }
    }
    reader = try SQLiteFile(inMemoryToRead: path)
  }

  /// An object of the feed that is being compared.
  private struct Place {
    /// The index of the record in the feed.
    var record: Int
    /// The members that lead to the object.
    var path: [String] = []

    var text: String { "record \(record) (the first is 0): " }

    func inside(_ member: [String]) -> Place { Place(record: record, path: path + member) }
  }

  private func failure(_ message: String) -> VerificationError {
    VerificationError(message: message, path: path, code: 0)
  }

  private func difference(_ place: Place, _ member: String, _ first: String, _ second: String) -> VerificationError {
    let name = (place.path + [member]).joined(separator: ".")
    return failure(
      place.text + "\(JSONBuilder.quoted(name)) is read as \(first) by one reader and as "
        + "\(second) by SQLite; this is a fault of Stackbench and not of the feed")
  }
}

// MARK: - Comparing

extension FeedCheck {
  private func compare() throws(VerificationError) {
    let reader = reader
    var texts = try FeedRecordTexts(path, mapping.shape) { (text) throws(VerificationError) in
      try reader.string(of: text)
    }
    var groups = PayloadGroups(archive)
    var index = 0
    while let found = texts.next() {
      guard let group = try groups.next() else {
        guard index < archive.feedRecordCount ?? .max else {
          throw failure("SQLite finds more records than the \(index) of the other reader")
        }
        return
      }
      defer { index += 1 }
      guard found.range.count <= Self.largestRecordByteCount else { continue }
      var name: String?
      if let range = found.name { name = try reader.string(of: texts.string(range)) }
      var rest = group[...]
      let place = Place(record: index)
      _ = try compare(try members(of: texts.string(found.range), name: name), 0, place, &rest)
      guard rest.isEmpty else { throw failure(place.text + "its payload has \(rest.count) rows too many") }
    }
    // Rows that a number of rows requests beyond the feed's records are those of further passes.
    if index != archive.feedRecordCount, try groups.next() != nil {
      throw failure("SQLite finds fewer records than the payloads hold")
    }
  }

  /// Returns the members of a record, with those of its envelopes lifted.
  private func members(of text: String, name: String?) throws(VerificationError) -> [MemberName: SecondValue] {
    let shape = mapping.shape
    var members = try reader.members(of: text)
    for name in shape.omitted { members[MemberName(name)] = nil }
    var lifted: [MemberName: SecondValue] = [:]
    for name in shape.envelope {
      let value = members.removeValue(forKey: MemberName(name))
      if case .nested(let inner) = value { lifted.merge(try reader.members(of: inner)) { $1 } }
    }
    members.merge(lifted) { $1 }
    if let name { members[MemberName(shape.keyMember)] = .string(name.upToNull) }
    return members
  }

  /// Compares an object with the next records of a group, in the order in which targets come before the record that
  /// names them, and returns the record of the object itself.
  private func compare(
    _ members: [MemberName: SecondValue], _ number: Int, _ place: Place, _ group: inout ArraySlice<ImportRecord>
  ) throws(VerificationError) -> ImportRecord {
    let entity = mapping.entities[number]
    let described = archive.schema.entities[number]
    try checkMembers(members, number, place)
    let carried = entity.relationships.filter { !$0.isCarriedByTarget }
    var targets: [String: [Target]] = [:]
    for name in described.relationships.map(\.name) {
      guard let relationship = carried.first(where: { $0.name == name }) else { continue }
      targets[name] = try self.targets(of: relationship, members, number, place, &group)
    }
    guard let record = group.popFirst(), record.entity == number else {
      throw failure(place.text + "its payload has no row of \(entity.name)")
    }
    for (attribute, value) in zip(entity.attributes, record.values) {
      try compare(value, attribute, members, number, place)
    }
    for (link, key) in zip(described.links, record.links) {
      guard let targets = targets[link.name] else { continue }
      try compare(key.map { [$0] } ?? [], Array(targets.prefix(1)), link.name, place)
    }
    for (list, keys) in zip(described.lists, record.lists) {
      try compare(keys, targets[list.name] ?? [], list.name, place)
    }
    for relationship in entity.relationships where relationship.isCarriedByTarget {
      for object in try objects(of: relationship, members) {
        let target = try compare(nested: object, relationship, place, &group)
        let links = archive.schema.entities[relationship.target].links
        let back = links.firstIndex { $0.name == relationship.inverse?.name }
        guard back.flatMap({ target.links[$0] }) == record.key else {
          throw failure(place.inside(relationship.member).text + "its row does not lead back to \(record.key)")
        }
      }
    }
    return record
  }

  /// Checks that the mapping uses each member of an object.
  private func checkMembers(
    _ members: [MemberName: SecondValue], _ number: Int, _ place: Place
  ) throws(VerificationError) {
    guard isComplete else { return }
    let strangers = members.keys.filter { names[number][$0] == nil }
    guard let first = strangers.min(by: { $0.text.bytesPrecede($1.text) }) else { return }
    throw difference(place, first.text, "absent", (members[first] ?? .null).text)
  }

  private func compare(
    _ value: FieldValue, _ attribute: FeedMapping.Attribute, _ members: [MemberName: SecondValue], _ number: Int,
    _ place: Place
  ) throws(VerificationError) {
    guard let first = attribute.member.first, attribute.constant == nil,
      [.string, .integer64, .double, .boolean].contains(attribute.type),
      isComplete || attribute.type == .string
    else { return }
    // SQLite returns one value for names that are equal up to U+0000.
    guard names[number][MemberName(first.upToNull)]?.count == 1 else { return }
    let other = try self.value(at: attribute.member, members)
    guard try !isSame(value, other) else { return }
    throw difference(place, attribute.member.joined(separator: "."), value.text, other.text)
  }

  // MARK: Values

  private func value(
    at path: [String], _ members: [MemberName: SecondValue]
  ) throws(VerificationError) -> SecondValue {
    var value = path.first.flatMap { members[MemberName($0.upToNull)] } ?? .null
    for name in path.dropFirst() {
      guard case .nested(let text) = value, text.hasPrefix("{") else { return .null }
      value = try reader.members(of: text)[MemberName(name.upToNull)] ?? .null
    }
    return value
  }

  /// Returns the elements of a list without nulls, or the value itself if it is not a list.
  private func elements(
    at path: [String], _ members: [MemberName: SecondValue]
  ) throws(VerificationError) -> [SecondValue] {
    let value = try value(at: path, members)
    if case .null = value { return [] }
    guard case .nested(let text) = value, text.hasPrefix("[") else { return [value] }
    return try reader.elements(of: text).map(\.value).filter { $0 != .null }
  }

  // MARK: Relationships

  /// The target of a relationship: the row of a nested object, or a reference.
  private enum Target {
    case row(RecordKey)
    case reference(SecondValue)

    var isReference: Bool {
      if case .reference = self { true } else { false }
    }
  }

  private func targets(
    of relationship: FeedMapping.Relationship, _ members: [MemberName: SecondValue], _ number: Int, _ place: Place,
    _ group: inout ArraySlice<ImportRecord>
  ) throws(VerificationError) -> [Target] {
    var targets: [Target] = []
    guard relationship.isReference else {
      for object in try objects(of: relationship, members) {
        targets.append(.row(try compare(nested: object, relationship, place, &group).key))
      }
      return targets
    }
    for value in try elements(at: relationship.member, members) {
      targets.append(.reference(value))
      guard mapping.entities[relationship.target].isReferenceOnly else { continue }
      var isFound = false
      if let row = group.popFirst(), row.entity == relationship.target {
        isFound = isComplete ? try isSame(row.key.firstValue, value) : true
      }
      guard isFound else {
        throw failure(place.inside(relationship.member).text + "its payload has no row of the reference")
      }
    }
    return targets
  }

  /// A nested object, and its name if it is in a dictionary.
  private typealias NestedObject = (name: String?, value: SecondValue)

  /// Returns the values of a relationship's member: the elements of a list or a dictionary, or the value itself.
  private func objects(
    of relationship: FeedMapping.Relationship, _ members: [MemberName: SecondValue]
  ) throws(VerificationError) -> [NestedObject] {
    if relationship.keyMember != nil, case .nested(let text) = try value(at: relationship.member, members),
      text.hasPrefix("{")
    {
      return try reader.entries(of: text).filter { $0.value != .null }.map { ($0.name, $0.value) }
    }
    return try elements(at: relationship.member, members).map { (nil, $0) }
  }

  private func compare(
    nested object: NestedObject, _ relationship: FeedMapping.Relationship, _ place: Place,
    _ group: inout ArraySlice<ImportRecord>
  ) throws(VerificationError) -> ImportRecord {
    let place = place.inside(relationship.member)
    guard case .nested(let text) = object.value, text.hasPrefix("{") else {
      throw difference(place, "", "an object", object.value.text)
    }
    var members = try reader.members(of: text)
    if let keyMember = relationship.keyMember, let name = object.name {
      members[MemberName(keyMember)] = .string(name.upToNull)
    }
    return try compare(members, relationship.target, place, &group)
  }

  /// Compares the keys of a relationship with its targets, of which repeated ones count once.
  private func compare(
    _ keys: [RecordKey], _ targets: [Target], _ name: String, _ place: Place
  ) throws(VerificationError) {
    // A map can convert references to the type of the target's key.
    if !isComplete, targets.contains(where: \.isReference) { return }
    var reached = 0
    for target in targets {
      var found = false
      for (index, key) in keys.prefix(reached + 1).enumerated() where !found {
        switch target {
        case .row(let row): found = row == key
        case .reference(let value): found = try isSame(key.firstValue, value)
        }
        if found { reached = max(reached, index + 1) }
      }
      guard found else { throw failure(place.text + "\(name) does not lead to each of its \(targets.count) targets") }
    }
    guard reached == keys.count else {
      throw failure(place.text + "\(name) leads to \(keys.count) rows, not \(reached)")
    }
  }
}

extension SQLiteFile {
  /// Returns the string that JSON text stands for, or nil if it is not a string.
  fileprivate func string(of text: String) throws(VerificationError) -> String? {
    guard case .string(let string)? = try elements(of: "[\(text)]").first?.value else { return nil }
    return string
  }
}
