/// The rule that a save applies to changes that are based on a state that is no longer the current one.
///
/// A policy is set on the context that saves:
///
/// ```swift
/// try context.performAndWait {
///   context.mergePolicy = .objectTrump
///   try context.save()
/// }
/// ```
public enum MergePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// The save fails with all conflicts (133020). This is the default.
  case error
  /// Changes are merged property by property; if both sides changed a property, the store's value stays.
  case storeTrump = "store-trump"
  /// Changes are merged property by property; if both sides changed a property, the object's value is written.
  case objectTrump = "object-trump"
  /// The whole object is written as it is in memory.
  case overwrite
  /// The object's changes are discarded.
  case rollback
}

/// The way in which a conflict is resolved.
package enum ConflictResolution {
  /// Write these values over the current row; `slots` marks the values to write.
  case write(Row, slots: SlotSet, baseVersion: Int64)
  /// Insert the row again, because it has been deleted from the store.
  case insertAgain(Row)
  /// Delete the row in its current version.
  case delete(baseVersion: Int64)
  /// Discard the object's changes and take the row that the store has; nil if the row is deleted there.
  case takeStore(Row?)
}

extension MergePolicy {
  /// Resolves the conflict of a changed object with the current row. It is not called under the error policy.
  ///
  /// - Parameters:
  ///   - row: The object's values in memory.
  ///   - changedSlots: The slots that were changed in memory.
  ///   - base: The row on which the change was based.
  ///   - current: The row as it is now; nil if it is deleted.
  /// - Returns: The way in which the conflict is resolved.
  func resolveUpdate(row: Row, changedSlots: SlotSet, base: Row, current: Row?) -> ConflictResolution {
    guard let current else {
      return self == .objectTrump || self == .overwrite ? .insertAgain(row) : .takeStore(nil)
    }
    switch self {
    case .error, .rollback:
      return .takeStore(current)
    case .overwrite:
      return .write(row, slots: row.slotsDiffering(from: current), baseVersion: current.version)
    case .storeTrump, .objectTrump:
      var kept = changedSlots
      if self == .storeTrump { kept.subtract(current.slotsDiffering(from: base)) }
      return .write(current.replacing(kept, by: row), slots: kept, baseVersion: current.version)
    }
  }

  /// Returns the resolution for a deletion that conflicts with the current row, which is nil if it is deleted already.
  /// It is not called under the error policy.
  func resolveDeletion(current: Row?) -> ConflictResolution {
    guard let current else { return .takeStore(nil) }
    return self == .objectTrump || self == .overwrite
      ? .delete(baseVersion: current.version) : .takeStore(current)
  }
}
