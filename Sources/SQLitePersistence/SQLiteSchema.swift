import ContextEngine
import Foundation

/// The tables of a store's file: made for a new one, compared with the model for one that exists.
///
/// As Core Data makes them: a table per entity, the list of entities with their last keys, the metadata, and a place
/// for the model, which stays empty here.
struct SQLiteSchema {
  let identifier: String
  /// One per entity of the model, in its order.
  let tables: [EntityTable]
  /// One per join table of the model, in its order.
  let joinTables: [JoinTable]

  /// Makes or checks the tables and sets up the connection, the store's first.
  ///
  /// A file that does not fit is left as it is.
  ///
  /// - Throws: `.storeIncompatible` where the file is no database or no store of this model.
  init(
    _ connection: SQLiteConnection, model: ManagedObjectModel, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) {
    // The first read tells whether the file is a database at all.
    let isNew = try Self.tableNames(connection).isEmpty
    if isNew {
      try connection.configureNewFile(configuration)
      try connection.configure(configuration)
      try Self.create(connection, model: model, identifier: configuration.identifier)
    }
    let names = try Self.tableNames(connection)
    guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else {
      throw PersistenceError(
        .storeIncompatible, "the file is a database but not a store: it has no tables Z_METADATA and Z_PRIMARYKEY",
        path: connection.path)
    }
    identifier = try Self.identifier(connection)
    tables = try Self.checkedTables(connection, model: model)
    joinTables = try Self.checkedJoinTables(connection, model: model, numbers: tables.map(\.number))
    if !isNew { try connection.configure(configuration) }
  }
}

// MARK: - A new file

extension SQLiteSchema {
  private static func create(
    _ connection: SQLiteConnection, model: ManagedObjectModel, identifier: String?
  ) throws(PersistenceError) {
    _ = try connection.inTransaction { () throws(PersistenceError) in
      // Another store may have come first between the look and the lock.
      guard try tableNames(connection).isEmpty else { return }
      let joinTables = joinTables(of: model, numbers: model.entities.map { Int64($0.number) })
      for entity in model.entities {
        try connection.executeOnce(tableSQL(of: entity))
        // Each table of pairs behind the table of the entity that names it.
        for (description, joinTable) in zip(model.joinTableDescriptions, joinTables)
        where model.entities[description.entity].root === entity {
          try connection.executeOnce(joinTable.tableSQL)
        }
      }
      for entity in model.entities {
        for sql in indexSQL(of: entity) { try connection.executeOnce(sql) }
      }
      for joinTable in joinTables { try connection.executeOnce(joinTable.indexSQL) }
      try connection.executeOnce(
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
      try connection.executeOnce(
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
      try connection.executeOnce("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      for entity in model.entities {
        try connection.executeOnce(
          "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, 0)",
          bind: { statement throws(PersistenceError) in
            try statement.bind(Int64(entity.number), at: 1)
            try statement.bind(entity.name, at: 2)
          })
      }
      let metadata = StoreMetadata.propertyList(for: model)
      try connection.executeOnce(
        "INSERT INTO Z_METADATA(Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)",
        bind: { statement throws(PersistenceError) in
          try statement.bind(identifier ?? UUID().uuidString, at: 1)
          try statement.bind(metadata, at: 2)
        })
    }
  }

  /// Columns by type, within a type attributes before keys, each by name: the order that Core Data's files have.
  static func tableSQL(of entity: EntityDescription) -> String {
    let columns = EntityTable.columns(of: entity).sorted {
      ($0.storage, $0.isKey ? 1 : 0, $0.name) < ($1.storage, $1.isKey ? 1 : 0, $1.name)
    }
    let integers = columns.prefix { $0.storage == .integer }
    // Places in ordered relationships come last of all integers.
    let definitions =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      + integers.map { "\($0.name) INTEGER" } + integers.compactMap { $0.orderName.map { "\($0) INTEGER" } }
      + columns.dropFirst(integers.count).map { "\($0.name) \($0.storage.rawValue)" }
    return "CREATE TABLE \(EntityTable.name(of: entity)) ( \(definitions.joined(separator: ", ")) )"
  }

  /// An index over each to-one relationship's key, and over each attribute that asks for one.
  static func indexSQL(of entity: EntityDescription) -> [String] {
    let table = EntityTable.name(of: entity)
    return EntityTable.columns(of: entity).filter(\.isIndexed).map {
      "CREATE INDEX \(table)_\($0.name)_INDEX ON \(table) (\($0.name))"
    }
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

  private static func checkedTables(
    _ connection: SQLiteConnection, model: ManagedObjectModel
  ) throws(PersistenceError) -> [EntityTable] {
    var numbers: [String: Int64] = [:]
    var parents: Set<Int64> = []
    try connection.executeOnce(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY",
      row: { statement in
        let name = String(decoding: statement.column(1).text, as: UTF8.self)
        numbers[name] = statement.column(0).integer
        parents.insert(statement.column(2).integer)
      })
    var tables: [EntityTable] = []
    for entity in model.entities {
      guard let number = numbers[entity.name] else {
        throw misfit("it does not list entity \(entity.name) in Z_PRIMARYKEY", connection)
      }
      guard !parents.contains(number) else {
        throw misfit("entity \(entity.name) shares its table with sub-entities, which no model here has", connection)
      }
      try check(entity, connection)
      tables.append(EntityTable(entity, number: number))
    }
    return tables
  }

  private static func check(_ entity: EntityDescription, _ connection: SQLiteConnection) throws(PersistenceError) {
    var types: [String: String] = [:]
    try connection.executeOnce(
      "PRAGMA table_info(\(EntityTable.name(of: entity)))",
      row: { statement in
        let name = String(decoding: statement.column(1).text, as: UTF8.self)
        types[name] = String(decoding: statement.column(2).text, as: UTF8.self)
      })
    let table = EntityTable.name(of: entity)
    guard !types.isEmpty else { throw misfit("entity \(entity.name) has no table \(table) in it", connection) }
    let columns = EntityTable.columns(of: entity)
    let system = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.compactMap(\.orderName))
      .map { ($0, EntityTable.Storage.integer) }
    for (column, storage) in system + columns.map({ ($0.name, $0.storage) }) {
      guard let type = types[column] else {
        throw misfit("entity \(entity.name) needs column \(column), which its table \(table) does not have", connection)
      }
      guard type == storage.rawValue else {
        throw misfit(
          "entity \(entity.name) needs column \(column) of type \(storage.rawValue); in table \(table) it is \(type)",
          connection)
      }
    }
  }

  static func misfit(_ reason: String, _ connection: SQLiteConnection) -> PersistenceError {
    PersistenceError(.storeIncompatible, "the store does not fit the model: \(reason)", path: connection.path)
  }
}
