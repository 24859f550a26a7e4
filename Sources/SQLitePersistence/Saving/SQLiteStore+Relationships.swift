import ContextEngine

// MARK: - Reading

extension SQLiteStore {
  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID] {
    let destination = table(of: model.entities[relationship.destination])
    if relationship.followsKeys {
      return try objectIDs(
        in: destination, SQLiteQuery(keysIn: destination, leadingTo: objectID, by: relationship.inverse))
    }
    let sql = selection(of: relationship, isOfMany: false)
    return try members(sql, destination: destination) { statement throws(PersistenceError) in
      try statement.bind(objectID.key, at: 1)
    }.map(\.objectID)
  }

  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]] {
    if objectIDs.isEmpty { return [] }
    let destination = table(of: model.entities[relationship.destination])
    let sql = selection(of: relationship, isOfMany: true)
    let members = try members(sql, destination: destination) { statement throws(PersistenceError) in
      try statement.bind(SQLiteList(keys: objectIDs.map(\.key)), at: 1)
    }
    let byOwner = Dictionary(grouping: members, by: \.owner)
    return objectIDs.map { byOwner[$0.key]?.map(\.objectID) ?? [] }
  }

  private struct Member {
    var owner: Int64
    var objectID: ObjectID
  }

  /// Returns the SELECT of a relationship's members, by the key of one owner or by a list of owners' keys. Its columns
  /// are the member's entity number (0 if the entity does not share its table), the member's key and the owner's key.
  private func selection(of relationship: EntityDescription.ToMany, isOfMany: Bool) -> String {
    let condition = isOfMany ? "IN \(SQLiteListTable.selection)" : "= ?"
    let destination = table(of: model.entities[relationship.destination])
    let isJoined = relationship.isManyToMany
    let entity = destination.isShared ? (isJoined ? "t1.Z_ENT" : "t0.Z_ENT") : "0"
    let near: String
    let far: String
    let order: String?
    var text: String
    if let end = model.joinTableEnd(of: relationship) {
      let joinTable = joinTables[end.table]
      near = "t0." + joinTable.near(end).name
      far = "t0." + joinTable.far(end).name
      order = joinTable.far(end).orderName.map { "t0." + $0 }
      text = "SELECT \(entity), \(far), \(near) FROM \(joinTable.name) t0"
      // The member's own row is the only place with its entity number.
      if destination.isShared { text += " JOIN \(destination.name) t1 ON t1.Z_PK = \(far)" }
    } else {
      let column = destination.columns[relationship.inverse.slot]
      near = "t0." + column.name
      far = "t0.Z_PK"
      order = relationship.isOrdered ? column.orderName.map { "t0." + $0 } : nil
      text = "SELECT \(entity), \(far), \(near) FROM \(destination.name) t0"
    }
    text += " WHERE \(near) \(condition) ORDER BY "
    if isOfMany { text += "\(near), " }
    // A member without a place was added by a writer that does not maintain the order.
    if let order { text += "\(order) NULLS LAST, " }
    return text + far
  }

  private func members(
    _ sql: String, destination: EntityTable, bind: (SQLiteStatement) throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> [Member] {
    try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(sql)
      defer { statement.finish() }
      try bind(statement)
      var members: [Member] = []
      defer {
        connection.events.rowsStepped += members.count
        connection.events.bytesStepped += 8 * members.count
      }
      while try statement.step() {
        let entity = try entityIndex(of: statement, in: destination)
        let objectID = ObjectID(entity: entity, key: statement.column(RowReader.keyColumn).integer)
        members.append(Member(owner: statement.column(2).integer, objectID: objectID))
      }
      count(members.count, of: statement, events: connection.events)
      return members
    }
  }
}

// MARK: - Writing

extension SQLiteStore {
  /// Writes a save's changes to pairs and orders of relationships, after its rows have been written.
  func write(_ changes: StoreRelationshipChanges, on connection: SQLiteConnection) throws(PersistenceError) {
    if changes.isEmpty { return }
    for link in changes.removals {
      try run(joinTables[link.table].deletionSQL, values: [link.source, link.target], on: connection)
    }
    for clearance in changes.clearances {
      try run(joinTables[clearance.end.table].clearanceSQL(clearance.end), values: [clearance.key], on: connection)
    }
    for link in changes.additions {
      try run(joinTables[link.table].insertionSQL, values: [link.source, link.target], on: connection)
    }
    let orders = changes.orders.map { (order: $0, place: orderPlace(of: $0)) }
    // Members lose their place in the relationships that they leave before they get one in the relationships that they
    // join.
    for (order, place) in orders where !place.isJoinTable {
      for key in order.departed {
        try run("UPDATE \(place.table) SET \(place.order) = NULL WHERE Z_PK = ?", values: [key], on: connection)
      }
    }
    for (order, place) in orders { try write(order, at: place, on: connection) }
  }

  /// The table and the columns that store the order of a relationship.
  private struct OrderPlace {
    var table: String
    var near: String
    var far: String
    var order: String
    var isJoinTable: Bool
  }

  private func orderPlace(of order: StoreRelationshipChanges.Order) -> OrderPlace {
    let relationship = model.entities[order.owner.entityIndex].toManys[order.relationship]
    if let end = model.joinTableEnd(of: relationship) {
      let joinTable = joinTables[end.table]
      return OrderPlace(
        table: joinTable.name, near: joinTable.near(end).name, far: joinTable.far(end).name,
        order: joinTable.far(end).orderName ?? "", isJoinTable: true)
    }
    let destination = table(of: model.entities[relationship.destination])
    let column = destination.columns[relationship.inverse.slot]
    return OrderPlace(
      table: destination.name, near: column.name, far: "Z_PK", order: column.orderName ?? "", isJoinTable: false)
  }

  private func write(
    _ order: StoreRelationshipChanges.Order, at place: OrderPlace, on connection: SQLiteConnection
  ) throws(PersistenceError) {
    let changes: [OrderNumbers.Member]
    if order.arranged == nil {
      if order.appended.isEmpty { return }
      let last = try numbers("SELECT max(t0.\(place.order)), 0", of: order.owner, at: place, on: connection).first
      changes = OrderNumbers.numbers(for: order.appended, behind: last?.number)
    } else {
      let stored = try numbers(
        "SELECT t0.\(place.order), t0.\(place.far)", of: order.owner, at: place, on: connection)
      changes = OrderNumbers.changes(for: OrderNumbers.wantedOrder(of: stored, order))
    }
    let sql = "UPDATE \(place.table) SET \(place.order) = ? WHERE \(place.near) = ? AND \(place.far) = ?"
    let unlessPlaced = order.arranged == nil ? " AND \(place.order) IS NULL" : ""
    let moved = Set(order.moved)
    for change in changes {
      guard let number = change.number else { continue }
      try run(
        moved.contains(change.key) ? sql : sql + unlessPlaced, values: [number, order.owner.key, change.key],
        on: connection)
    }
  }

  /// Returns the order numbers and the keys of one relationship's members, in its order.
  private func numbers(
    _ selection: String, of owner: ObjectID, at place: OrderPlace, on connection: SQLiteConnection
  ) throws(PersistenceError) -> [OrderNumbers.Member] {
    let statement = try connection.statement(
      "\(selection) FROM \(place.table) t0 WHERE t0.\(place.near) = ? "
        + "ORDER BY t0.\(place.order) NULLS LAST, t0.\(place.far)")
    defer { statement.finish() }
    try statement.bind(owner.key, at: 1)
    var members: [OrderNumbers.Member] = []
    while try statement.step() {
      let number = statement.column(0)
      let isNumbered = number.storageClass == ColumnValue.StorageClass.integer
      members.append(.init(key: statement.column(1).integer, number: isNumbered ? number.integer : nil))
    }
    connection.events.rowsStepped += members.count
    connection.events.bytesStepped += 16 * members.count
    return members
  }

  /// Runs a statement that writes, with numbers as its parameters.
  private func run(
    _ sql: String, values: [Int64], on connection: SQLiteConnection
  ) throws(PersistenceError) {
    let statement = try connection.statement(sql)
    defer { statement.finish() }
    for (offset, value) in values.enumerated() { try statement.bind(value, at: Int32(offset + 1)) }
    try statement.run()
    let bytes = statement.takeBoundBytes()
    guard connection.changeCount > 0 else { return }
    connection.events.rowsWritten += Int(connection.changeCount)
    connection.events.bytesWritten += bytes
  }
}
