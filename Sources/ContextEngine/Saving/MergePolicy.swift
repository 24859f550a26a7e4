/// What a save does with changes that were based on a state that is no longer the current one.
public enum MergePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// The save fails with all conflicts (133020); the default.
  case error
  /// Property by property; where both changed one, the store's value stays.
  case storeTrump = "store-trump"
  /// Property by property; where both changed one, the object's value is written.
  case objectTrump = "object-trump"
  /// The whole object is written as it is in memory.
  case overwrite
  /// The object's changes are given up.
  case rollback
}

/// What a conflict came to.
enum ConflictResolution {
  /// Write these values over the current row; the slots that differ from it, as bits.
  case write(Row, slots: UInt64, baseVersion: Int64)
  /// Write the row again, which was deleted meanwhile.
  case insertAgain(Row)
  /// Delete the row in the version that it has now.
  case delete(baseVersion: Int64)
  /// Give up the object's changes and take what the store has; nil = it is deleted there.
  case takeStore(Row?)
}

extension MergePolicy {
  /// Settles a changed object against the row that it met. Not for the error policy.
  ///
  /// - Parameters:
  ///   - row: the object's values in memory.
  ///   - changedSlots: what of them was changed there, as bits.
  ///   - base: the row on which the change was based.
  ///   - current: the row as it is now; nil = deleted.
  func resolveUpdate(row: Row, changedSlots: UInt64, base: Row, current: Row?) -> ConflictResolution {
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
      if self == .storeTrump { kept &= ~current.slotsDiffering(from: base) }
      return .write(current.replacing(kept, by: row), slots: kept, baseVersion: current.version)
    }
  }

  /// Settles a deletion against the row that it met. Not for the error policy.
  func resolveDeletion(current: Row?) -> ConflictResolution {
    guard let current else { return .takeStore(nil) }
    return self == .objectTrump || self == .overwrite
      ? .delete(baseVersion: current.version) : .takeStore(current)
  }
}
