import ContextEngine
import Foundation

/// The tables of a store's file, which are created for a new file and compared with the model for an existing file.
///
/// The file has the form of Core Data's: a table per entity, the list of entities with their last keys, the metadata,
/// and a table for the model, which stays empty here.
package struct SQLiteSchema {
  let identifier: String
  /// The tables of the model's entities, in the model's order.
  let tables: [EntityTable]
  /// The tables of the model's many-to-many relationships, in the model's order.
  let joinTables: [JoinTable]

  /// Creates or checks the tables, and configures the connection, which must be the store's first.
  ///
  /// A file that does not fit is left as it is.
  ///
  /// - Throws: `.invalidModel` if a table would have more columns than SQLite allows; `.storeIncompatible` if the file
  ///   is not a database or not a store of this model;
  ///   `.incompatibleVersionHash` if the model's version hashes differ from the file's.
  package init(
    _ connection: SQLiteConnection, model: ManagedObjectModel, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) {
    // The first read fails if the file is not a database.
    let isNew = try Self.tableNames(connection).isEmpty
    let part = ModelPart(model, configuration: configuration.modelConfiguration)
    if isNew {
      try connection.configureNewFile(configuration)
      try connection.configure(configuration)
      try Self.create(connection, part: part, identifier: configuration.identifier)
    }
    let names = try Self.tableNames(connection)
    guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else {
      throw PersistenceError(
        .storeIncompatible, "the file is a database but not a store: it has no tables Z_METADATA and Z_PRIMARYKEY",
        path: connection.path)
    }
    identifier = try Self.identifier(connection)
    tables = try Self.checkedTables(connection, part: part)
    try Self.checkVersionHashes(connection, part: part)
    joinTables = try Self.checkedJoinTables(connection, part: part, numbers: tables.map(\.number))
    if !isNew { try connection.configure(configuration) }
  }
}

// MARK: - A new file

extension SQLiteSchema {
  private static func create(
    _ connection: SQLiteConnection, part: ModelPart, identifier: String?
  ) throws(PersistenceError) {
    let model = part.model
    _ = try connection.inTransaction { () throws(PersistenceError) in
      // Another store may have created the tables between the check and the lock.
      guard try tableNames(connection).isEmpty else { return }
      let numbers = part.numbers
      let layouts = layouts(of: model, numbers: numbers).filter { part.holds($0.root) }
      let joinTables = zip(model.joinTableDescriptions, joinTables(of: model, numbers: numbers)).filter {
        part.holds($0.0)
      }
      for layout in layouts {
        try layout.checkColumnCount(limit: connection.columnLimit)
        try connection.executeOnce(layout.tableSQL)
        // Each join table follows the table of the entity after whose relationship it is named.
        for (description, joinTable) in joinTables where model.entities[description.entity].root === layout.root {
          try connection.executeOnce(joinTable.tableSQL)
        }
      }
      for layout in layouts {
        for sql in layout.indexSQL(in: model) { try connection.executeOnce(sql) }
      }
      for (_, joinTable) in joinTables { try connection.executeOnce(joinTable.indexSQL) }
      try connection.executeOnce(
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
      try connection.executeOnce(
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
      try connection.executeOnce("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      for entity in byNumber(part.entities) {
        try connection.executeOnce(
          "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, 0)",
          bind: { statement throws(PersistenceError) in
            try statement.bind(numbers[entity.index], at: 1)
            try statement.bind(entity.name, at: 2)
            try statement.bind(entity.superentity.map { numbers[$0.index] } ?? 0, at: 3)
          })
      }
      let metadata = StoreMetadata.propertyList(for: part)
      try connection.executeOnce(
        "INSERT INTO Z_METADATA(Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)",
        bind: { statement throws(PersistenceError) in
          try statement.bind(identifier ?? UUID().uuidString, at: 1)
          try statement.bind(metadata, at: 2)
        })
    }
  }

  /// Returns the tables of a model, one for each entity without a superentity, in the order of the entities' numbers.
  static func layouts(of model: ManagedObjectModel, numbers: [Int64]) -> [TableLayout] {
    byNumber(model.entities.filter { $0.superentity == nil })
      .map { TableLayout(of: $0, in: model, numbers: numbers) }
  }

  private static func byNumber(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.sorted { $0.number < $1.number }
  }
}

// MARK: - A file that exists

extension SQLiteSchema {
  private static func tableNames(_ connection: SQLiteConnection) throws(PersistenceError) -> Set<String> {
    var names: Set<String> = []
    try connection.executeOnce(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
      row: { statement in names.insert(String(decoding: statement.column(0).text, as: UTF8.self)) })
    return names
  }

  private static func identifier(_ connection: SQLiteConnection) throws(PersistenceError) -> String {
    var identifier: String?
    try connection.executeOnce(
      "SELECT Z_UUID FROM Z_METADATA WHERE Z_VERSION = 1",
      row: { statement in identifier = String(decoding: statement.column(0).text, as: UTF8.self) })
    guard let identifier, !identifier.isEmpty else {
      throw PersistenceError(
        .storeIncompatible, "the store has no UUID in Z_METADATA with Z_VERSION 1", path: connection.path)
    }
    return identifier
  }

  /// Compares the version hashes that a model specifies with the hashes in the file.
  private static func checkVersionHashes(
    _ connection: SQLiteConnection, part: ModelPart
  ) throws(PersistenceError) {
    guard part.entities.contains(where: { $0.versionHash != nil }) else { return }
    var propertyList: [UInt8] = []
    try connection.executeOnce(
      "SELECT Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1",
      row: { statement in propertyList = Array(statement.column(0).bytes) })
    guard let hashes = StoreMetadata.versionHashes(in: propertyList) else {
      throw PersistenceError(
        .storeIncompatible, "the property list in Z_METADATA has no hashes of entities", path: connection.path
      )
    }
    for entity in part.entities {
      guard let wanted = entity.versionHash, let found = hashes[entity.name], found != wanted else { continue }
      throw PersistenceError(
        .incompatibleVersionHash,
        "the store was made with another version of the model: entity \(entity.name) has the hash \(hexadecimal(found)) "
          + "there and \(hexadecimal(wanted)) in the model",
        path: connection.path)
    }
  }

  private static func hexadecimal(_ data: Data) -> String {
    data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func checkedTables(
    _ connection: SQLiteConnection, part: ModelPart
  ) throws(PersistenceError) -> [EntityTable] {
    let model = part.model
    let listed = try listedEntities(connection)
    let names = Dictionary(listed.map { ($0.number, $0.name) }) { first, _ in first }
    let byName = Dictionary(listed.map { ($0.name, $0) }) { first, _ in first }
    var numbers: [Int64] = []
    // Entities that the file does not have get numbers that the file does not use.
    var unused = max(listed.map(\.number).max() ?? 0, 0)
    for entity in model.entities {
      guard part.holds(entity) else {
        unused += 1
        numbers.append(unused)
        continue
      }
      guard let found = byName[entity.name] else {
        throw misfit("it does not list entity \(entity.name) in Z_PRIMARYKEY", on: connection)
      }
      guard names[found.superentity] == entity.superentity?.name else {
        throw misfit(
          "entity \(entity.name) inherits from \(entity.superentity?.name ?? "none"), in Z_PRIMARYKEY from "
            + "\(names[found.superentity] ?? "none")",
          on: connection)
      }
      numbers.append(found.number)
    }
    for found in listed where model.entityIfPresent(found.name) == nil {
      guard let shared = names[found.superentity], model.entityIfPresent(shared) != nil else { continue }
      throw misfit(
        "entity \(shared) shares its table with sub-entity \(found.name), which the model does not have", on: connection
      )
    }
    var tables: [EntityTable] = []
    let layouts = layouts(of: model, numbers: numbers)
    for layout in layouts where part.holds(layout.root) { try check(layout, on: connection) }
    for entity in model.entities {
      guard let layout = layouts.first(where: { $0.root === entity.root }) else { continue }
      tables.append(EntityTable(entity, of: model, layout: layout, numbers: numbers))
    }
    return tables
  }

  /// An entity as it is listed in the file.
  private struct ListedEntity {
    var number: Int64
    var name: String
    /// The number of the superentity, or 0 for an entity without one.
    var superentity: Int64
  }

  private static func listedEntities(_ connection: SQLiteConnection) throws(PersistenceError) -> [ListedEntity] {
    var listed: [ListedEntity] = []
    try connection.executeOnce(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
      row: { statement in
        listed.append(
          ListedEntity(
            number: statement.column(0).integer, name: String(decoding: statement.column(1).text, as: UTF8.self),
            superentity: statement.column(2).integer))
      })
    return listed
  }

  private static func check(_ layout: TableLayout, on connection: SQLiteConnection) throws(PersistenceError) {
    var types: [String: String] = [:]
    try connection.executeOnce(
      "PRAGMA table_info(\(layout.name))",
      row: { statement in
        let name = String(decoding: statement.column(1).text, as: UTF8.self)
        types[name] = String(decoding: statement.column(2).text, as: UTF8.self)
      })
    guard !types.isEmpty else {
      throw misfit("entity \(layout.root.name) has no table \(layout.name) in it", on: connection)
    }
    func check(
      _ column: String, storage: EntityTable.Storage, of entity: EntityDescription
    ) throws(PersistenceError) {
      guard let type = types[column] else {
        throw misfit(
          "entity \(entity.name) needs column \(column), which its table \(layout.name) does not have", on: connection)
      }
      guard type == storage.rawValue else {
        throw misfit(
          "entity \(entity.name) needs column \(column) of type \(storage.rawValue); in table \(layout.name) it is "
            + type, on: connection)
      }
    }
    for column in ["Z_PK", "Z_ENT", "Z_OPT"] { try check(column, storage: .integer, of: layout.root) }
    for owned in layout.columns {
      try check(owned.column.name, storage: owned.column.storage, of: owned.entity)
      for column in [owned.column.entityColumn, owned.column.orderName] {
        if let column { try check(column, storage: .integer, of: owned.entity) }
      }
    }
  }

  static func misfit(_ reason: String, on connection: SQLiteConnection) -> PersistenceError {
    PersistenceError(.storeIncompatible, "the store does not fit the model: \(reason)", path: connection.path)
  }
}
