import MachineCore

/// The stores of a coordinator that has several, seen as one.
///
/// Each store knows its rows by their own keys; what comes out of it gets the store's number into every object ID, and
/// what goes into it has that taken out. The first store's number is 0, so its rows pass as they are; those of others
/// are copied where they refer to objects. Immutable: a coordinator makes a new group when stores come or go.
package final class StoreGroup: PersistentStore {
  /// A store with its place in a coordinator.
  package struct Member: Sendable {
    /// The number in the IDs of the store's objects; never given out again.
    package let number: Int
    package let store: any PersistentStore
    /// The part of the model whose objects the store takes; nil = all.
    package let configuration: String?
    /// By the index of an entity, whether the store takes its objects.
    fileprivate let entities: [Bool]

    init(number: Int, store: any PersistentStore, configuration: String?) {
      self.number = number
      self.store = store
      self.configuration = configuration
      var entities = Array(repeating: false, count: store.model.entities.count)
      for entity in store.model.entities(forConfiguration: configuration) { entities[entity.index] = true }
      self.entities = entities
    }

    /// Whether the store takes objects of this entity.
    func holds(_ entity: Int) -> Bool { entities[entity] }
  }

  package let model: ManagedObjectModel
  /// In the order in which they were added.
  let members: [Member]

  init(_ members: [Member], model: ManagedObjectModel) {
    self.members = members
    self.model = model
  }

  /// None of its own.
  package var identifier: String { "" }

  /// That of the first store: all run on one machine.
  package var clockEpoch: Double { members.first?.store.clockEpoch ?? 0 }

  package func externalDataLimit(for objectID: ObjectID) -> Int? {
    members.first { $0.number == objectID.store }?.store.externalDataLimit(for: objectID.local)
  }

  /// Several readers only where every store has them, as in Core Data.
  package var connectionPoolSize: Int { members.map(\.store.connectionPoolSize).min() ?? 1 }

  /// Those of all stores behind their numbers, if every store can tell.
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

  /// The store that has, or had, the row of an object.
  func member(of objectID: ObjectID) throws(PersistenceError) -> Member {
    guard let member = members.first(where: { $0.number == objectID.store }) else {
      throw PersistenceError(
        .storeOpen,
        "the store of object \(objectID.rowKey) of \(model.entities[objectID.entityIndex].name) was removed",
        objectIDs: [objectID])
    }
    return member
  }

  /// The stores that may have objects of an entity or of those that inherit from it.
  func members(holding entity: EntityDescription) -> [Member] {
    members.filter { member in entity.family.contains { member.holds($0) } }
  }
}

// MARK: - Reading

extension StoreGroup {
  /// One request to each store that may have such rows; they are merged in the request's order.
  package func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let members = members(holding: request.entity)
    if members.count == 1 { return try members[0].fetch(request) }
    // What decides the order has to be read as well.
    var wide = request
    if request.slots != Row.allSlots {
      wide.slots = request.sortDescriptors.reduce(request.slots) { $0 | 1 << UInt64($1.path.slot) }
    }
    wide.range = request.range.widened(by: 0)
    let rows = try merge(members, by: request.sortDescriptors) { member throws(PersistenceError) in
      try member.fetch(wide)
    }
    return request.range.cut(rows)
  }

  /// One request to each store that may have such rows.
  package func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int {
    var count = 0
    for member in members(holding: request.entity) { count += try member.store.count(member.local(request)) }
    return count
  }

  /// By the only store that may have such rows; of several, all rows are read and put together here.
  package func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    let members = members(holding: request.fetch.entity)
    if members.count == 1 {
      var local = request
      local.fetch = members[0].local(request.fetch)
      return try members[0].store.dictionaries(local).map { $0.map(members[0].global) }
    }
    var whole = request.fetch.unordered
    whole.slots = Row.allSlots
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
    keysOnly.slots = request.sortDescriptors.reduce(0) { $0 | 1 << UInt64($1.path.slot) }
    let rows = try merge(members, by: request.sortDescriptors) { member throws(PersistenceError) in
      try member.fetch(keysOnly)
    }
    return request.range.cut(rows).map(\.objectID)
  }

  package func rows(
    of entity: EntityDescription, keys: [Int64], slots: UInt64
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

  /// Puts the rows of several stores, each in order, into one order; equal ones stay in the order of the stores.
  private func merge(
    _ members: [Member], by sortDescriptors: [SortDescriptor],
    _ fetch: (Member) throws(PersistenceError) -> [StoreRow]
  ) throws(PersistenceError) -> [StoreRow] {
    var merged: [StoreRow] = []
    for member in members {
      let rows = try fetch(member)
      merged = sortDescriptors.isEmpty ? merged + rows : merge(merged, rows, by: ObjectOrder(sortDescriptors))
    }
    return merged
  }

  private func merge(_ left: [StoreRow], _ right: [StoreRow], by order: ObjectOrder) -> [StoreRow] {
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

  /// The request with the names that the store has for the objects in it.
  func local(_ request: StoreFetchRequest) -> StoreFetchRequest {
    guard let predicate = request.predicate else { return request }
    var request = request
    // An object of another store is to this one what a new object is: nothing refers to it.
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
  /// The row with other names for the objects that it refers to; itself if there are none. O(slots).
  fileprivate func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> Row {
    let refers = values.contains { if case .object = $0 { true } else { false } }
    guard refers else { return self }
    let mapped = values.map { value in
      if case .object(let objectID) = value { Value.object(transform(objectID)) } else { value }
    }
    return Row(version: version, values: mapped, slots: slots)
  }
}
