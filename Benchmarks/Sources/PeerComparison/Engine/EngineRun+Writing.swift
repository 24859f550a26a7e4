import ContextEngine

// MARK: - Cases that write

extension EngineRun {
  func insert() throws -> Sample {
    let context = stack.context("import")
    return try timed(inUnitsOf: items) { unit in
      try context.performAndWait {
        makeObjects(unit, in: context)
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("let the objects go")
    }
  }

  /// Imports through a worker below main below a private root, each of which is saved in turn.
  func threeLevels() throws -> Sample {
    let root = stack.context("root")
    let main = ManagedObjectContext(.mainQueue, parent: root, name: "main")
    let worker = ManagedObjectContext(.privateQueue, parent: main, name: "worker")
    return try timed(inUnitsOf: items) { unit in
      try worker.performAndWait {
        makeObjects(unit, in: worker)
        try worker.save()
        stopwatch.lap("save the worker into main")
      }
      stopwatch.lap("let the worker's objects go")
      try main.performAndWait { try main.save() }
      stopwatch.lap("save main into root")
      try root.performAndWait { try root.save() }
      stopwatch.lap("save root into the store")
    }
  }

  private func makeObjects(_ unit: ArraySlice<Item>, in context: ManagedObjectContext) {
    guard assignment.isDetailed else {
      for item in unit { paths.set(item, on: context.insert(paths.entity)) }
      stopwatch.lap("make and fill")
      return
    }
    let objects = unit.map { _ in context.insert(paths.entity) }
    stopwatch.lap("make")
    for (item, object) in zip(unit, objects) { paths.set(item, on: object) }
    stopwatch.lap("set five attributes")
  }

  /// Updates objects that have their values beforehand, as those that an app changes have.
  func update() throws -> Sample {
    let context = stack.context("edit")
    let objects = try realisedObjects(in: context)
    let rating = paths.rating
    return try timed(inUnitsOf: objects) { unit in
      try context.performAndWait {
        for object in unit {
          guard case .integer(let value) = object[rating] else { continue }
          object[rating] = .integer(value + 1)
        }
        stopwatch.lap("read and set one attribute")
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("end the block")
    }
  }

  /// Changes one object and saves it, while the context has all objects with their values.
  func saveOne() throws -> Sample {
    let context = stack.context("edit")
    return try timedSaves(in: try realisedObjects(in: context)) { object in
      try context.performAndWait {
        guard case .integer(let value) = object[paths.rating] else { return }
        object[paths.rating] = .integer(value + 1)
        stopwatch.lap("read and set one attribute")
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("end the block")
    }
  }

  func delete() throws -> Sample {
    let context = stack.context("edit")
    let objects = try realisedObjects(in: context)
    return try timed(inUnitsOf: objects) { unit in
      try context.performAndWait {
        for object in unit { context.delete(object) }
        stopwatch.lap("delete")
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("end the block")
    }
  }

  /// Fetches all objects with the codes of 500 items at once, and inserts an object for each code that is not found.
  func findOrCreate() throws -> Sample {
    let context = stack.context("import")
    var foundCount = 0
    let sample = try timed(inUnitsOf: items) { unit in
      try context.performAndWait {
        for batch in unit.units(of: assignment.lookupSize) { foundCount += try findOrCreate(batch, in: context) }
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("let the objects go")
    }
    guard foundCount == (items.count + 1) / 2 else {
      throw PeerError(.disagreement, "find-or-create found \(foundCount) of \(items.count) items")
    }
    return sample
  }

  private func findOrCreate(_ batch: ArraySlice<Item>, in context: ManagedObjectContext) throws -> Int {
    var request = FetchRequest(paths.entity, predicate: .isIn(paths.code, batch.map { .string($0.code) }))
    request.returnsObjectsAsFaults = false
    let found = try context.fetch(request)
    stopwatch.lap("fetch what there is")
    var objects = Dictionary<String, ManagedObject>(minimumCapacity: found.count)
    for object in found {
      if case .string(let code) = object[paths.code] { objects[code] = object }
    }
    for item in batch where objects[item.code] == nil {
      let object = context.insert(paths.entity)
      paths.set(item, on: object)
    }
    stopwatch.lap("make and fill what there is not")
    return found.count
  }
}
