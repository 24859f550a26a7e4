import ContextEngine
import Synchronization

// MARK: - Cases that bring changes to the main context

extension EngineRun {
  /// Merges a worker's save that changes every row into a main context without objects.
  func mergeUpdates() throws -> Sample {
    let main = stack.mainContext()
    let worker = stack.context("worker")
    let objects = try realisedObjects(in: worker)
    let save = try saveOf(worker) { raiseRatings(of: objects) }
    return try merge(save, into: main, changeCount: objects.count)
  }

  /// Merges a worker's save that inserts every row. Main registers each as a fault and releases it.
  func mergeInserts() throws -> Sample {
    let main = stack.mainContext()
    let worker = stack.context("worker")
    let save = try saveOf(worker) {
      for item in items { paths.set(item, on: worker.insert(paths.entity)) }
    }
    return try merge(save, into: main, changeCount: items.count)
  }

  /// Merges a worker's save that changes every row. Main has all objects with their values, and refreshes each.
  func mergeRealised() throws -> Sample {
    let main = stack.mainContext()
    let shown = try realisedObjects(in: main)
    let worker = stack.context("worker")
    let objects = try realisedObjects(in: worker)
    let save = try saveOf(worker) { raiseRatings(of: objects) }
    var sample = try merge(save, into: main, changeCount: objects.count)
    let isRefreshed = main.performAndWait {
      sample.checksum = shown.reduce(0) { $0 &+ paths.checksum(of: $1) }
      return zip(shown, items).allSatisfy { object, item in object[paths.rating] == .integer(item.rating + 1) }
    }
    guard isRefreshed else { throw PeerError(.disagreement, "a merge left objects of main with their old values") }
    return sample
  }

  private func raiseRatings(of objects: [ManagedObject]) {
    for object in objects {
      if case .integer(let rating) = object[paths.rating] { object[paths.rating] = .integer(rating + 1) }
    }
  }

  /// Returns the notification of one save of the changes that `change` makes.
  func saveOf(_ context: ManagedObjectContext, _ change: () -> Void) throws -> SaveNotification {
    let heard = Mutex<SaveNotification?>(nil)
    let token = context.observeDidSave { save in heard.withLock { $0 = save } }
    defer { token.cancel() }
    try context.performAndWait {
      change()
      try context.save()
    }
    guard let save = heard.withLock({ $0 }) else { throw PeerError(.failed, "a save was not announced") }
    return save
  }

  /// Measures how long main's queue is occupied, from the merge to the end of its block. The checksum is the number of
  /// rows in the notification.
  func merge(
    _ save: SaveNotification, into main: ManagedObjectContext, changeCount: Int
  ) throws -> Sample {
    main.performAndWait {
      stopwatch.start()
      main.mergeChanges(fromContextDidSave: save)
      stopwatch.lap("merge")
    }
    stopwatch.lap("end the block")
    stopwatch.stop()
    return stopwatch.sample(of: changeCount, checksum: save.insertedIDs.count + save.updatedIDs.count)
  }

  /// Renames every tenth object of a list sorted by name, ten times in turn. Each object moves to another place.
  func processInController() throws -> Sample {
    let main = stack.mainContext()
    return try main.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(paths.entity, sortDescriptors: [FetchSortDescriptor(paths.name)]),
        managedObjectContext: main)
      let delegate = ChangeCounter()
      controller.delegate = delegate
      try controller.performFetch()
      guard let list = controller.fetchedObjects else { throw PeerError(.failed, "a controller has no list") }
      let objects = Array(list)
      let passCount = 10
      var changedCount = 0
      for pass in 0..<passCount {
        for index in stride(from: pass, to: objects.count, by: passCount) {
          objects[index][paths.name] = .string(Item.name(of: index, generation: pass + 1))
          changedCount += 1
        }
        stopwatch.start()
        main.processPendingChanges()
        stopwatch.lap("process")
        stopwatch.stop()
      }
      let names = try checkedNames(of: controller, delegate, changedCount)
      return stopwatch.sample(of: changedCount, checksum: Item.checksum(ofNames: names))
    }
  }

  /// Returns the names of a controller's objects in order.
  ///
  /// - Throws: `PeerError` if the delegate did not get all changes or the names are not sorted.
  func checkedNames(
    of controller: FetchedResultsController, _ delegate: ChangeCounter, _ changedCount: Int
  ) throws -> [String] {
    let names = (controller.fetchedObjects.map(Array.init) ?? []).map { object in
      if case .string(let name) = object[paths.name] { name } else { "" }
    }
    guard delegate.changeCount == changedCount, names == names.sorted() else {
      throw PeerError(
        .disagreement, "a controller reported \(delegate.changeCount) of \(changedCount) changes or lost its order")
    }
    return names
  }
}

/// Counts the changes that a controller reports.
final class ChangeCounter: FetchedResultsControllerDelegate {
  private(set) var changeCount = 0

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}
  func controllerDidChangeContent(_ controller: FetchedResultsController) {}

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    changeCount += 1
  }
}
