import ContextEngine
import Foundation
import MachineCore

// MARK: - Writing

extension SQLiteStore {
  /// Returns the values that history preserves of rows that are about to be deleted. The result is empty if the store
  /// keeps no history or if the entities do not preserve values.
  func tombstones(
    of objectIDs: [ObjectID], _ connection: SQLiteConnection
  ) throws(PersistenceError) -> [ObjectID: [Value]] {
    guard let history else { return [:] }
    var tombstones: [ObjectID: [Value]] = [:]
    for run in objectIDs.sorted().runs(by: \.entityIndex) {
      let entity = run[run.startIndex].entityIndex
      let slots = history.preservedSlots[entity]
      if slots.isEmpty { continue }
      let table = table(of: run[run.startIndex])
      let bits = table.normalised(SlotSet(slots))
      let query = SQLiteQuery(table.selection(slots: bits, includesSubentities: false), keys: run.map(\.key))
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      let owners = Dictionary(run.map { ($0.key, $0) }) { first, _ in first }
      let reader = reader(of: table, slots: bits, includesSubentities: false)
      for read in try reader.rows(of: statement, events: connection.events) {
        guard let owner = owners[read.key] else { continue }
        var values: [Value] = []
        for slot in slots {
          var value = try read.row.readValue(at: slot)
          // The value gets the mark of its column, since it is read like that column.
          if table.columns[slot].isExternal, case .binary(let bytes) = value {
            value = .binary(Data(ExternalReference.column(inline: bytes)))
          }
          values.append(value)
        }
        tombstones[owner] = values
      }
    }
    return tombstones
  }

  /// Writes a save's transaction of history, inside the transaction of the save. Returns nil if the store keeps no
  /// history or if the save has no changes.
  func writeHistory(
    of changes: StoreChanges, tombstones: [ObjectID: [Value]], on connection: SQLiteConnection
  ) throws(PersistenceError) -> PersistentHistoryToken? {
    guard let history else { return nil }
    var records = changes.insertions.map { SQLiteHistory.Record(objectID: $0.objectID, type: .insert) }
    for update in changes.updates {
      let slots = update.slots.intersection(table(of: update.objectID).entity.everySlot)
      records.append(.init(objectID: update.objectID, type: .update, slots: slots))
    }
    for deletion in changes.deletions {
      records.append(.init(objectID: deletion.objectID, type: .delete, tombstone: tombstones[deletion.objectID] ?? []))
    }
    return try history.write(records, from: changes.origin, in: tables, on: connection)
      .map { PersistentHistoryToken([identifier: $0]) }
  }

  /// Writes a batch request's transaction of history, inside the transaction of the request. Has no effect if the store
  /// keeps no history.
  ///
  /// `slots` has the slots of the updated rows that have changed. `derived` has the slots of the derived
  /// attributes that were computed, including rows that the request did not write itself.
  func writeHistory(
    of outcome: StoreBatchOutcome, updating slots: SlotSet, derived: [ObjectID: SlotSet],
    from origin: TransactionOrigin, _ connection: SQLiteConnection
  ) throws(PersistenceError) {
    guard let history else { return }
    var records = outcome.inserted.map { SQLiteHistory.Record(objectID: $0, type: .insert) }
    for objectID in outcome.updated {
      let all = slots.intersection(table(of: objectID).entity.everySlot).union(derived[objectID, default: []])
      records.append(.init(objectID: objectID, type: .update, slots: all))
    }
    records += followers(in: derived, besides: outcome.inserted + outcome.updated)
    _ = try history.write(records, from: origin, in: tables, on: connection)
  }

  /// Returns an update record for each row whose derived attributes were computed but which the request did not write
  /// itself.
  func followers(in derived: [ObjectID: SlotSet], besides written: [ObjectID]) -> [SQLiteHistory.Record] {
    if derived.isEmpty { return [] }
    let written = Set(written)
    return derived.filter { !written.contains($0.key) }.sorted { $0.key < $1.key }
      .map { SQLiteHistory.Record(objectID: $0.key, type: .update, slots: $0.value) }
  }
}

extension Array {
  /// Returns the longest runs of consecutive elements with the same group.
  func runs<Group: Equatable>(by group: (Element) -> Group) -> [ArraySlice<Element>] {
    var runs: [ArraySlice<Element>] = []
    var start = startIndex
    while start < endIndex {
      let wanted = group(self[start])
      let end = self[start...].firstIndex { group($0) != wanted } ?? endIndex
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}

// MARK: - Reading and deleting

extension SQLiteStore {
  package func history(
    _ request: StoreHistoryRequest
  ) throws(PersistenceError) -> [PersistentHistoryTransaction] {
    guard let history else { throw Self.hasNoHistory }
    return try pool.withReader { connection throws(PersistenceError) in
      var reader = HistoryReader(store: self, history: history, connection: connection)
      return try reader.transactions(request)
    }
  }

  package func deleteHistory(before bound: StoreHistoryRequest.Bound) throws(PersistenceError) -> Int {
    guard history != nil else { throw Self.hasNoHistory }
    let (condition, parameter): (String, Value?) =
      switch bound {
      case .none: ("1", nil)
      case .token(let token): ("Z_PK < ?", .integer(try known(token)))
      case .timestamp(let timestamp): ("ZTIMESTAMP < ?", .double(timestamp))
      }
    return try pool.withWriter { connection throws(PersistenceError) in
      try connection.inTransaction { () throws(PersistenceError) in
        let transactions = "(SELECT Z_PK FROM ATRANSACTION WHERE \(condition))"
        var count = 0
        for sql in [
          "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN \(transactions)", "DELETE FROM ATRANSACTION WHERE \(condition)",
        ] {
          let statement = try connection.statement(sql)
          defer { statement.finish() }
          if let parameter { try statement.bind(parameter, at: 1) }
          try statement.run()
          count = Int(connection.changeCount)
        }
        return count
      }.result
    }
  }

  package func lastTransactionNumber() throws(PersistenceError) -> Int64? {
    guard history != nil else { return nil }
    return try pool.withReader { connection throws(PersistenceError) in
      try connection.integer(HistoryReader.lastNumberSQL) ?? 0
    }
  }

  /// Returns the number of the transaction that a token has for this store.
  ///
  /// - Throws: `.historyTokenExpired` if the token is only of other stores.
  func known(_ token: PersistentHistoryToken) throws(PersistenceError) -> Int64 {
    guard let number = token.transactionNumbers[identifier] else {
      throw PersistenceError(
        .historyTokenExpired, "the history token belongs to other stores and not to the one with UUID \(identifier)",
        path: configuration.path)
    }
    return number
  }
}
