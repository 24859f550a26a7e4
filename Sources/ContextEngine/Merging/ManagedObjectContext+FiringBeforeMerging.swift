import MachineCore

// MARK: - Firing before a merge

extension ManagedObjectContext {
  /// Realises every object that a merge will refresh, even if it is not registered, so that no object is skipped as a
  /// fault.
  ///
  /// Each object is realised from the row cache, by one SELECT, or by `performAndWait` from the parent context. The
  /// values that an object had when a list sorted it are not known, even if it was realised, because it may have been
  /// read again later, with values that are newer than the merge. Therefore all slots of every object are reported as
  /// changed. O(objects).
  func fire(beforeMerging updated: [ObjectID]) {
    for objectID in updated {
      let object = object(with: objectID)
      guard !object.isDeleted, !object.isInserted else { continue }
      do throws(PersistenceError) {
        if object.isFault { try object.fulfillFault() }
      } catch {
        // The object was deleted since. That deletion is merged separately.
        if error.code == .referentialIntegrity { continue }
        trapMisuse("firing \(object.entity.name) \(objectID.key) before a merge failed: \(error)")
      }
      if !object.isDeleted { pendingEvent.noteRefreshed(object, slots: .all) }
    }
  }
}
