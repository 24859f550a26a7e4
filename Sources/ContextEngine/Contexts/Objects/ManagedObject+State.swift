import MachineCore

// MARK: - State

extension ManagedObject {
  /// The context that the object belongs to. It is nil once the context was reset or destroyed, or the object's
  /// deletion was saved or merged.
  public var managedObjectContext: ManagedObjectContext? {
    flags.isDisjoint(with: [.invalid, .gone]) ? ownerReference.takeUnretainedValue() : nil
  }

  /// True if the object is new and has not been saved to the parent store yet.
  public var isInserted: Bool { checkedFlags.contains(.inserted) }

  /// True if the object has changed since the last save and is neither new nor deleted.
  public var isUpdated: Bool { checkedFlags.contains(.updated) }

  /// True if the object is deleted, or if its row was found to be missing (`shouldDeleteInaccessibleFaults`).
  public var isDeleted: Bool { !checkedFlags.isDisjoint(with: [.deleted, .inaccessible, .gone]) }

  /// True if the object is new, changed or deleted, and that has not been saved.
  public var hasChanges: Bool { !checkedFlags.isDisjoint(with: [.inserted, .updated, .deleted]) }

  /// True if the object is a fault, which has no values yet.
  public var isFault: Bool {
    checkUse()
    return snapshotRow == nil && ownRow == nil
  }

  /// The version of the row that the object's state is based on, or 0 if there is no such row.
  public var version: Int64 { snapshot?.version ?? 0 }

  /// Traps if the caller is not on the context's queue and uses are checked.
  @inline(__always)
  private func checkUse() {
    if flags.contains(.checked), flags.isDisjoint(with: [.invalid, .gone]) { withContext { $0.checkQueue() } }
  }

  /// The flags of the object. If uses are checked, reading them traps when the caller is not on the context's queue.
  var checkedFlags: Flags {
    checkUse()
    return flags
  }

  /// The context of the object. Traps if the object does not have one any more.
  var context: ManagedObjectContext {
    guard flags.isDisjoint(with: [.invalid, .gone]) else {
      let cause = flags.contains(.gone) ? "its deletion was saved" : "its context was reset or no longer exists"
      trapMisuse("\(entity.name) \(objectID.key) was used after \(cause); fetch it again")
    }
    return ownerReference.takeUnretainedValue()
  }

  /// Calls `body` with the context, as `context` does, without retaining it.
  @inline(__always)
  func withContext<Result>(_ body: (ManagedObjectContext) -> Result) -> Result {
    flags.isDisjoint(with: [.invalid, .gone]) ? ownerReference._withUnsafeGuaranteedRef(body) : body(context)
  }

  /// Calls `body` with the entity without retaining it.
  @inline(__always)
  func withEntity<Result>(_ body: (EntityDescription) -> Result) -> Result {
    entityReference._withUnsafeGuaranteedRef(body)
  }
}
