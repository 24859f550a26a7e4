import MachineCore
import OrderedCollections

// MARK: - Prefetching

extension ManagedObjectContext {
  /// Reads the objects at the other end of the relationships of fetched objects. Each step of each key path takes one
  /// SELECT, or two if both a to-many relationship and the rows of its objects have to be read.
  ///
  /// - Returns: The objects that were prefetched. The list holds them, so that they stay registered as long as it
  ///   exists.
  func prefetch(
    _ keyPaths: [PropertyKeyPath], of objects: [ManagedObject]
  ) throws(PersistenceError) -> [ManagedObject] {
    var held: [ManagedObject] = []
    for keyPath in keyPaths {
      var current = objects
      for step in keyPath.steps where !current.isEmpty {
        if step.isToMany { try prefetchRelatedObjects(at: step, of: current) }
        current = try fetchRows(of: related(current, at: step))
        held += current
      }
    }
    return held
  }

  /// Returns the IDs of the objects at the other end of a relationship, each once, in the order of the given objects.
  private func related(_ objects: [ManagedObject], at step: PropertyPath) -> [ObjectID] {
    var related: OrderedSet<ObjectID> = []
    for object in objects where !object.isDeleted {
      if step.isToMany {
        related.formUnion(object.relatedObjectIDs(step))
      } else if case .object(let target) = object[step] {
        related.append(target)
      }
    }
    return related.elements
  }

  /// Registers objects and reads the rows of those that are faults into the row cache, with one SELECT per entity.
  private func fetchRows(of objectIDs: [ObjectID]) throws(PersistenceError) -> [ManagedObject] {
    if let parent {
      // The contexts above do not have the objects that are new in this context.
      let saved = insertedList.isEmpty ? objectIDs : objectIDs.filter { registeredObject(for: $0)?.isInserted != true }
      return try inParentBlock(of: parent) { () throws(PersistenceError) -> [ManagedObject] in
        _ = try parent.fetchRows(of: saved)
        return registerFaults(objectIDs)
      }
    }
    let objects = registerFaults(objectIDs)
    let wanted = objects.filter { $0.isFault && !$0.objectID.isTemporaryID }.map(\.objectID)
    let reader = try reader
    let cached = reader.rowCache.rows(for: wanted)
    var missing: OrderedDictionary<Int, [Int64]> = [:]
    for (objectID, row) in zip(wanted, cached) where row == nil {
      missing[objectID.entityIndex, default: []].append(objectID.key)
    }
    for (entity, keys) in missing {
      let rows = try reader.rows(of: coordinator.model.entities[entity], keys: keys, slots: .all)
      reader.enter(rows.map { ($0.objectID, $0.row) })
    }
    return objects
  }
}
