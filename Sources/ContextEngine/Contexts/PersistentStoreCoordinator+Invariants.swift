import MachineCore

// MARK: - Checking a coordinator

extension PersistentStoreCoordinator {
  /// Checks that the row cache and the footprint agree with the objects of the contexts, and checks each context.
  ///
  /// Each ID must be registered with the row cache as many times as there are contexts that have it, IDs without a
  /// context must not remain, and the footprint must be equal to a recount. Blocks on each context's queue, and
  /// collects destroyed objects there. O(objects and rows).
  ///
  /// - Parameter contexts: All contexts of the coordinator, at any depth. They must not run blocks during the check.
  /// - Throws: An error with all inconsistencies found.
  package func checkInvariants(over contexts: [ManagedObjectContext]) throws(BrokenInvariants) {
    var findings: [String] = []
    for context in contexts {
      context.performAndWait {
        do throws(BrokenInvariants) { try context.checkInvariants() } catch { findings += error.sentences }
      }
    }
    let objects = contexts.map { context in context.performAndWait { context.registry.allObjects() } }
    findings += brokenRegistrations(objects.flatMap { $0 })
    findings += brokenFootprint(objects.flatMap { $0 })
    try BrokenInvariants.throwing(findings)
  }

  private func brokenRegistrations(_ objects: [ManagedObject]) -> [String] {
    var expected: [ObjectID: Int] = [:]
    for object in objects { expected[identities.canonical(object.objectID), default: 0] += 1 }
    var findings: [String] = []
    for (objectID, count) in expected.sorted(by: { $0.key < $1.key }) {
      let registrations = rowCache.registrations(of: objectID)
      if registrations != count {
        findings.append(
          "row cache: \(name(objectID)) is registered \(registrations) times, and \(count) contexts have it")
      }
    }
    if rowCache.entryCount > expected.count {
      findings.append("row cache: has \(rowCache.entryCount) IDs, and contexts have \(expected.count)")
    }
    return findings
  }

  private func name(_ objectID: ObjectID) -> String { "\(model.entities[objectID.entityIndex].name) \(objectID.key)" }

  private func brokenFootprint(_ objects: [ManagedObject]) -> [String] {
    var rows: [ObjectIdentifier: Row] = [:]
    for row in rowCache.rows { rows[row.identifier] = row }
    var bytes = ModelledSize.cacheEntry * rowCache.entryCount
    for object in objects {
      for row in [object.snapshot, object.changedRow] {
        if let row { rows[row.identifier] = row }
      }
      bytes += object.countedBytes
    }
    for row in rows.values {
      bytes += ModelledSize.row + ModelledSize.slot * row.slotCount
      for slot in 0..<row.slotCount {
        // The target of a reference does not belong to the row.
        bytes +=
          row.holdsReference(at: slot)
          ? MemoryLayout<UnsafeRawPointer>.size : ModelledSize.payload(of: row.value(at: slot))
      }
    }
    let counted = footprint.figures.currentBytes
    return counted == bytes ? [] : ["footprint: counts \(counted) bytes, and a recount finds \(bytes)"]
  }
}
