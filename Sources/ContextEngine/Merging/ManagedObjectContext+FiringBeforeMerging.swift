import MachineCore

// MARK: - Firing before a merge

extension ManagedObjectContext {
  /// Realises every object that a merge is going to refresh, registered or not, so that none is passed over as a fault.
  ///
  /// Each from the row cache, by one SELECT, or by `performAndWait` from the parent context. What an object had when
  /// a list placed it is not known, even of one that was realised: it may have been read since, with values that are newer
  /// than the merge. So all of every object is reported as changed. O(objects).
  func fire(beforeMerging updated: [ObjectID]) {
    for objectID in updated {
      let object = object(with: objectID)
      guard !object.isDeleted, !object.isInserted else { continue }
      do throws(PersistenceError) {
        if object.isFault { try object.fulfillFault() }
      } catch {
        // Deleted since: that has a merge of its own.
        if error.code == .referentialIntegrity { continue }
        trapMisuse("firing \(object.entity.name) \(objectID.key) before a merge failed: \(error)")
      }
      if !object.isDeleted { pendingEvent.noteRefreshed(object, slots: Row.allSlots) }
    }
  }
}
