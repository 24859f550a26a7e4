import ContextEngine

// MARK: - Cases that read

extension EngineRun {
  func fetch() throws -> Sample {
    let context = stack.context("list")
    var request = FetchRequest(paths.entity)
    request.returnsObjectsAsFaults = false
    var held: [ManagedObject] = []
    held.reserveCapacity(items.count)
    return try weighed {
      var checksum = 0
      try context.performAndWait {
        stopwatch.start()
        let objects = try context.fetch(request)
        stopwatch.lap("fetch and register")
        for object in objects { checksum &+= paths.checksum(of: object) }
        stopwatch.lap("read five attributes")
        stopwatch.stop()
        held.append(contentsOf: objects)
      }
      return (held, checksum)
    }
  }

  /// Fires faults, each with a SELECT. The faults are registered beforehand, so that only their firing is timed.
  func fault() throws -> Sample {
    let context = stack.context("list")
    return try weighed {
      let faults = try context.performAndWait {
        try context.fetchObjectIDs(FetchRequest(paths.entity)).map { context.object(with: $0) }
      }
      var checksum = 0
      context.performAndWait {
        stopwatch.start()
        for object in faults { checksum &+= paths.checksum(of: object) }
        stopwatch.stop()
      }
      return (faults, checksum)
    }
  }

  /// Reads all attributes of objects that have their values: no SQL. A unit is one attribute.
  func reread() throws -> Sample {
    let context = stack.context("list")
    let objects = try realisedObjects(in: context)
    var checksum = 0
    var firstChecksum = 0
    context.performAndWait {
      // The first use in a block retains the object for the block, which is not part of reading it again.
      for object in objects { checksum &+= paths.checksum(of: object) }
      firstChecksum = checksum
      stopwatch.start()
      for object in objects { checksum &-= paths.checksum(of: object) }
      stopwatch.stop()
    }
    guard checksum == 0 else { throw PeerError(.disagreement, "objects read twice had other values the second time") }
    if assignment.isDetailed { context.performAndWait { rereadApart(objects) } }
    return stopwatch.sample(of: 5 * objects.count, checksum: firstChecksum)
  }

  /// Reads one attribute of all objects, then the next.
  private func rereadApart(_ objects: [ManagedObject]) {
    let attributes = [
      ("code", paths.code), ("name", paths.name), ("rating", paths.rating), ("price", paths.price),
      ("updatedAt", paths.updatedAt),
    ]
    var sum = 0
    stopwatch.start()
    for (name, path) in attributes {
      for object in objects {
        if case .string(let text) = object[path] { sum &+= text.utf8.count } else { sum &+= 1 }
      }
      stopwatch.lap("read \(name) alone")
    }
  }
}
