import MachineCore

// MARK: - State

extension ManagedObject {
  /// The context that the object belongs to; nil once that was reset or has gone, or the object's deletion was saved.
  public var managedObjectContext: ManagedObjectContext? {
    flags.isDisjoint(with: [.invalid, .gone]) ? ownerReference.takeUnretainedValue() : nil
  }

  /// New, and not saved to the parent store yet.
  public var isInserted: Bool { checkedFlags.contains(.inserted) }

  /// Changed since the last save, and neither new nor deleted.
  public var isUpdated: Bool { checkedFlags.contains(.updated) }

  /// Deleted, or found to have no row any more (`shouldDeleteInaccessibleFaults`).
  public var isDeleted: Bool { !checkedFlags.isDisjoint(with: [.deleted, .inaccessible, .gone]) }

  public var hasChanges: Bool { !checkedFlags.isDisjoint(with: [.inserted, .updated, .deleted]) }

  /// Whether the object has no values yet.
  public var isFault: Bool {
    checkUse()
    return snapshotRow == nil && ownRow == nil
  }

  /// The version of the row that the object's state is based on; 0 while there is none.
  public var version: Int64 { snapshot?.version ?? 0 }

  /// Traps off the context's queue, where uses are checked.
  @inline(__always)
  private func checkUse() {
    if flags.contains(.checked), flags.isDisjoint(with: [.invalid, .gone]) { withContext { $0.checkQueue() } }
  }

  /// The flags of the object. Reading them traps off the context's queue if uses are checked.
  var checkedFlags: Flags {
    checkUse()
    return flags
  }

  /// Its context. Traps when it has none any more.
  var context: ManagedObjectContext {
    guard flags.isDisjoint(with: [.invalid, .gone]) else {
      let cause = flags.contains(.gone) ? "its deletion was saved" : "its context was reset or had gone"
      trapMisuse("\(entity.name) \(objectID.key) was used after \(cause); fetch it again")
    }
    return ownerReference.takeUnretainedValue()
  }

  /// Calls `body` with the context, as `context` does, without counting a reference to it.
  @inline(__always)
  func withContext<Result>(_ body: (ManagedObjectContext) -> Result) -> Result {
    flags.isDisjoint(with: [.invalid, .gone]) ? ownerReference._withUnsafeGuaranteedRef(body) : body(context)
  }

  /// Calls `body` with the entity without counting a reference to it.
  @inline(__always)
  func withEntity<Result>(_ body: (EntityDescription) -> Result) -> Result {
    entityReference._withUnsafeGuaranteedRef(body)
  }
}
