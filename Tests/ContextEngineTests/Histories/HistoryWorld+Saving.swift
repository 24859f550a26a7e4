import ContextEngine
import Foundation
import TestSupport

extension HistoryWorld {
  /// Saves a context one level up, and has all others merge it.
  func save(_ place: Place) throws -> String? {
    let journal = Journal<SaveNotification>()
    let token = place.context.observeDidSave { journal.write($0) }
    defer { token.cancel() }
    let isDenied = place.level.isDenied
    // A save validates before it calls callbacks.
    let isTidied = !isDenied && place.level.tidy()
    let collides = place.context.parent == nil && place.level.collides(inTwoStores: second != nil)
    do {
      try place.context.performAndWait { try place.context.save() }
    } catch let error as PersistenceError where isDenied && error.refusesDeletions || collides && error.refusesValues {
      if isTidied { try refreshBelow(place) }
      // The refused save keeps the changes. They are rolled back, so that later saves can succeed.
      return try giveUp(place, HistoryStep(kind: .rollback)).map { "save, refused; \($0)" } ?? "save, refused"
    }
    if isDenied { throw HistoryFailure(sentence: "\(place.context.name) saves what a rule denies") }
    if collides { throw HistoryFailure(sentence: "\(place.context.name) saves what a constraint forbids") }
    let hasForgotten = place.level.save()
    for save in journal.entries { try distribute(save, from: place) }
    // The contexts below have not seen the values that the save itself has changed.
    if isTidied || hasForgotten { try refreshBelow(place) }
    return journal.count == 0 ? nil : "save"
  }

  func saveUpwards(_ place: Place) throws -> String? {
    var done: [String] = []
    var next: Place? = place
    while let current = next {
      if let saved = try save(current) {
        done.append(current.context.name)
        if saved != "save" { break }
      }
      next = places.first { $0.context === current.context.parent }
    }
    return done.isEmpty ? nil : "save upwards: \(done.joined(separator: ", "))"
  }

  /// Discards unsaved changes if the contexts below have no changes that are based on them.
  func giveUp(_ place: Place, _ step: HistoryStep) throws -> String? {
    guard descendants(of: place).allSatisfy({ $0.level.changes.isEmpty }) else { return nil }
    place.context.performAndWait {
      if step.kind == .reset { place.context.reset() } else { place.context.rollback() }
    }
    place.level.changes = [:]
    try refreshBelow(place)
    return step.kind == .reset ? "reset" : "rollback"
  }

  func add(_ step: HistoryStep) -> String? {
    guard places.count < 5 else { return nil }
    addContext(below: step.second)
    return "add \(places[places.count - 1].context.name) below "
      + (places[places.count - 1].context.parent?.name ?? "the coordinator")
  }

  func drop(_ place: Place) -> String? {
    guard places.count > 1, descendants(of: place).isEmpty else { return nil }
    places.removeAll { $0.context === place.context }
    lists.removeAll { $0.place.context === place.context }
    return "drop the context"
  }

  // MARK: Looking and asking

  /// Carries out a step that changes no values that a user sees.
  func look(_ place: Place, _ step: HistoryStep) throws -> String? {
    try place.context.performAndWait { () throws -> String? in
      let numbers = place.level.view.keys.sorted()
      switch step.kind {
      case .refreshAll:
        try place.context.refreshAllObjects()
        return "refresh all objects"
      case .process:
        place.context.processPendingChanges()
        return "process pending changes"
      case .obtainIDs:
        try place.context.obtainPermanentIDs(for: place.context.insertedObjects)
        place.level.obtainIDs()
        return "obtain permanent IDs"
      case .refresh:
        guard !numbers.isEmpty else { return nil }
        let number = numbers[step.second % numbers.count]
        let discards = step.third % 2 == 0 && place.level.changes[number] == nil
        try place.context.refresh(object(number, in: place), mergeChanges: !discards)
        return "refresh \(number)\(discards ? "" : ", keeping changes")"
      default:
        guard !numbers.isEmpty else { return nil }
        let number = numbers[step.second % numbers.count]
        let found = try object(number, in: place)
        guard try place.context.existingObject(with: found.objectID) === found, !found.isFault else {
          throw HistoryFailure(sentence: "\(place.context.name): \(number) does not exist by its ID")
        }
        return "fire \(number)"
      }
    }
  }

  // MARK: Batches

  /// Executes a batch request and has all contexts merge its IDs.
  func batch(_ place: Place, _ step: HistoryStep) throws -> String? {
    // A store in memory does not support batch requests.
    guard stack.hasSQL, let done = try execute(place, step) else { return nil }
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: done.changes, into: places.map(\.context))
    settle()
    return done.sentence
  }

  private typealias Batch = (sentence: String, changes: [ChangedObjectIDsKey: [ObjectID]])

  private func execute(_ place: Place, _ step: HistoryStep) throws -> Batch? {
    let context = place.context
    let entity = Chronicle.model.entity(step.second % 2 == 0 ? "House" : "Song")
    let large = entity.path("large")
    let value = Self.value(of: .integer64, step.fourth)
    return try context.performAndWait { () throws -> Batch? in
      switch step.kind {
      case .batchInsert:
        guard storeLevel.objects.count < 14 else { return nil }
        lastNumber += 1
        var request = BatchInsertRequest(
          entity, objects: [["number": .integer(Int64(lastNumber)), "large": value]])
        request.resultType = .objectIDs
        let objectIDs = try context.execute(request).objectIDs
        storeLevel.objects[lastNumber] = Self.blank(entity, lastNumber)
        storeLevel.objects[lastNumber]?.data["large"] = .value(value)
        return ("batch insert \(entity.name) \(lastNumber)", [.inserted: objectIDs])
      case .batchUpdate:
        // A context that has deleted one of the objects would have a conflict.
        let numbers = storeLevel.objects.filter { $0.value.entity === entity }.map(\.key)
        guard numbers.allSatisfy({ number in places.allSatisfy { $0.level.changes[number] != .deleted } })
        else { return nil }
        var request = BatchUpdateRequest(entity, propertiesToUpdate: [large: .constant(value)])
        request.resultType = .objectIDs
        let objectIDs = try context.execute(request).objectIDs
        for number in numbers { storeLevel.objects[number]?.data["large"] = .value(value) }
        return ("batch update of \(entity.name) to \(value)", [.updated: objectIDs])
      default:
        let numbers = storeLevel.objects.filter { $0.value.entity === entity }.map(\.key).sorted()
        guard !numbers.isEmpty else { return nil }
        let number = numbers[step.third % numbers.count]
        let reach = storeLevel.reach(ofDeleting: number)
        guard places.allSatisfy({ place in reach.allSatisfy { place.level.changes[$0] == nil } }) else { return nil }
        var request = BatchDeleteRequest(
          FetchRequest(entity, predicate: .equal(Self.numberPath(entity), .integer(Int64(number)))))
        request.resultType = .objectIDs
        // The request does not return the IDs of the objects that refer to the deleted ones. They are merged as
        // updated, because contexts may have read their relationships.
        let view = place.level.view
        let led = try reach.filter { view[$0] != nil }.sorted().map { try object($0, in: place).objectID }
        let objectIDs = try context.execute(request).objectIDs
        storeLevel.deleteFromStore(number)
        let deleted = Set(objectIDs)
        return (
          "batch delete \(entity.name) \(number)",
          [.deleted: objectIDs, .updated: led.filter { !deleted.contains($0) }]
        )
      }
    }
  }
}

extension PlainLevel {
  /// Deletes an object of a store by the rules, as a save would.
  fileprivate func deleteFromStore(_ number: Int) {
    let context = PlainLevel(above: self)
    context.delete(number)
    context.save()
  }
}

extension PersistenceError {
  /// A Boolean value that is true if validation failed because of delete rules only.
  fileprivate var refusesDeletions: Bool {
    code == .validationRelationshipDeniedDelete
      || code == .validationMultipleErrors
        && failures.allSatisfy { $0.code == .validationRelationshipDeniedDelete }
  }

  /// A Boolean value that is true if a uniqueness constraint failed the save.
  fileprivate var refusesValues: Bool { code == .managedObjectConstraintMerge }
}
