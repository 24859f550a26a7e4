import ContextEngine
import TestSupport

// MARK: - Lists

extension HistoryWorld {
  /// A controller of a context on the coordinator, and the list that its delegate derives from the reported changes.
  final class List: FetchedResultsControllerDelegate {
    let place: Place
    let controller: FetchedResultsController
    private var objects: [ManagedObject]
    private var event: [FetchedResultsChange: ManagedObject] = [:]
    private(set) var isBroken = false

    init(_ place: Place, _ request: FetchRequest) throws {
      self.place = place
      controller = FetchedResultsController(fetchRequest: request, managedObjectContext: place.context)
      try controller.performFetch()
      objects = Array(try Self.objects(of: controller))
      controller.delegate = self
    }

    static func objects(of controller: FetchedResultsController) throws -> FetchedObjects {
      guard let objects = controller.fetchedObjects else { throw HistoryFailure(sentence: "a controller has no list") }
      return objects
    }

    func controllerWillChangeContent(_ controller: FetchedResultsController) { event = [:] }

    func controller(
      _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
    ) {
      if event.updateValue(object, forKey: change) != nil { isBroken = true }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController) {
      var deletions: [Int] = []
      var insertions: [(Int, ManagedObject)] = []
      for (change, object) in event {
        switch change {
        case .insert(let place): insertions.append((place.item, object))
        case .delete(let place): deletions.append(place.item)
        case .move(let old, let new):
          deletions.append(old.item)
          insertions.append((new.item, object))
        case .update: break
        }
      }
      for place in deletions.sorted(by: >) {
        if objects.indices.contains(place) { objects.remove(at: place) } else { isBroken = true }
      }
      for (place, object) in insertions.sorted(by: { $0.0 < $1.0 }) {
        if place <= objects.count { objects.insert(object, at: place) } else { isBroken = true }
      }
    }

    /// Compares the list, the reported changes and a fetch.
    func check() throws {
      let context = place.context
      context.processPendingChanges()
      if controller.fetchedObjects == nil {
        try controller.performFetch()
        objects = Array(try Self.objects(of: controller))
      }
      let listed = try Self.objects(of: controller).map(HistoryWorld.number)
      let found = try context.fetch(controller.fetchRequest).map(HistoryWorld.number)
      let entity = controller.fetchRequest.entity.name
      if listed != found {
        throw HistoryFailure(sentence: "\(context.name) lists \(entity) \(listed) and finds \(found)")
      }
      if isBroken || objects.map(HistoryWorld.number) != found {
        throw HistoryFailure(
          sentence: "\(context.name) was told of \(entity) \(objects.map(HistoryWorld.number)) and finds \(found)")
      }
    }
  }

  /// Compares a context's list with a fetch, and creates the list the first time. Contexts below others have no lists,
  /// because they are not notified of changes above them.
  func lookAtList(_ place: Place) throws -> String? {
    guard place.context.parent == nil else { return nil }
    return try place.context.performAndWait { () throws -> String? in
      if let list = lists.first(where: { $0.place.context === place.context }) {
        try list.check()
        return "look at the list"
      }
      let entity = Chronicle.model.entity(place.context.firesUpdatedObjectsBeforeMerging ? "Person" : "House")
      var request = FetchRequest(
        entity, sortDescriptors: [FetchSortDescriptor(Self.numberPath(entity), isAscending: false)])
      // A list shows changes of others to unrealised objects only if the context fires updated objects before merging.
      if place.context.firesUpdatedObjectsBeforeMerging {
        request.predicate = .not(.equal(entity.path("large"), .integer(1)))
        request.sortDescriptors.insert(FetchSortDescriptor(entity.path("text")), at: 0)
      }
      lists.append(try List(place, request))
      return "make a list"
    }
  }
}

// MARK: - History

extension HistoryWorld {
  /// The state that a store's history is compared with: each row as it was when the history was last read.
  struct Mirror {
    var token: PersistentHistoryToken?
    var objects: [ObjectID: PlainObject] = [:]
  }

  /// Updates the mirror with the changes in the history, and compares it with the store.
  func replay() throws -> String? {
    guard tracksHistory else { return nil }
    let transactions = try stack.coordinator.execute(.fetchHistory(after: mirror.token)).transactions
    if transactions.isEmpty { return nil }
    let reader = reader()
    let current = try reader.performAndWait { try rows(of: reader) }
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      switch change.changeType {
      case .insert: mirror.objects[change.changedObjectID] = current[change.changedObjectID]
      case .delete: mirror.objects[change.changedObjectID] = nil
      case .update:
        for name in change.updatedProperties ?? [] {
          mirror.objects[change.changedObjectID]?.data[name] = current[change.changedObjectID]?.data[name]
        }
      }
    }
    for transaction in transactions {
      mirror.token = PersistentHistoryToken(
        (mirror.token?.transactionNumbers ?? [:]).merging(transaction.token.transactionNumbers) { max($0, $1) })
    }
    try compareRows(mirror.objects, current)
    return "replay \(transactions.count) transactions"
  }

  private func compareRows(_ mirrored: [ObjectID: PlainObject], _ current: [ObjectID: PlainObject]) throws {
    for objectID in Set(mirrored.keys).union(current.keys).sorted() where mirrored[objectID] != current[objectID] {
      let name = "\(objectID.entityName) \(objectID.key)"
      guard let left = mirrored[objectID], let right = current[objectID] else {
        throw HistoryFailure(
          sentence: "the history " + (current[objectID] == nil ? "does not delete \(name)" : "does not insert \(name)"))
      }
      let property = right.data.keys.sorted().first { left.data[$0] != right.data[$0] } ?? ""
      throw HistoryFailure(sentence: "the history says nothing of \(property) of \(name), which has changed")
    }
  }

  /// Returns the attributes and foreign keys of the store's rows.
  private func rows(of context: ManagedObjectContext) throws -> [ObjectID: PlainObject] {
    var rows: [ObjectID: PlainObject] = [:]
    for root in Chronicle.roots {
      for object in try context.fetch(FetchRequest(root)) {
        var data: [String: Datum] = [:]
        for attribute in object.entity.attributes { data[attribute.name] = .value(object[attribute.name]) }
        for relationship in object.entity.relationships where !relationship.isToMany {
          data[relationship.name] = .value(object[relationship.name])
        }
        rows[object.objectID] = PlainObject(entity: object.entity, data: data)
      }
    }
    return rows
  }
}

// MARK: - Query generations

extension HistoryWorld {
  /// A context that reads one generation, and the contents of the store at its moment.
  struct Pin {
    let context: ManagedObjectContext
    let level: PlainLevel
  }

  /// Pins a context to the newest generation, or checks a pinned one, which may then advance or be released.
  func pin(_ step: HistoryStep) throws -> String? {
    guard stack.hasSQL else { return nil }
    if pins.count < 2, step.third % 2 == 0 || pins.isEmpty {
      let context = ManagedObjectContext(
        .privateQueue, coordinator: stack.coordinator, name: "pinned \(pins.count + 1)")
      try context.performAndWait { try context.setQueryGeneration(from: .current) }
      pins.append(Pin(context: context, level: snapshotOfStore()))
      try check(pins[pins.count - 1])
      return "pin a context"
    }
    let place = step.second % pins.count
    try check(pins[place])
    switch step.fourth % 3 {
    case 0:
      pins.remove(at: place)
      return "look at a pinned context and drop it"
    case 1:
      let context = pins[place].context
      context.performAndWait { context.reset() }
      pins[place] = Pin(context: context, level: snapshotOfStore())
      try check(pins[place])
      return "look at a pinned context and reset it"
    default: return "look at a pinned context"
    }
  }

  private func snapshotOfStore() -> PlainLevel {
    let level = PlainLevel(above: nil)
    level.objects = storeLevel.objects
    return level
  }

  private func check(_ pin: Pin) throws {
    try compare(Place(context: pin.context, level: pin.level))
  }
}
