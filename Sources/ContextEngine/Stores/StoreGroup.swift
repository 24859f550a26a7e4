import MachineCore

/// The stores of a coordinator that has several, used as one store.
///
/// Each store identifies its rows by local keys. The group adds the store's number to every object ID that it reads,
/// and removes it from every object ID that it writes. The first store has the number 0, so that its rows need no
/// conversion; rows of other stores are copied if they refer to objects. A group is immutable: a coordinator makes a
/// new one when stores are added or removed.
package final class StoreGroup: PersistentStore {
  /// A store and its number in a coordinator.
  package struct Member: Sendable {
    /// The store's number in object IDs, which is never used again for another store.
    package let number: Int
    package let store: any PersistentStore
    /// The configuration of the model whose objects the store takes, or nil for all entities.
    package let configuration: String?
    /// Flags that indicate whether the store takes objects of an entity, by the entity's index.
    fileprivate let entities: [Bool]

    init(number: Int, store: any PersistentStore, configuration: String?) {
      self.number = number
      self.store = store
      self.configuration = configuration
      var entities = Array(repeating: false, count: store.model.entities.count)
      for entity in store.model.entities(forConfiguration: configuration) { entities[entity.index] = true }
      self.entities = entities
    }

    /// Returns true if the store takes objects of this entity.
    func holds(_ entity: Int) -> Bool { entities[entity] }
  }

  package let model: ManagedObjectModel
  /// The stores in the order in which they were added.
  let members: [Member]

  init(_ members: [Member], model: ManagedObjectModel) {
    self.members = members
    self.model = model
  }

  /// An empty string, because a group has no identifier.
  package var identifier: String { "" }

  /// The clock epoch of the first store. It applies to all stores, because they run on one machine.
  package var clockEpoch: Double { members.first?.store.clockEpoch ?? 0 }

  package func externalDataLimit(for objectID: ObjectID) -> Int? {
    members.first { $0.number == objectID.store }?.store.externalDataLimit(for: objectID.local)
  }

  /// The smallest pool size of all stores, so that there are several readers only if every store has them, as in Core
  /// Data.
  package var connectionPoolSize: Int { members.map(\.store.connectionPoolSize).min() ?? 1 }

  /// Returns the change tokens of all stores, each behind its store's number, or nil if a store has no change token.
  package func changeToken() throws(PersistenceError) -> [Int64]? {
    var token: [Int64] = []
    for member in members {
      guard let own = try member.store.changeToken() else { return nil }
      token += [Int64(member.number)] + own
    }
    return token
  }

  package func close() throws(PersistenceError) {
    for member in members { try member.store.close() }
  }

  /// Returns the store that has, or had, the row of an object.
  ///
  /// - Throws: `.storeOpen` if that store was removed.
  func member(of objectID: ObjectID) throws(PersistenceError) -> Member {
    guard let member = members.first(where: { $0.number == objectID.store }) else {
      throw PersistenceError(
        .storeOpen,
        "the store of object \(objectID.rowKey) of \(model.entities[objectID.entityIndex].name) was removed",
        objectIDs: [objectID])
    }
    return member
  }

  /// Returns the stores that may have objects of an entity or of entities that inherit from it.
  func members(holding entity: EntityDescription) -> [Member] {
    members.filter { member in entity.family.contains { member.holds($0) } }
  }
}

// MARK: - Reading

extension StoreGroup {
  /// Sends one request to each store that may have matching rows, and merges the results in the request's order.
  package func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let members = members(holding: request.entity)
    if members.count == 1 { return try members[0].fetch(request) }
    // The values that decide the order have to be read as well.
    var wide = request
    if !request.slots.isAll {
      wide.slots = request.slots.union(SlotSet(request.sortDescriptors.map(\.path.slot)))
    }
    wide.range = request.range.widened(by: 0)
    let rows = try merge(members, by: request.sortDescriptors) { member throws(PersistenceError) in
      try member.fetch(wide)
    }
    return request.range.cut(rows)
  }

  /// Returns the number of matching rows, with one request to each store that may have them.
  package func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int {
    var count = 0
    for member in members(holding: request.entity) { count += try member.store.count(member.local(request)) }
    return count
  }

  /// Returns the values of a dictionary request. If only one store may have matching rows, it runs the request;
  /// otherwise the rows of all stores are read and assembled in memory.
  package func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    let members = members(holding: request.fetch.entity)
    if members.count == 1 {
      var local = request
      local.fetch = members[0].local(request.fetch)
      return try members[0].store.dictionaries(local).map { $0.map(members[0].global) }
    }
    var whole = request.fetch.unordered
    whole.slots = .all
    let rows = try fetch(whole)
    return DictionaryAssembly(request).rows(of: rows.map { StoreSubject($0, of: self) })
  }

  package func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    let members = members(holding: request.entity)
    if members.count == 1 {
      return try members[0].store.fetchObjectIDs(members[0].local(request)).map { $0.inStore(members[0].number) }
    }
    var keysOnly = request
    keysOnly.range = request.range.widened(by: 0)
    guard !request.sortDescriptors.isEmpty else {
      var objectIDs: [ObjectID] = []
      for member in members {
        objectIDs += try member.store.fetchObjectIDs(member.local(keysOnly)).map { $0.inStore(member.number) }
      }
      return request.range.cut(objectIDs)
    }
    keysOnly.slots = SlotSet(request.sortDescriptors.map(\.path.slot))
    let rows = try merge(members, by: request.sortDescriptors) { member throws(PersistenceError) in
      try member.fetch(keysOnly)
    }
    return request.range.cut(rows).map(\.objectID)
  }

  package func rows(
    of entity: EntityDescription, keys: [Int64], slots: SlotSet
  ) throws(PersistenceError) -> [StoreRow] {
    var rows: [StoreRow] = []
    for member in members {
      let own = keys.map { ObjectID(entity: entity.index, key: $0) }.filter { $0.store == member.number }
      if own.isEmpty { continue }
      let found = try member.store.rows(of: entity, keys: own.map(\.rowKey), slots: slots)
      rows += found.map(member.global)
    }
    return rows
  }

  package func row(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    let member = try member(of: objectID)
    return try member.store.row(for: objectID.local).map(member.global)
  }

  /// Merges the sorted rows of several stores into one order. Equal rows stay in the order of the stores.
  private func merge(
    _ members: [Member], by sortDescriptors: [FetchSortDescriptor],
    fetch: (Member) throws(PersistenceError) -> [StoreRow]
  ) throws(PersistenceError) -> [StoreRow] {
    var merged: [StoreRow] = []
    for member in members {
      let rows = try fetch(member)
      merged = sortDescriptors.isEmpty ? merged + rows : merge(merged, with: rows, by: ObjectOrder(sortDescriptors))
    }
    return merged
  }

  private func merge(_ left: [StoreRow], with right: [StoreRow], by order: ObjectOrder) -> [StoreRow] {
    var merged: [StoreRow] = []
    merged.reserveCapacity(left.count + right.count)
    var next = 0
    for row in left {
      let subject = StoreSubject(row, of: self)
      while next < right.count, order.compare(StoreSubject(right[next], of: self), subject) < 0 {
        merged.append(right[next])
        next += 1
      }
      merged.append(row)
    }
    return merged + right[next...]
  }
}

// MARK: - Crossing the border of a store

extension StoreGroup.Member {
  fileprivate func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    try store.fetch(local(request)).map(global)
  }

  /// Returns the request with the store's local object IDs.
  func local(_ request: StoreFetchRequest) -> StoreFetchRequest {
    guard let predicate = request.predicate else { return request }
    var request = request
    // An object of another store is treated as a new object: no row of this store refers to it.
    request.predicate = predicate.mapObjectIDs { objectID in
      objectID.isTemporaryID || objectID.store == number
        ? objectID.local : ObjectID(entity: objectID.entityIndex, key: -1)
    }
    return request
  }

  func global(_ row: StoreRow) -> StoreRow {
    number == 0 ? row : StoreRow(objectID: row.objectID.inStore(number), row: global(row.row))
  }

  func global(_ row: Row) -> Row {
    number == 0 ? row : row.mapObjectIDs { $0.inStore(number) }
  }

  func global(_ value: Value) -> Value {
    if case .object(let objectID) = value { .object(objectID.inStore(number)) } else { value }
  }

  func local(_ row: Row) -> Row {
    number == 0 ? row : row.mapObjectIDs(\.local)
  }
}

extension Row {
  /// Returns the row with transformed object IDs, or the row itself if it refers to no object. O(slots).
  fileprivate func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> Row {
    let refers = values.contains { if case .object = $0 { true } else { false } }
    guard refers else { return self }
    let mapped = values.map { value in
      if case .object(let objectID) = value { Value.object(transform(objectID)) } else { value }
    }
    return Row(version: version, values: mapped, slots: slots)
  }
}
