import ContextEngine

/// Reads history with one connection.
struct HistoryReader {
  let store: SQLiteStore
  let history: SQLiteHistory
  let connection: SQLiteConnection

  static let lastNumberSQL =
    "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(SQLiteHistory.EntityNumber.transaction)"

  /// Returns the transactions that a request selects, in ascending order. Runs one SELECT for the transactions and two
  /// to check a token. The changes, if they are included, take one SELECT and one more for each entity that preserves
  /// values of deleted rows.
  mutating func transactions(_ request: StoreHistoryRequest) throws(PersistenceError) -> [PersistentHistoryTransaction]
  {
    var condition = HistoryCondition()
    switch request.bound {
    case .none: break
    case .token(let token):
      let number = try store.known(token)
      try checkNothingIsMissing(after: number)
      condition.add("t.Z_PK > ?", parameter: .integer(number))
    case .timestamp(let timestamp): condition.add("t.ZTIMESTAMP > ?", parameter: .double(timestamp))
    }
    if let filter = request.filter { condition.add(filter) }
    let changeCondition = try request.changeFilter.map { filter throws(PersistenceError) in try sql(for: filter) }
    if let changeCondition {
      condition.add("EXISTS (SELECT 1 FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK AND \(changeCondition))")
    }
    let heads = try self.heads(condition)
    guard request.includesChanges else { return heads.map { $0.transaction(in: store, changes: nil) } }
    let changes = try changes(of: heads.map(\.number), where: changeCondition ?? "1")
    return heads.map { $0.transaction(in: store, changes: changes[$0.number] ?? []) }
  }

  private func checkNothingIsMissing(after number: Int64) throws(PersistenceError) {
    let last = try connection.integer(Self.lastNumberSQL) ?? 0
    let first = try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION") ?? last + 1
    guard number + 1 < first else { return }
    throw PersistenceError(
      .historyTokenExpired,
      "the history after transaction \(number) begins with \(first), because the transactions in between were deleted; "
        + "fetch all objects again", path: store.configuration.path)
  }

  /// Returns the SQL condition on changes for a filter. It contains only numbers, so it does not need parameters.
  private func sql(for filter: PersistentHistoryChangeFilter) throws(PersistenceError) -> String {
    switch filter {
    case .changeType(let type): return "c.ZCHANGETYPE = \(type.rawValue)"
    case .entity(let name):
      guard let entity = store.model.entityIfPresent(name) else {
        throw PersistenceError(
          .invalidPredicate, "a filter of history names entity \(name), which the model does not have")
      }
      return "c.ZENTITY = \(store.table(of: entity).number)"
    case .object(let objectID):
      return "(c.ZENTITY = \(store.table(of: objectID).number) AND c.ZENTITYPK = \(objectID.key))"
    case .and(let parts): return try chain(parts, connective: " AND ", empty: "1")
    case .or(let parts): return try chain(parts, connective: " OR ", empty: "0")
    case .not(let part): return "NOT \(try sql(for: part))"
    }
  }

  private func chain(
    _ parts: [PersistentHistoryChangeFilter], connective: String, empty: String
  ) throws(PersistenceError) -> String {
    if parts.isEmpty { return empty }
    var texts: [String] = []
    for part in parts { texts.append(try sql(for: part)) }
    return "(\(texts.joined(separator: connective)))"
  }

  private struct Head {
    var number: Int64
    var timestamp: Double
    var names: [String?]

    func transaction(in store: SQLiteStore, changes: [PersistentHistoryChange]?) -> PersistentHistoryTransaction {
      PersistentHistoryTransaction(
        storeID: store.identifier, transactionNumber: number, timestamp: timestamp, bundleID: names[1],
        processID: names[3], contextName: names[2], author: names[0], changes: changes)
    }
  }

  private func heads(_ condition: HistoryCondition) throws(PersistenceError) -> [Head] {
    let names = HistoryCondition.columns.joined(separator: ", ")
    let statement = try connection.statement(
      "SELECT t.Z_PK, t.ZTIMESTAMP, \(names) FROM ATRANSACTION t WHERE \(condition.sql) ORDER BY t.Z_PK")
    defer { statement.finish() }
    for (place, value) in condition.parameters.enumerated() { try statement.bind(value, at: Int32(place + 1)) }
    var heads: [Head] = []
    while try statement.step() {
      let names = (2..<6).map { index -> String? in
        let column = statement.column(Int32(index))
        return column.storageClass == ColumnValue.StorageClass.text ? String(decoding: column.text, as: UTF8.self) : nil
      }
      heads.append(Head(number: statement.column(0).integer, timestamp: statement.column(1).double, names: names))
    }
    return heads
  }

  /// Returns the changes of the given transactions by transaction, in the order in which they were written.
  private func changes(
    of transactions: [Int64], where condition: String
  ) throws(PersistenceError) -> [Int64: [PersistentHistoryChange]] {
    let tombstones = try tombstones(of: transactions)
    let statement = try connection.statement(
      "SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZTRANSACTIONID, hex(c.ZCOLUMNS) FROM ACHANGE c "
        + "WHERE c.ZTRANSACTIONID IN \(SQLiteListTable.selection)"
        + "\(condition == "1" ? "" : " AND \(condition)") ORDER BY c.Z_PK")
    defer { statement.finish() }
    try statement.bind(SQLiteList(keys: transactions), at: 1)
    var changes: [Int64: [PersistentHistoryChange]] = [:]
    while try statement.step() {
      let key = statement.column(0).integer
      let transaction = statement.column(4).integer
      guard let type = PersistentHistoryChange.ChangeType(rawValue: statement.column(1).integer),
        let table = store.table(numbered: statement.column(2).integer)
      else {
        throw PersistenceError(
          .storeIncompatible, "row \(key) of ACHANGE has a kind or an entity that the model does not have",
          path: store.configuration.path)
      }
      let objectID = ObjectID(entity: table.index, key: statement.column(3).integer)
      let slots = Self.slots(inHex: statement.column(5).text)
      let names = table.entity.slots.enumerated().filter { slots.contains($0.offset) && !$0.element.isHidden }.map(
        \.element.name)
      changes[transaction, default: []].append(
        PersistentHistoryChange(
          changeID: key, transactionNumber: transaction, changedObjectID: objectID, changeType: type,
          updatedProperties: type == .update ? names : nil, tombstone: type == .delete ? tombstones[key] ?? [:] : nil))
    }
    return changes
  }

  /// Returns the preserved values of deleted rows, by the key of the change. Runs one SELECT for each entity that
  /// preserves values.
  private func tombstones(of transactions: [Int64]) throws(PersistenceError) -> [Int64: [String: Value]] {
    var tombstones: [Int64: [String: Value]] = [:]
    for (index, slots) in history.preservedSlots.enumerated() where !slots.isEmpty {
      let table = store.table(of: store.model.entities[index])
      let columns = slots.indices.map { ", c.ZTOMBSTONE\($0)" }.joined()
      let statement = try connection.statement(
        "SELECT \(table.number), c.Z_PK, c.Z_OPT\(columns) FROM ACHANGE c WHERE c.ZCHANGETYPE = 2 AND c.ZENTITY = \(table.number) "
          + "AND c.ZTRANSACTIONID IN \(SQLiteListTable.selection)")
      defer { statement.finish() }
      try statement.bind(SQLiteList(keys: transactions), at: 1)
      let reader = store.reader(of: table, slots: SlotSet(slots), includesSubentities: false)
      for read in try reader.rows(of: statement, events: connection.events) {
        tombstones[read.key] = Dictionary(
          slots.map { (table.entity.slots[$0].name, read.row.value(at: $0)) }, uniquingKeysWith: { first, _ in first })
      }
    }
    return tombstones
  }

  /// Returns the slots of a bitmap, given as hexadecimal digits, whose first byte has the lowest slots.
  private static func slots(inHex text: UnsafeBufferPointer<UInt8>) -> SlotSet {
    let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    var slots = SlotSet()
    for place in 0..<min(digits.count / 2, (SlotSet.limit + 7) / 8) {
      let byte = digits[2 * place] << 4 | digits[2 * place + 1]
      for bit in 0..<8 where byte & (1 << bit) != 0 { slots.insert(8 * place + bit) }
    }
    return slots
  }
}

/// The WHERE condition of a SELECT of transactions, with its parameters.
private struct HistoryCondition {
  private(set) var sql = "1"
  private(set) var parameters: [Value] = []

  mutating func add(_ condition: String, parameter: Value) {
    sql += " AND \(condition)"
    parameters.append(parameter)
  }

  mutating func add(_ condition: String) { sql += " AND \(condition)" }

  mutating func add(_ filter: PersistentHistoryFilter) {
    sql += " AND \(sql(for: filter))"
  }

  /// The expressions for author, bundle, context and process. Each is the name to which the key refers or, without a
  /// key, the name stored in the row itself.
  static let columns = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"].map { name in
    "IFNULL((SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.Z\(name)TS), t.Z\(name))"
  }

  private static func column(of field: PersistentHistoryFilter.Field) -> String {
    switch field {
    case .author: columns[0]
    case .bundleID: columns[1]
    case .contextName: columns[2]
    case .processID: columns[3]
    }
  }

  private mutating func sql(for filter: PersistentHistoryFilter) -> String {
    switch filter {
    case .equal(let field, let text):
      parameters.append(text.map(Value.string) ?? .null)
      // IS treats two NULLs as equal and never returns NULL.
      return "\(Self.column(of: field)) IS ?"
    case .and(let parts): return chain(parts, connective: " AND ", empty: "1")
    case .or(let parts): return chain(parts, connective: " OR ", empty: "0")
    case .not(let part): return "NOT \(sql(for: part))"
    }
  }

  private mutating func chain(_ parts: [PersistentHistoryFilter], connective: String, empty: String) -> String {
    if parts.isEmpty { return empty }
    var texts: [String] = []
    for part in parts { texts.append(sql(for: part)) }
    return "(\(texts.joined(separator: connective)))"
  }
}
