import ContextEngine

// MARK: - Cases with a list that a user sees

extension EngineRun {
  /// Scrolls through a list of all objects by name, which reads 50 rows at a time, and reads two attributes of each. A
  /// page is a block of the context's queue, as a frame is. The list holds the objects of the pages behind.
  func scroll() throws -> Sample {
    let context = stack.context("list")
    var request = FetchRequest(paths.entity, sortDescriptors: [FetchSortDescriptor(paths.name)])
    request.fetchBatchSize = Assignment.pageSize
    return try weighed {
      stopwatch.start()
      let list = try context.performAndWait { try context.fetch(request) }
      stopwatch.lap("fetch the identities")
      var checksum = 0
      for page in items.indices.units(of: Assignment.pageSize) {
        context.performAndWait {
          for index in page {
            let object = list[index]
            guard case .string(let name) = object[paths.name], case .integer(let rating) = object[paths.rating] else {
              continue
            }
            checksum = Item.checksum(checksum, name: name, rating: rating)
          }
        }
      }
      stopwatch.lap("read the pages")
      stopwatch.stop()
      return (list, checksum)
    }
  }

  /// Merges the renaming of every hundredth object ten times, each time of others, into a main context that has all
  /// objects with their values, and a controller over them. Each object moves to another place.
  func mergeIntoList() throws -> Sample {
    let main = stack.mainContext()
    let worker = stack.context("worker")
    let objects = try realisedObjects(in: worker)
    var request = FetchRequest(paths.entity, sortDescriptors: [FetchSortDescriptor(paths.name)])
    request.returnsObjectsAsFaults = false
    let (controller, delegate) = try main.performAndWait {
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: main)
      let delegate = ChangeCounter()
      controller.delegate = delegate
      try controller.performFetch()
      return (controller, delegate)
    }
    var changedCount = 0
    for pass in 0..<RenamedRows.passCount {
      let renamed = RenamedRows.indices(ofPass: pass, in: objects.count)
      let save = try saveOf(worker) {
        for index in renamed { objects[index][paths.name] = .string(items[index].otherName) }
      }
      changedCount += save.updatedIDs.count
      _ = try merge(save, into: main, changeCount: changedCount)
    }
    let names = try main.performAndWait { try checkedNames(of: controller, delegate, changedCount) }
    return stopwatch.sample(of: changedCount, checksum: Item.checksum(ofNames: names))
  }

  /// Fetches the objects with a low rating by name, while the context has inserted, changed and deleted objects that
  /// are not saved.
  func fetchUnsaved() throws -> Sample {
    let context = stack.context("list")
    let objects = try realisedObjects(in: context)
    context.performAndWait {
      for (index, object) in objects.enumerated() {
        switch UnsavedChange(index: index) {
        case .insertion: paths.set(items[index].other, on: context.insert(paths.entity))
        case .update: paths.set(items[index].other, on: object)
        case .deletion: context.delete(object)
        case nil: break
        }
      }
    }
    return try context.performAndWait {
      var request = FetchRequest(
        paths.entity, predicate: .comparison(paths.rating, .less, .integer(UnsavedChange.ratingBound)),
        sortDescriptors: [FetchSortDescriptor(paths.name)])
      request.returnsObjectsAsFaults = false
      stopwatch.start()
      let list = try context.fetch(request)
      stopwatch.lap("fetch")
      var checksum = 0
      for object in list {
        guard case .string(let name) = object[paths.name], case .integer(let rating) = object[paths.rating] else {
          continue
        }
        checksum = Item.checksum(checksum, name: name, rating: rating)
      }
      stopwatch.lap("read two attributes")
      stopwatch.stop()
      return stopwatch.sample(of: list.count, checksum: checksum)
    }
  }
}
