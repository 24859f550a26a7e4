import MachineCore

// `@unchecked Sendable`: blocks posted to queues capture objects; all mutable state is touched on the context's queue,
// or by another context while the thread that holds this queue is parked in `performAndWait`.
/// An object of a context: an instance of an entity, backed by a row of the parent store or not saved yet.
///
/// It belongs to its context's queue: every member but `objectID` and `entity` may be used there only. The object does
/// not keep its context alive. A *fault* has an identity and no values yet; reading or setting a property fires it.
///
/// A property is read and set by its name or, without a look-up, by its path:
///
/// ```swift
/// let isGood = context.performAndWait {
///   let book = context.insert(model.entity("Book"))
///   book["title"] = .string("Emma")
///   book.relate(context.insert(model.entity("Author")), at: book.entity.path("author"))
///   let rating = book.entity.path("rating")
///   book.setInteger(4, at: rating)
///   return book.integer(at: rating) ?? 0 > 3
/// }
/// ```
public final class ManagedObject: @unchecked Sendable {
  /// The entity of which the object is an instance.
  public var entity: EntityDescription { entityReference.takeUnretainedValue() }
  // The reference is not counted, as that would have a cost for every object: the object keeps the registry alive, and
  // the registry keeps the model.
  let entityReference: Unmanaged<EntityDescription>

  /// The object's ID, which is temporary until a save writes the object to a store.
  public internal(set) var objectID: ObjectID

  let registry: Registry
  // The reference is not `weak`, because a context marks its living objects as invalid before it is destroyed, and
  // `flags` are checked first.
  @inline(__always)
  var ownerReference: Unmanaged<ManagedObjectContext> {
    guard let owner = registry.owner else { trapMisuse("\(entity.name) \(objectID.key) belongs to no context") }
    return owner
  }

  // These two share a word: every object has them, and most objects have no other state.
  package var flags: Flags
  private var countedByteCount: Int32 = 0
  /// The state last read from or saved to the parent store, or nil in faults and new objects.
  package var snapshot: Row? {
    get { snapshotRow?.row }
    set { hold(newValue, in: &snapshotRow) }
  }
  var snapshotRow: HeldRow?
  /// The row with local changes, or nil while the values are those of the snapshot. The object owns the row exclusively
  /// until it is shared.
  package var changedRow: Row? { ownRow?.row }
  var ownRow: HeldRow?
  /// The words of `changedSlots` and `eventSlots`.
  var changedWord: UInt64 = 0
  var eventWord: UInt64 = 0
  /// The states of the to-many relationships, one each. The array is empty until one of them is used.
  package internal(set) var toManys: [ToManyState] = []
  /// The number of bytes that the object counts with in the context's footprint, without its row.
  var countedBytes: Int {
    get { Int(countedByteCount) }
    set { countedByteCount = Int32(newValue) }
  }

  package struct Flags: OptionSet {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    static let inserted = Flags(rawValue: 1 << 0)
    package static let updated = Flags(rawValue: 1 << 1)
    package static let deleted = Flags(rawValue: 1 << 2)
    /// The object is in the running block's pool.
    static let pooled = Flags(rawValue: 1 << 3)
    /// The object is new, and a context below has its temporary ID.
    static let shared = Flags(rawValue: 1 << 4)
    /// The object is listed for the next did-change as inserted, updated, deleted or refreshed.
    static let eventInserted = Flags(rawValue: 1 << 5)
    static let eventUpdated = Flags(rawValue: 1 << 6)
    static let eventDeleted = Flags(rawValue: 1 << 7)
    static let eventRefreshed = Flags(rawValue: 1 << 8)
    /// The object's row no longer exists. The object counts as deleted and has no values.
    static let inaccessible = Flags(rawValue: 1 << 9)
    /// The object was dropped by `reset` or by the end of its context.
    static let invalid = Flags(rawValue: 1 << 10)
    /// The object was deleted, the deletion was saved or merged, and the object has left the registry.
    static let gone = Flags(rawValue: 1 << 11)
    /// Touching the object has no effect: it is in the running block's pool, or gone.
    static let kept = Flags(rawValue: 1 << 12)
    /// The footprint counts the object as one with changes.
    static let countedAsChanged = Flags(rawValue: 1 << 13)
    /// The object has left the registry and is about to be destroyed.
    static let departed = Flags(rawValue: 1 << 14)
    /// Every use of the object checks that it is on the right queue.
    static let checked = Flags(rawValue: 1 << 15)
    /// A warning about a change of the object without a row was logged.
    static let warned = Flags(rawValue: 1 << 16)
    /// The entity has more slots than a word has bits.
    static let wide = Flags(rawValue: 1 << 17)
    /// Another context's change of the row was merged while the object was deleted here.
    static let outdated = Flags(rawValue: 1 << 18)
  }

  init(entity: EntityDescription, objectID: ObjectID, context: ManagedObjectContext, flags: Flags) {
    entityReference = .passUnretained(entity)
    self.objectID = objectID
    registry = context.registry
    self.flags = flags
    if entity.isWide { makeWide() }
  }

  deinit {
    defer {
      snapshotRow?.release()
      ownRow?.release()
      if flags.contains(.wide) { releaseWideChanges() }
    }
    guard flags.isDisjoint(with: [.invalid, .gone, .departed]) else { return }
    // The registry is held by this object until the end of `deinit`.
    Unmanaged.passUnretained(registry)._withUnsafeGuaranteedRef { $0.departDying(self) }
  }
}

// MARK: - Reading

extension ManagedObject {
  /// The value of an attribute or a to-one relationship. Fires the object if it is a fault.
  ///
  /// Firing blocks on the row cache, the store or the parent context. It traps with a message that names 133000 if the
  /// row no longer exists and the context does not delete inaccessible faults; `fulfillFault()` throws instead.
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

  /// Returns the value of an attribute or a to-one relationship, as the subscript does.
  ///
  /// - Throws: `PersistenceError` in cases in which the subscript traps: `.referentialIntegrity` if the object's row no
  ///   longer exists, as `fulfillFault()`; `.externalDataUnreadable`, with its path, if the value is in a file next to
  ///   the store that is missing or cannot be read.
  public func readValue(at path: PropertyPath) throws(PersistenceError) -> Value {
    check(path)
    if path.kind == .attribute, entity.externalSlots.contains(path.slot) {
      try fulfillFault()
      return shown(try currentRow.readValue(at: path.slot), at: path.slot)
    }
    if !path.isToMany { try fulfillFault() }
    return self[path]
  }

  /// The value of the property called `name`. Resolve a path once if the property is read often.
  public subscript(name: String) -> Value {
    get { self[entity.path(name)] }
    set { self[entity.path(name)] = newValue }
  }

  /// Returns the value that a property shows for a value that the row holds.
  @inline(__always)
  private func shown(_ stored: Value, at slot: Int) -> Value {
    guard withEntity({ $0.convertedSlots }).contains(slot) else { return stored }
    return if case .attribute(let attribute) = entity.slots[slot] { attribute.shown(stored) } else { stored }
  }

  /// Returns the object at the other end of a to-one relationship, as a fault if the context did not have it, or nil if
  /// there is none or the deletion of this object was saved or merged.
  public func related(_ path: PropertyPath) -> ManagedObject? {
    guard case .object(let target) = self[path], !flags.contains(.gone) else { return nil }
    return context.object(with: target)
  }

  /// Returns the objects at the other end of a to-many relationship. An ordered relationship returns them in its order,
  /// another one in the order of their IDs as last saved, followed by local additions. Reads the keys from the parent
  /// store if they were not read before: one SELECT. O(n).
  public func relatedObjects(_ path: PropertyPath) -> [ManagedObject] {
    relatedObjectIDs(path).map { context.object(with: $0) }
  }

  /// Returns the IDs of the objects at the other end of a to-many relationship, as `relatedObjects(_:)` does. The
  /// result is empty if the deletion of this object was saved or merged.
  public func relatedObjectIDs(_ path: PropertyPath) -> [ObjectID] {
    check(path)
    guard path.isToMany else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is not a to-many relationship; read it by subscript")
    }
    if flags.contains(.gone) { return [] }
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

  /// Reads the object's row if the object is a fault or was read in part.
  ///
  /// - Throws: `PersistenceError` with `.referentialIntegrity` if the row no longer exists and the context does not
  ///   delete inaccessible faults.
  public func fulfillFault() throws(PersistenceError) {
    touch()
    if isWhole || clearSnapshotIfGone() { return }
    try context.fulfill(self)
  }

  /// True if every slot has a value.
  var isWhole: Bool { ownRow != nil || snapshotRow?.withRow(\.isWhole) == true }

  /// The row with local changes, the snapshot if there are none, or a row of null values if the object is a fault.
  var currentRow: Row { (ownRow ?? snapshotRow)?.row ?? Row.empty(slotCount: entity.slots.count) }

  /// Calls `body` with the row that has a slot's value. Fires the object if that slot was not read.
  @inline(__always)
  func withRow<Result>(of slot: Int, _ body: (borrowing Row) -> Result) -> Result {
    if let ownRow { return ownRow.withRow(body) }
    if let snapshotRow, snapshotRow.withRow({ $0.wasRead(slot) }) {
      return snapshotRow.withRow(body)
    }
    fulfillOrTrap()
    return body(currentRow)
  }

  /// Prepares to read a property: checks its path, and keeps the object alive until the block ends.
  @inline(__always)
  func prepareToRead(_ path: PropertyPath) {
    check(path)
    touch()
  }

  /// If the object is gone, replaces its snapshot by a row of null values, because its values cannot be read any more.
  /// Returns true if it is gone.
  private func clearSnapshotIfGone() -> Bool {
    guard flags.contains(.gone) else { return false }
    snapshot = Row.empty(slotCount: entity.slots.count)
    return true
  }

  func fulfillOrTrap() {
    if clearSnapshotIfGone() { return }
    do throws(PersistenceError) {
      try context.fulfill(self)
    } catch {
      trapMisuse("the fault of \(entity.name) \(objectID.key) could not be fulfilled: \(error)")
    }
  }

  /// Keeps the object alive until the running block ends.
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
    if path.entity != objectID.entity, !entity.isKind(ofIndex: Int(path.entity)) {
      trapMisuse("a property path of entity number \(path.entity) was used on an object of entity \(entity.name)")
    }
  }
}
