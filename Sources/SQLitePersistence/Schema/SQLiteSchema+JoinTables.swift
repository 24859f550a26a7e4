import ContextEngine

extension SQLiteSchema {
  /// The join tables of a new file.
  static func joinTables(of model: ManagedObjectModel, numbers: [Int64]) -> [JoinTable] {
    model.joinTableDescriptions.map { JoinTable($0, in: model, numbers: numbers) }
  }

  /// The join tables of a file that exists.
  ///
  /// Their columns are taken by position: their names may differ, as Core Data puts a digit behind one that another table
  /// has too. So may the relationship that a table is named after, where both ends are of one entity.
  ///
  /// - Throws: `.storeIncompatible` where a table or a column is missing.
  static func checkedJoinTables(
    _ connection: SQLiteConnection, _ part: ModelPart, numbers: [Int64]
  ) throws(PersistenceError) -> [JoinTable] {
    let model = part.model
    var tables: [JoinTable] = []
    for description in model.joinTableDescriptions {
      let expected = JoinTable(description, in: model, numbers: numbers)
      guard part.holds(description) else {
        tables.append(expected)
        continue
      }
      if let table = try table(expected, isTurned: false, connection) {
        tables.append(table)
        continue
      }
      let turned = JoinTable(description.turned, in: model, numbers: numbers)
      guard let table = try table(turned, isTurned: true, connection) else {
        let entity = model.entities[description.entity]
        throw misfit(
          "relationship \(entity.name).\(entity.toManys[description.relationship].name) needs table \(expected.name), "
            + "which it does not have", connection)
      }
      tables.append(table)
    }
    return tables
  }

  /// A join table under the names that the file has; nil where there is none of the expected name.
  ///
  /// - Parameter isTurned: whether it is named after the inverse of the relationship that names it here.
  private static func table(
    _ expected: JoinTable, isTurned: Bool, _ connection: SQLiteConnection
  ) throws(PersistenceError) -> JoinTable? {
    var names: [String] = []
    try connection.executeOnce(
      "PRAGMA table_info(\(expected.name))",
      row: { statement in names.append(String(decoding: statement.column(1).text, as: UTF8.self)) })
    if names.isEmpty { return nil }
    let keys = names.filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2 else {
      throw misfit("join table \(expected.name) has \(keys.count) columns of keys and should have 2", connection)
    }
    func column(
      _ name: String, _ expected: JoinTable.Column, of table: String
    ) throws(PersistenceError) -> JoinTable.Column {
      guard let orderName = expected.orderName else { return JoinTable.Column(name: name, orderName: nil) }
      // Beside a column with a digit behind its name, the other has it too.
      guard let found = ["Z_FOK_" + name.dropFirst(2), orderName].first(where: names.contains) else {
        throw misfit("join table \(table) needs column \(orderName), which it does not have", connection)
      }
      return JoinTable.Column(name: name, orderName: found)
    }
    let source = try column(keys[0], expected.source, of: expected.name)
    let target = try column(keys[1], expected.target, of: expected.name)
    return isTurned
      ? JoinTable(name: expected.name, source: target, target: source)
      : JoinTable(name: expected.name, source: source, target: target)
  }
}
