import ContextEngine

extension SQLiteSchema {
  /// Returns the join tables of a new file.
  static func joinTables(of model: ManagedObjectModel, numbers: [Int64]) -> [JoinTable] {
    model.joinTableDescriptions.map { JoinTable($0, in: model, numbers: numbers) }
  }

  /// Returns the join tables of an existing file.
  ///
  /// The columns are identified by position, since their names may differ: Core Data appends a digit to a name that
  /// another table also has. The relationship after which a table is named may differ too, if both ends are of one
  /// entity.
  ///
  /// - Throws: `.storeIncompatible` if a table or a column is missing.
  static func checkedJoinTables(
    _ connection: SQLiteConnection, part: ModelPart, numbers: [Int64]
  ) throws(PersistenceError) -> [JoinTable] {
    let model = part.model
    var tables: [JoinTable] = []
    for description in model.joinTableDescriptions {
      let expected = JoinTable(description, in: model, numbers: numbers)
      guard part.holds(description) else {
        tables.append(expected)
        continue
      }
      if let table = try table(expected, isTurned: false, on: connection) {
        tables.append(table)
        continue
      }
      let turned = JoinTable(description.turned, in: model, numbers: numbers)
      guard let table = try table(turned, isTurned: true, on: connection) else {
        let entity = model.entities[description.entity]
        throw misfit(
          "relationship \(entity.name).\(entity.toManys[description.relationship].name) needs table \(expected.name), "
            + "which it does not have", on: connection)
      }
      tables.append(table)
    }
    return tables
  }

  /// Returns a join table with the names in the file, or nil if the file has no table with the expected name.
  ///
  /// `isTurned` is true if the expected table is named after the inverse relationship. The source and the target are
  /// then exchanged in the result.
  private static func table(
    _ expected: JoinTable, isTurned: Bool, on connection: SQLiteConnection
  ) throws(PersistenceError) -> JoinTable? {
    var names: [String] = []
    try connection.executeOnce(
      "PRAGMA table_info(\(expected.name))",
      row: { statement in names.append(String(decoding: statement.column(1).text, as: UTF8.self)) })
    if names.isEmpty { return nil }
    let keys = names.filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2 else {
      throw misfit("join table \(expected.name) has \(keys.count) columns of keys and should have 2", on: connection)
    }
    func column(
      _ name: String, expected: JoinTable.Column, of table: String
    ) throws(PersistenceError) -> JoinTable.Column {
      guard let orderName = expected.orderName else { return JoinTable.Column(name: name, orderName: nil) }
      // If a digit is appended to the key column's name, it is appended to the order column's name too.
      guard let found = ["Z_FOK_" + name.dropFirst(2), orderName].first(where: names.contains) else {
        throw misfit("join table \(table) needs column \(orderName), which it does not have", on: connection)
      }
      return JoinTable.Column(name: name, orderName: found)
    }
    let source = try column(keys[0], expected: expected.source, of: expected.name)
    let target = try column(keys[1], expected: expected.target, of: expected.name)
    return isTurned
      ? JoinTable(name: expected.name, source: target, target: source)
      : JoinTable(name: expected.name, source: source, target: target)
  }
}
