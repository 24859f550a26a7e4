import MachineCore

// MARK: - Keeping objects alive during a block

extension ManagedObjectContext {
  func emptyPool() {
    // The objects are taken out first, because an object that is being destroyed must not access the pool that held it.
    var pool = blockPool
    blockPool = []
    registry.release(pool, leaving: [.pooled, .kept])
    pool.removeAll(keepingCapacity: pool.count <= Self.keptPoolSize)
    blockPool = pool
  }

  /// The maximum number of objects for which a pool keeps its capacity from block to block.
  static var keptPoolSize: Int { 4_096 }

  /// Removes destroyed objects, and living objects that become invalid here, from the footprint and the row cache.
  func unregister(_ departed: Registry.Departed, living: [ManagedObject]) {
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

  /// Reserves capacity in the pool for the given number of further objects that the running block will make.
  func reserveInPool(_ count: Int) {
    if blockDepth > 0, count > Self.keptPoolSize { blockPool.reserveCapacity(blockPool.count + count) }
  }

  /// Keeps an object alive until the outermost running block ends. Has no effect outside a block.
  func pool(_ object: ManagedObject) {
    checkQueue()
    guard blockDepth > 0 else { return }
    if !object.flags.contains(.pooled) {
      object.flags.insert(.pooled)
      blockPool.append(.passRetained(object))
    }
    // If uses are checked, the flag is not set, so that every use calls this function again.
    if !coordinator.checksConcurrency { object.flags.insert(.kept) }
  }
}
