import ContextEngine
import MachineCore

/// The persistent history of a store: its tables, and the code that writes transactions into them. Immutable.
///
/// The tables have the form of Core Data's: `ATRANSACTION` has one row for each transaction, `ACHANGE` has one for each
/// object that it changed, and `ATRANSACTIONSTRING` has each name once.
struct SQLiteHistory: Sendable {
  let identity: HistoryIdentity
  /// The slots of each entity whose values are preserved when a row is deleted, in ascending order.
  let preservedSlots: [[Int]]
  /// The number of columns in `ACHANGE` for preserved values.
  let tombstoneCount: Int

  /// The numbers of the history's entities in `Z_PRIMARYKEY`.
  enum EntityNumber {
    static let change: Int64 = 16_001
    static let transaction: Int64 = 16_002
    static let string: Int64 = 16_003
  }

  /// The change that a transaction made to one object.
  struct Record {
    var objectID: ObjectID
    var type: PersistentHistoryChange.ChangeType
    /// The slots that an update changed.
    var slots = SlotSet()
    /// The values of a deleted row at the preserved slots.
    var tombstone: [Value] = []
  }
}

// MARK: - Tables

extension SQLiteHistory {
  /// Creates the tables if they are missing. Adds columns to existing ones if the model preserves more values of
  /// deleted rows than they have room for; surplus columns remain.
  ///
  /// - Returns: nil if the configuration does not ask for history and the file has no history yet. A file with history
  ///   continues it, since a gap could not be distinguished from a period without changes.
  init?(
    _ connection: SQLiteConnection, model: ManagedObjectModel, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) {
    let columns = try Self.columns(of: "ACHANGE", connection)
    guard configuration.tracksHistory || !columns.isEmpty else { return nil }
    identity = configuration.historyIdentity
    preservedSlots = model.entities.map { entity in
      entity.slots.indices.filter { slot in
        guard case .attribute(let attribute) = entity.slots[slot] else { return false }
        return attribute.preservesValueInHistoryOnDeletion && !attribute.isTransient
      }
    }
    let wanted = preservedSlots.map(\.count).max() ?? 0
    let present = columns.count { $0.hasPrefix("ZTOMBSTONE") }
    tombstoneCount = max(wanted, present)
    if columns.isEmpty {
      try Self.create(connection, tombstoneCount: tombstoneCount)
    } else {
      for place in present..<tombstoneCount {
        try connection.executeOnce("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(place) BLOB")
      }
    }
  }

  private static func columns(of table: String, _ connection: SQLiteConnection) throws(PersistenceError) -> [String] {
    var columns: [String] = []
    try connection.executeOnce(
      "PRAGMA table_info(\(table))",
      row: { statement in columns.append(String(decoding: statement.column(1).text, as: UTF8.self)) })
    return columns
  }

  private static func create(_ connection: SQLiteConnection, tombstoneCount: Int) throws(PersistenceError) {
    _ = try connection.inTransaction { () throws(PersistenceError) in
      // Another store may have created the tables between the check and the lock.
      guard try columns(of: "ACHANGE", connection).isEmpty else { return }
      for sql in tableSQL(tombstoneCount: tombstoneCount) { try connection.executeOnce(sql) }
      let names = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]
      for (number, name) in zip(EntityNumber.change..., names) {
        try connection.executeOnce(
          "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, 0)",
          bind: { statement throws(PersistenceError) in
            try statement.bind(number, at: 1)
            try statement.bind(name, at: 2)
          })
      }
    }
  }

  static func tableSQL(tombstoneCount: Int) -> [String] {
    let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return [
      "CREATE TABLE ACHANGE ( \(system), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, "
        + "ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
      "CREATE TABLE ATRANSACTION ( \(system), ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, "
        + "ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
        + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( \(system), ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHORTS COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]
  }
}

// MARK: - Writing

extension SQLiteHistory {
  /// Writes one transaction of history inside the connection's current transaction, and returns its number. Without
  /// records it has no effect and returns nil.
  ///
  /// `tables` has the tables of the store's entities, in the order of the model.
  func write(
    _ records: [Record], from origin: TransactionOrigin, in tables: [EntityTable], on connection: SQLiteConnection
  ) throws(PersistenceError) -> Int64? {
    guard !records.isEmpty else { return nil }
    let transaction = try connection.takeKeys(1, ofEntity: EntityNumber.transaction)
    try writeTransaction(transaction, from: origin, on: connection)
    var key = try connection.takeKeys(Int64(records.count), ofEntity: EntityNumber.change)
    let statement = try connection.statement(changeInsertionSQL)
    defer { statement.finish() }
    for record in records {
      try statement.bind(key, at: 1)
      try statement.bind(record.type.rawValue, at: 2)
      let table = tables[record.objectID.entityIndex]
      try statement.bind(table.number, at: 3)
      try statement.bind(record.objectID.key, at: 4)
      try statement.bind(transaction, at: 5)
      if record.slots.isEmpty {
        try statement.bindNull(at: 6)
      } else {
        try statement.bind(Self.bitmap(of: record.slots, count: table.columns.count), at: 6)
      }
      for place in 0..<tombstoneCount {
        let value = place < record.tombstone.count ? record.tombstone[place] : .null
        try statement.bind(value, at: Int32(7 + place))
      }
      try statement.run()
      key += 1
    }
    return transaction
  }

  private var changeInsertionSQL: String {
    let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
    let parameters = String(repeating: ", ?", count: tombstoneCount)
    return "INSERT INTO ACHANGE(Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, "
      + "ZCOLUMNS\(tombstones)) VALUES(?, \(EntityNumber.change), 1, ?, ?, ?, ?, ?\(parameters))"
  }

  private func writeTransaction(
    _ key: Int64, from origin: TransactionOrigin, on connection: SQLiteConnection
  ) throws(PersistenceError) {
    let names = [origin.author, identity.bundleIdentifier, origin.contextName, identity.processIdentifier]
    var strings: [Int64?] = []
    for name in names {
      strings.append(try name.map { name throws(PersistenceError) in try string(name, on: connection) })
    }
    let statement = try connection.statement(
      "INSERT INTO ATRANSACTION(Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
        + "VALUES(?, \(EntityNumber.transaction), 1, ?, ?, ?, ?, ?)")
    defer { statement.finish() }
    try statement.bind(key, at: 1)
    for (place, string) in strings.enumerated() {
      if let string {
        try statement.bind(string, at: Int32(2 + place))
      } else {
        try statement.bindNull(at: Int32(2 + place))
      }
    }
    try statement.bind(identity.epoch + Double(connection.machine.now.nanoseconds) / 1e9, at: 6)
    try statement.run()
  }

  /// Returns the key of a name, and inserts the name if it is new.
  private func string(_ name: String, on connection: SQLiteConnection) throws(PersistenceError) -> Int64 {
    if let known = try connection.integer(
      "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", parameter: .string(name))
    {
      return known
    }
    let key = try connection.takeKeys(1, ofEntity: EntityNumber.string)
    let statement = try connection.statement(
      "INSERT INTO ATRANSACTIONSTRING(Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES(?, \(EntityNumber.string), 1, ?)")
    defer { statement.finish() }
    try statement.bind(key, at: 1)
    try statement.bind(name, at: 2)
    try statement.run()
    return key
  }

  /// Returns a bitmap with one bit for each slot, from the lowest bit of the first byte.
  static func bitmap(of slots: SlotSet, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    slots.forEach(below: count) { bytes[$0 / 8] |= 1 << UInt8($0 % 8) }
    return bytes
  }
}

extension SQLiteConnection {
  /// Reserves `count` consecutive keys for one of the history's entities, and returns the first.
  fileprivate func takeKeys(_ count: Int64, ofEntity number: Int64) throws(PersistenceError) -> Int64 {
    let last = try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", parameter: .integer(number))
    guard let last else {
      throw PersistenceError(
        .storeIncompatible, "Z_PRIMARYKEY has no last key for entity number \(number) of the history", path: path)
    }
    let statement = try statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    defer { statement.finish() }
    try statement.bind(last + count, at: 1)
    try statement.bind(number, at: 2)
    try statement.run()
    return last + 1
  }

  /// Returns the first column of the first row of a SELECT, or nil if there is no row or the column is NULL.
  func integer(_ sql: String, parameter: Value? = nil) throws(PersistenceError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.finish() }
    if let parameter { try statement.bind(parameter, at: 1) }
    guard try statement.step() else { return nil }
    let column = statement.column(0)
    return column.storageClass == ColumnValue.StorageClass.null ? nil : column.integer
  }
}
