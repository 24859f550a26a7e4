import MachineCore
import OrderedCollections

// MARK: - Prefetching

extension ManagedObjectContext {
  /// Reads what the relationships of fetched objects lead to: each step of each key path by one SELECT, two where a to-many
  /// relationship and the rows behind it have to be read.
  ///
  /// - Returns: the objects that were read along, for the list to hold: they are unregistered with it and not before.
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

  /// The objects that others are related to, each once, in the order of those.
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

  /// Registers objects and has the rows of those that are faults read into the row cache: one SELECT an entity.
  private func fetchRows(of objectIDs: [ObjectID]) throws(PersistenceError) -> [ManagedObject] {
    if let parent {
      // Nobody above has heard of what is new here.
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
      let rows = try reader.rows(of: coordinator.model.entities[entity], keys: keys, slots: Row.allSlots)
      reader.enter(rows.map { ($0.objectID, $0.row) })
    }
    return objects
  }
}
