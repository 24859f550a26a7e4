import MachineCore

// MARK: - Changing rows and the footprint

extension ManagedObject {
  /// Writes one slot and reports the change to the context. The object must be whole.
  @inline(__always)
  func change(_ slot: Int, to value: Value) {
    // The change is reported first, so that the earlier state can be recorded.
    noteChange(of: slot)
    write(value, at: slot)
  }

  /// Writes one slot without reporting the change. The object must be whole.
  @inline(__always)
  package func write(_ value: Value, at slot: Int) {
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

  /// Writes one slot and reports the change to the context, unless the slot has the value already. The object must be
  /// whole.
  func changeIfDifferent(_ slot: Int, to value: Value) {
    // The event's first change of an object is reported before it is made.
    guard isNotedAsChanged else {
      if !holds(value, at: slot) { change(slot, to: value) }
      return
    }
    switch ownRow?.withStorage({ $0.replace(slot, by: value) }) ?? .impossible {
    case .same: break
    case .done(let byteCount, let before):
      countRowBytes(byteCount, insteadOf: before)
      insertChanged(slot)
    case .impossible:
      if !holds(value, at: slot) { change(slot, to: value) }
    }
  }

  /// Returns true if a slot has this value already.
  private func holds(_ value: Value, at slot: Int) -> Bool {
    withCurrentRow { $0.holds(value, at: slot) }
  }

  /// Returns a copy of the row with the object's values, which the object owns.
  private func copiedRow() -> Row {
    let spareByteCount = withEntity(\.spareByteCount)
    return withCurrentRow { $0.copy(spareByteCount: spareByteCount) }
  }

  /// Calls `body` with the same row as `currentRow` without retaining it.
  @inline(__always)
  private func withCurrentRow<Result>(_ body: (borrowing Row) -> Result) -> Result {
    guard let held = ownRow ?? snapshotRow else { return body(currentRow) }
    return held.withRow(body)
  }

  /// Records a change, and reports it to the context if that has not listed the object as changed in this event.
  @inline(__always)
  private func noteChange(of slot: Int) {
    if isNotedAsChanged {
      insertChanged(slot)
    } else {
      withContext { $0.noteChange(of: self, slots: SlotSet(slot)) }
    }
  }

  /// True if the context lists the object both as changed and as changed in the running event.
  private var isNotedAsChanged: Bool {
    !flags.isDisjoint(with: [.inserted, .updated, .deleted])
      && !flags.isDisjoint(with: [.eventInserted, .eventUpdated])
  }

  /// Sets the row with local changes, or removes it if `row` is nil.
  func setChangedRow(_ row: consuming Row?) {
    hold(row, in: &ownRow)
  }

  /// Replaces a row by another, or removes it if `row` is nil, and updates the footprint for both rows.
  func hold(_ row: consuming Row?, in place: inout HeldRow?) {
    let old = place
    // The row is consumed here, while `if let` would retain it once more.
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

  /// Gives the object its row if it is a fault.
  @inline(__always)
  func realise(with row: HeldRow) {
    if snapshotRow == nil, ownRow == nil { snapshot = row.row }
  }

  /// Makes a saved row the object's snapshot. It is usually the row with local changes itself, which then only moves.
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

  /// Makes the row with local changes, as it was pushed, the object's snapshot.
  func settleOnSharedRow() {
    let row = shareRow()
    settle(on: HeldRow(unretained: row))
  }

  /// Returns the row with local changes, without spare room, to be written or pushed. The row is not shared yet.
  func compactedRow() -> Row {
    if let ownRow, !ownRow.withRow(\.isCompact) { takeOver(ownRow.row.compacted()) }
    return currentRow
  }

  /// Returns the row with local changes as a row that can be shared, with the version that it is based on.
  func shareRow() -> Row {
    let version = snapshotRow?.version ?? Row.firstVersion
    if let ownRow, ownRow.isShared, ownRow.version == version { return ownRow.row }
    let row = compactedRow()
    if row.isShared, row.version != version { setChangedRow(row.with(version: version)) }
    return currentRow.with(version: version).shared()
  }

  /// Replaces the row with local changes by another row that its contents were moved to, and moves its holders too.
  private func takeOver(_ row: Row) {
    guard let ownRow, !ownRow.withRow({ $0 === row }) else { return }
    ownRow.withRow { row.takeHolders(of: $0) }
    self.ownRow = HeldRow(row)
    ownRow.release()
  }

  /// Calls `body` to change the states of the to-many relationships, and updates the footprint.
  package func changeToManys(_ body: (inout [ToManyState]) -> Void) {
    let before = ModelledSize.array(of: toManys)
    body(&toManys)
    count(ModelledSize.array(of: toManys), insteadOf: before)
  }

  /// Updates the footprint if the object has got its first changes or has lost its last ones.
  func countChanges() {
    guard hasChanges != flags.contains(.countedAsChanged) else { return }
    flags.formSymmetricDifference(.countedAsChanged)
    let isChanged = flags.contains(.countedAsChanged)
    count(isChanged ? ModelledSize.pendingChange : 0, insteadOf: isChanged ? 0 : ModelledSize.pendingChange)
  }

  /// Turns an object that is gone into a new object without values. The footprint counts it when it is registered.
  func becomeBlank() {
    // While the object is flagged as gone, the state that is removed here has already been subtracted from the
    // footprint.
    setChangedRow(nil)
    changeToManys { $0 = [] }
    snapshot = nil
    changedSlots = SlotSet()
    countedBytes = 0
    // A context below may still know its temporary ID.
    flags.subtract([.gone, .kept, .inaccessible, .countedAsChanged, .warned])
    flags.insert(.inserted)
  }

  /// Turns a fault into an object without values, and drops the state that it had read. The object stays registered and
  /// counted.
  ///
  /// - Parameter flags: The flags to add.
  func becomeBlankAgain(_ flags: Flags) {
    setChangedRow(nil)
    changeToManys { $0 = [] }
    snapshot = nil
    changedSlots = SlotSet()
    self.flags.subtract([.inaccessible, .warned])
    self.flags.formUnion(flags)
    countChanges()
  }

  /// Sets and returns the number of bytes of an object that was just registered. The caller adds them to the footprint.
  func countRegistered() -> Int {
    countedBytes = ModelledSize.object
    if hasChanges {
      flags.insert(.countedAsChanged)
      countedBytes += ModelledSize.pendingChange
    }
    return countedBytes
  }

  /// Updates the footprint after the row with local changes has grown or shrunk. Those bytes are counted for the row,
  /// not for the object.
  private func countRowBytes(_ bytes: Int, insteadOf before: Int) {
    guard bytes > 0 || before > 0, isCounted else { return }
    ownerReference._withUnsafeGuaranteedRef { $0.footprint.change(from: before, to: bytes) }
  }

  /// True if the footprint counts the object. An object that has left the registry is not counted, even if references
  /// to it remain.
  private var isCounted: Bool { flags.isDisjoint(with: [.invalid, .gone]) }

  private func count(_ bytes: Int, insteadOf before: Int) {
    guard bytes > 0 || before > 0, isCounted else { return }
    countedBytes += bytes - before
    ownerReference._withUnsafeGuaranteedRef { $0.footprint.change(from: before, to: bytes) }
  }
}
