import MachineCore

// MARK: - What a block keeps

extension ManagedObjectContext {
  func emptyPool() {
    // Out first: a dying object must not meet the pool that held it.
    var pool = blockPool
    blockPool = []
    registry.release(pool, leaving: [.pooled, .kept])
    pool.removeAll(keepingCapacity: pool.count <= Self.keptPoolSize)
    blockPool = pool
  }

  /// A pool keeps room for so many objects from block to block.
  static var keptPoolSize: Int { 4_096 }

  /// Takes objects that have gone, and living ones that end here, off the footprint and out of the row cache.
  func unregister(_ departed: Registry.Departed, _ living: [ManagedObject]) {
    if departed.objectIDs.isEmpty, living.isEmpty { return }
    tally.objectsReleased += departed.objectIDs.count + living.count
    footprint.remove(departed.bytes)
    for row in departed.rows {
      footprint.letGo(row)
      row.release()
    }
    living.forEachHeld { object in
      object.flags.insert(.invalid)
      footprint.remove(object.countedBytes)
      if let row = object.snapshotRow { footprint.letGo(row) }
      if let row = object.ownRow { footprint.letGo(row) }
    }
    reportFootprint()
    coordinator.rowCache.unregister(
      living.isEmpty ? departed.objectIDs : departed.objectIDs + living.heldObjectIDs)
  }

  /// Makes room for so many objects more that the running block will have made.
  func reserveInPool(_ count: Int) {
    if blockDepth > 0, count > Self.keptPoolSize { blockPool.reserveCapacity(blockPool.count + count) }
  }

  /// Keeps an object until the outermost running block ends. Outside any block nothing keeps it.
  func pool(_ object: ManagedObject) {
    checkQueue()
    guard blockDepth > 0 else { return }
    if !object.flags.contains(.pooled) {
      object.flags.insert(.pooled)
      blockPool.append(.passRetained(object))
    }
    // Every use comes by here again where each has to be checked.
    if !coordinator.checksConcurrency { object.flags.insert(.kept) }
  }
}
