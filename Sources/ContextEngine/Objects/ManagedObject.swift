import MachineCore

/// An object of a context: an instance of an entity, backed by a row of the parent store or not saved yet.
///
/// It belongs to its context's queue: every member but `objectID` and `entity` may be used there only. The object does not
/// keep its context alive. A *fault* has an identity and no values yet; reading or setting a property fires it.
// `@unchecked Sendable`: blocks posted to queues capture objects; all mutable state is touched on the context's queue, or
// by another context while this queue's owner is parked in `performAndWait`.
public final class ManagedObject: @unchecked Sendable {
  public let entity: EntityDescription

  /// Temporary until a save writes the object to a store.
  @exclusivity(unchecked) public internal(set) var objectID: ObjectID

  let registry: Registry
  // Not `weak`: a context marks its living objects as invalid before it goes, and `flags` is asked first.
  private let ownerReference: Unmanaged<ManagedObjectContext>

  @exclusivity(unchecked) var flags: Flags
  /// The state last read from or saved to the parent store; nil in faults and new objects.
  var snapshot: Row? {
    get { snapshotRow?.row }
    set { hold(newValue, in: &snapshotRow) }
  }
  @exclusivity(unchecked) private var snapshotRow: HeldRow?
  /// The values with local changes; nil while they are the snapshot's. The object's own until somebody else has it too.
  var changedRow: Row? { ownRow?.row }
  @exclusivity(unchecked) private var ownRow: HeldRow?
  /// The slots changed since the last save, as bits.
  @exclusivity(unchecked) var changedSlots: UInt64 = 0
  /// The slots changed since pending changes were last processed.
  @exclusivity(unchecked) var eventSlots: UInt64 = 0
  /// Empty until one is used; otherwise one per to-many relationship.
  @exclusivity(unchecked) private(set) var toManys: [ToManyState] = []
  /// What the context's footprint has of the object, its row left out.
  @exclusivity(unchecked) private(set) var countedBytes = 0

  struct Flags: OptionSet {
    let rawValue: UInt16

    static let inserted = Flags(rawValue: 1 << 0)
    static let updated = Flags(rawValue: 1 << 1)
    static let deleted = Flags(rawValue: 1 << 2)
    /// In the running block's pool.
    static let pooled = Flags(rawValue: 1 << 3)
    /// New, and a context below knows its temporary ID.
    static let shared = Flags(rawValue: 1 << 4)
    /// Listed for the next did-change as inserted, updated, deleted or refreshed.
    static let eventInserted = Flags(rawValue: 1 << 5)
    static let eventUpdated = Flags(rawValue: 1 << 6)
    static let eventDeleted = Flags(rawValue: 1 << 7)
    static let eventRefreshed = Flags(rawValue: 1 << 8)
    /// Its row is gone and it stands as deleted with nothing in it.
    static let inaccessible = Flags(rawValue: 1 << 9)
    /// Dropped by `reset` or by the end of its context.
    static let invalid = Flags(rawValue: 1 << 10)
    /// Deleted, the deletion saved or merged in, and out of the registry.
    static let gone = Flags(rawValue: 1 << 11)
    /// Touching it has nothing to do any more: it is in the running block's pool, or gone.
    static let kept = Flags(rawValue: 1 << 12)
    /// Its footprint includes that it has changes.
    static let countedAsChanged = Flags(rawValue: 1 << 13)
    /// Whether its every use is checked for its queue.
    static let checked = Flags(rawValue: 1 << 15)
  }

  init(entity: EntityDescription, objectID: ObjectID, context: ManagedObjectContext, flags: Flags) {
    self.entity = entity
    self.objectID = objectID
    registry = context.registry
    ownerReference = .passUnretained(context)
    self.flags = flags
  }

  deinit {
    defer {
      snapshotRow?.release()
      ownRow?.release()
    }
    guard flags.isDisjoint(with: [.invalid, .gone]) else { return }
    registry.depart(self)
  }
}

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

  private var checkedFlags: Flags {
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
}

// MARK: - Reading

extension ManagedObject {
  /// The value of an attribute or a to-one relationship; fires the object if it is a fault.
  ///
  /// Blocks on the row cache, the store or the parent context when it fires. Traps, naming 133000, when the row is gone and
  /// the context does not delete inaccessible faults; `fulfillFault()` throws instead.
  public subscript(path: PropertyPath) -> Value {
    get {
      check(path)
      if path.isToMany {
        trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is to-many; read it by relatedObjects(_:)")
      }
      touch()
      let slot = path.slot
      return shown(withRow(of: slot) { $0.value(at: slot) }, at: slot)
    }
    set {
      set(newValue, at: path)
    }
  }

  /// The value of the property called `name`; resolve a path once where it is read often.
  public subscript(name: String) -> Value {
    get { self[entity.path(name)] }
    set { self[entity.path(name)] = newValue }
  }

  /// What a property shows for the value that the row holds.
  @inline(__always)
  private func shown(_ stored: Value, at slot: Int) -> Value {
    guard entity.convertedSlots & (1 << UInt64(slot)) != 0 else { return stored }
    return if case .attribute(let attribute) = entity.slots[slot] { attribute.shown(stored) } else { stored }
  }

  /// The object at the other end of a to-one relationship, as a fault if the context did not have it.
  public func related(_ path: PropertyPath) -> ManagedObject? {
    guard case .object(let target) = self[path] else { return nil }
    return context.object(with: target)
  }

  /// The objects at the other end of a to-many relationship: in their order where it is ordered, otherwise in the order of
  /// their IDs as last saved, local additions behind. Reads the keys from the parent store if they were not read before:
  /// one SELECT. O(n).
  public func relatedObjects(_ path: PropertyPath) -> [ManagedObject] {
    relatedObjectIDs(path).map { context.object(with: $0) }
  }

  /// The IDs at the other end of a to-many relationship; as `relatedObjects(_:)`.
  public func relatedObjectIDs(_ path: PropertyPath) -> [ObjectID] {
    check(path)
    guard path.isToMany else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is no to-many relationship; read it by subscript")
    }
    touch()
    prepareToManys()
    let base: [ObjectID]
    if let known = toManys[path.slot].base {
      base = known
    } else {
      base = context.relatedObjectIDs(of: self, at: path.slot)
      changeToManys { $0[path.slot].base = base }
    }
    return toManys[path.slot].current(over: base, context.coordinator.identities)
  }

  /// Reads the object's row if it is a fault or partial.
  ///
  /// - Throws: `PersistenceError` with `.referentialIntegrity` when the row is gone and the context does not delete
  ///   inaccessible faults.
  public func fulfillFault() throws(PersistenceError) {
    touch()
    if isWhole || hasEnded { return }
    try context.fulfill(self)
  }

  /// Whether every slot has a value.
  var isWhole: Bool { ownRow != nil || snapshotRow?.withRow(\.isWhole) == true }

  /// The row with local changes. One in which nothing is anything where the object is a fault.
  var currentRow: Row { (ownRow ?? snapshotRow)?.row ?? Row.empty(slotCount: entity.slots.count) }

  /// All values with local changes; the object must not be a fault. Slow: whoever wants one value asks for one.
  var currentValues: [Value] { currentRow.values }

  /// Calls `body` with the row that has a slot's value; fires the object if none has.
  @inline(__always)
  func withRow<Result>(of slot: Int, _ body: (borrowing Row) -> Result) -> Result {
    if let ownRow { return ownRow.withRow(body) }
    if let snapshotRow, snapshotRow.withRow({ $0.slots & (1 << UInt64(slot)) != 0 }) {
      return snapshotRow.withRow(body)
    }
    fulfillOrTrap()
    return body(currentRow)
  }

  /// Whether the object is gone; what it never read is nothing then.
  private var hasEnded: Bool {
    guard flags.contains(.gone) else { return false }
    snapshot = Row.empty(slotCount: entity.slots.count)
    return true
  }

  func fulfillOrTrap() {
    if hasEnded { return }
    do throws(PersistenceError) {
      try context.fulfill(self)
    } catch {
      trapMisuse("the fault of \(entity.name) \(objectID.key) could not be fulfilled: \(error)")
    }
  }

  /// Keeps the object until the running block ends.
  @inline(__always)
  func touch() {
    if !flags.contains(.kept) { withContext { $0.pool(self) } }
  }

  func prepareToManys() {
    guard toManys.isEmpty else { return }
    changeToManys { $0 = Array(repeating: ToManyState(), count: entity.toManys.count) }
  }

  @inline(__always)
  func check(_ path: PropertyPath) {
    if Int(path.entity) != entity.index, !entity.isKind(ofIndex: Int(path.entity)) {
      trapMisuse("a property path of entity number \(path.entity) was used on an object of entity \(entity.name)")
    }
  }
}

// MARK: - Changing what it holds, and its footprint

extension ManagedObject {
  /// Writes one slot and tells the context. The object must be whole.
  func change(_ slot: Int, to value: Value) {
    // First, for those who want to know what was there before.
    noteChange(ofSlots: 1 << UInt64(slot))
    write(value, at: slot)
  }

  /// Writes one slot and tells nobody. The object must be whole.
  func write(_ value: Value, at slot: Int) {
    if ownRow?.withRow(\.isShared) ?? true {
      setChangedRow(currentRow.copy(spareByteCount: entity.spareByteCount))
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
      if !currentRow.holds(value, at: slot) { change(slot, to: value) }
      return
    }
    switch ownRow?.withStorage({ $0.replace(slot, by: value) }) ?? .impossible {
    case .same: break
    case .done(let byteCount, let before):
      countRowBytes(byteCount, insteadOf: before)
      noteChange(ofSlots: 1 << UInt64(slot))
    case .impossible:
      if !currentRow.holds(value, at: slot) { change(slot, to: value) }
    }
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
    !flags.isDisjoint(with: [.inserted, .updated, .deleted]) && !flags.isDisjoint(with: [.eventInserted, .eventUpdated])
  }

  /// Sets all values with local changes, or none.
  func setChangedRow(_ row: Row?) {
    hold(row, in: &ownRow)
  }

  /// Puts a row in the place of another, and counts both with the footprint.
  private func hold(_ row: Row?, in place: inout HeldRow?) {
    let old = place
    place = row.map(HeldRow.init)
    if isCounted {
      ownerReference._withUnsafeGuaranteedRef { owner in
        if let row { owner.footprint.hold(row) }
        old?.withRow { owner.footprint.letGo($0) }
      }
    }
    old?.release()
  }

  /// The row with local changes, ready to be written or pushed: without room that it does not need. Not shared yet.
  func compactedRow() -> Row {
    if let ownRow, !ownRow.withRow(\.isCompact) { takeOver(ownRow.row.compacted()) }
    return currentRow
  }

  /// The row with local changes, in the version that it is based on, as one that others may have too.
  func shareRow() -> Row {
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
    flags.subtract([.gone, .kept, .shared, .inaccessible, .countedAsChanged])
    flags.insert(.inserted)
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
