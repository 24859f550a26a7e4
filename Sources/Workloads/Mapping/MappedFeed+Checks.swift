import MachineCore

extension MappedFeed {
  /// The largest number of attributes and links of an entity: SQLite's default limit of 2,000 columns, less the columns
  /// that a store and the app add.
  static let largestWidth = 1_900

  /// Checks that a store can have a column for each attribute of an inferred entity.
  static func checkWidth(
    of structure: FeedStructure, schema: WorkloadSchema, path: String
  ) throws(WorkloadError) {
    for (number, entity) in schema.entities.enumerated() {
      let count = entity.attributes.count + entity.links.count
      guard count > largestWidth else { continue }
      guard number == 0 else {
        throw WorkloadError(
          .damagedFeed, "the objects of \(entity.name) have \(count) different members; use at most \(largestWidth)",
          path: path)
      }
      let added = entity.attributes.contains(where: \.isAdded) ? " and no ID, so that an index is added" : ""
      let members = structure.kinds[0].members.count
      throw WorkloadError(
        .damagedFeed,
        "the feed's records have \(members) different members\(added); use at most \(largestWidth - count + members)",
        path: path)
    }
  }

  /// Checks that no two keys of records differ in their type only, such as 1 and "1". They would be one row.
  ///
  /// The records are read again if the feed has keys of several types. The memory then grows with the number of keys.
  static func checkKeys(
    structure: FeedStructure, mapping: FeedMapping, reader: FeedReader
  ) throws(FeedError) {
    guard case .attributes(let names) = mapping.entities[0].key, names.count == 1,
      let attribute = mapping.entities[0].attributes.first(where: { $0.name == names[0] }),
      attribute.type == .string, attribute.member.count == 1, let name = attribute.member.first,
      let member = structure.kinds[0].member(name), member.strings, member.integers || member.largeIntegers
    else { return }
    var firsts: [RecordKey: (place: Int, isString: Bool)] = [:]
    try reader.forEachRecord { (record) throws(FeedError) in
      guard let value = record[name], !value.isNull else { return }
      let isString = value.stringIfPresent != nil
      let key = RecordKey.string(value.plainText)
      guard let first = firsts[key] else {
        firsts[key] = (record.index, isString)
        return
      }
      guard first.isString != isString else { return }
      let text = QuotedText.of(value.plainText)
      let (own, other) = isString ? (JSONBuilder.quoted(text), text) : (text, JSONBuilder.quoted(text))
      throw FeedError(
        .value,
        "record \(record.index) (the first is 0): \(name) \(own) would be the same row as \(other) of record "
          + "\(first.place); write all IDs as strings, or all as integers", path: reader.path, line: record.line)
    }
  }
}
