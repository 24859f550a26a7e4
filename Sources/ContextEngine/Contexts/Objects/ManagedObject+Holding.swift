import MachineCore

// MARK: - Changing what it holds, and its footprint

extension ManagedObject {
  /// Writes one slot and tells the context. The object must be whole.
  @inline(__always)
  func change(_ slot: Int, to value: Value) {
    // First, for those who want to know what was there before.
    noteChange(ofSlots: 1 << UInt64(slot))
    write(value, at: slot)
  }

  /// Writes one slot and tells nobody. The object must be whole.
  @inline(__always)
  func write(_ value: Value, at slot: Int) {
    if ownRow?.isShared ?? true { setChangedRow(copiedRow()) }
    switch ownRow?.withStorage({ $0.replace(slot, by: value) }) ?? .impossible {
    case .same: return
    case .done(let byteCount, let before): return countRowBytes(byteCount, insteadOf: before)
    case .impossible: break
    }
    guard var row = changedRow else { return }
    let before = row.longByteCount(at: slot)
    row.set(value, at: slot)
    takeOver(row)
    countRowBytes(row.longByteCount(at: slot), insteadOf: before)
  }

  /// Writes one slot and tells the context, unless the slot holds the value already. The object must be whole.
  func changeIfDifferent(_ slot: Int, to value: Value) {
    // Who hears of the event's first change in an object hears of it before it is made.
    guard isNotedAsChanged else {
      if !holds(value, at: slot) { change(slot, to: value) }
      return
    }
    switch ownRow?.withStorage({ $0.replace(slot, by: value) }) ?? .impossible {
    case .same: break
    case .done(let byteCount, let before):
      countRowBytes(byteCount, insteadOf: before)
      noteChange(ofSlots: 1 << UInt64(slot))
    case .impossible:
      if !holds(value, at: slot) { change(slot, to: value) }
    }
  }

  /// Whether a slot has this value already.
  private func holds(_ value: Value, at slot: Int) -> Bool {
    withCurrentRow { $0.holds(value, at: slot) }
  }

  /// A row of the object's own with the values that it has.
  private func copiedRow() -> Row {
    let spareByteCount = withEntity(\.spareByteCount)
    return withCurrentRow { $0.copy(spareByteCount: spareByteCount) }
  }

  /// Calls `body` with the row as `currentRow` has it, without counting a reference to it.
  @inline(__always)
  private func withCurrentRow<Result>(_ body: (borrowing Row) -> Result) -> Result {
    guard let held = ownRow ?? snapshotRow else { return body(currentRow) }
    return held.withRow(body)
  }

  /// Tells the context of a change, if it does not know that the object has some.
  @inline(__always)
  private func noteChange(ofSlots slots: UInt64) {
    if isNotedAsChanged {
      changedSlots |= slots
      eventSlots |= slots
    } else {
      withContext { $0.noteChange(of: self, slots: slots) }
    }
  }

  /// Whether the context has the object among its changed ones, and among those of the running event.
  private var isNotedAsChanged: Bool {
    !flags.isDisjoint(with: [.inserted, .updated, .deleted])
      && !flags.isDisjoint(with: [.eventInserted, .eventUpdated])
  }

  /// Sets all values with local changes, or none.
  func setChangedRow(_ row: consuming Row?) {
    hold(row, in: &ownRow)
  }

  /// Puts a row in the place of another, and counts both with the footprint.
  func hold(_ row: consuming Row?, in place: inout HeldRow?) {
    let old = place
    // Handed on, where `if let` would count one reference more.
    place =
      switch consume row {
      case let row?: HeldRow(row)
      case nil: nil
      }
    if isCounted {
      ownerReference._withUnsafeGuaranteedRef { owner in
        if let place { owner.footprint.hold(place) }
        if let old { owner.footprint.letGo(old) }
      }
    }
    old?.release()
  }

  /// Gives a fault its row.
  @inline(__always)
  func realise(with row: HeldRow) {
    if snapshotRow == nil, ownRow == nil { snapshot = row.row }
  }

  /// Makes a row that was saved the object's state: the row with local changes itself, as a rule, which then only changes
  /// places.
  func settle(on row: HeldRow) {
    guard let own = ownRow, own === row else {
      snapshot = row.row
      setChangedRow(nil)
      return
    }
    let old = snapshotRow
    snapshotRow = own
    ownRow = nil
    guard let old else { return }
    if isCounted { ownerReference._withUnsafeGuaranteedRef { $0.footprint.letGo(old) } }
    old.release()
  }

  /// Makes the row with local changes, as it was pushed, the object's state.
  func settleOnSharedRow() {
    let row = shareRow()
    settle(on: HeldRow(unretained: row))
  }

  /// The row with local changes, ready to be written or pushed: without room that it does not need. Not shared yet.
  func compactedRow() -> Row {
    if let ownRow, !ownRow.withRow(\.isCompact) { takeOver(ownRow.row.compacted()) }
    return currentRow
  }

  /// The row with local changes, in the version that it is based on, as one that others may have too.
  func shareRow() -> Row {
    let version = snapshotRow?.version ?? Row.firstVersion
    if let ownRow, ownRow.isShared, ownRow.version == version { return ownRow.row }
    let row = compactedRow()
    if row.isShared, row.version != version { setChangedRow(row.with(version: version)) }
    return currentRow.with(version: version).shared()
  }

  /// Puts a row in the place of that with local changes, whose values it has: the same, moved.
  private func takeOver(_ row: Row) {
    guard let ownRow, !ownRow.withRow({ $0 === row }) else { return }
    ownRow.withRow { row.takeHolders(of: $0) }
    self.ownRow = HeldRow(row)
    ownRow.release()
  }

  /// Changes what is known of the to-many relationships.
  func changeToManys(_ body: (inout [ToManyState]) -> Void) {
    let before = ModelledSize.array(of: toManys)
    body(&toManys)
    count(ModelledSize.array(of: toManys), insteadOf: before)
  }

  /// Counts the object as one with changes, or no longer; called when it came to have some, or has none any more.
  func countChanges() {
    guard hasChanges != flags.contains(.countedAsChanged) else { return }
    flags.formSymmetricDifference(.countedAsChanged)
    let isChanged = flags.contains(.countedAsChanged)
    count(isChanged ? ModelledSize.pendingChange : 0, insteadOf: isChanged ? 0 : ModelledSize.pendingChange)
  }

  /// Makes a new object without values of one that had ended; counted when it is registered.
  func becomeBlank() {
    // While it stands as ended, what goes here has been taken off the footprint already.
    setChangedRow(nil)
    changeToManys { $0 = [] }
    snapshot = nil
    changedSlots = 0
    countedBytes = 0
    // A context below may still know its temporary ID.
    flags.subtract([.gone, .kept, .inaccessible, .countedAsChanged, .warned])
    flags.insert(.inserted)
  }

  /// Makes an object without values of a fault, whatever it had read; it stays registered, and counted.
  func becomeBlankAgain(_ flags: Flags) {
    setChangedRow(nil)
    changeToManys { $0 = [] }
    snapshot = nil
    changedSlots = 0
    self.flags.subtract([.inaccessible, .warned])
    self.flags.formUnion(flags)
    countChanges()
  }

  /// The bytes of the object itself, which was just registered; whoever did that counts them.
  func countRegistered() -> Int {
    countedBytes = ModelledSize.object
    if hasChanges {
      flags.insert(.countedAsChanged)
      countedBytes += ModelledSize.pendingChange
    }
    return countedBytes
  }

  /// Counts that the row with local changes has grown or shrunk; its bytes are counted with the row, not the object.
  private func countRowBytes(_ bytes: Int, insteadOf before: Int) {
    guard bytes > 0 || before > 0, isCounted else { return }
    ownerReference._withUnsafeGuaranteedRef { $0.footprint.change(from: before, to: bytes) }
  }

  /// What is not in the registry any more does not count, whoever still has it.
  private var isCounted: Bool { flags.isDisjoint(with: [.invalid, .gone]) }

  private func count(_ bytes: Int, insteadOf before: Int) {
    guard bytes > 0 || before > 0, isCounted else { return }
    countedBytes += bytes - before
    ownerReference._withUnsafeGuaranteedRef { $0.footprint.change(from: before, to: bytes) }
  }
}
