import ContextEngine
import TestSupport
import Testing

// MARK: - Operations

extension TreeHistory {
  func insert(in level: Level) {
    lastSerial += 1
    let book = level.context.insert(Book.entity)
    book[Book.year] = .integer(lastSerial)
    level.inserted.insert(lastSerial)
    level.realised[lastSerial] = Level.Entry(base: Self.empty, record: Self.empty)
    if random.below(2) == 0 { level.held[lastSerial] = book }
  }

  func set(in level: Level) throws {
    guard let (serial, book) = try pick(in: level) else { return }
    let property = random.below(3)
    let value: Value =
      switch random.below(5) {
      case 0: .null
      default: property == 2 ? .object(authors[random.below(3)]) : .string("\(random.below(50))")
      }
    book[Self.paths[property]] = value
    if level.realised[serial]?.record[property] != value { level.realised[serial]?.changed.insert(property) }
    level.realised[serial]?.record[property] = value
  }

  func delete(in level: Level) throws {
    guard let (serial, book) = try pick(in: level) else { return }
    level.context.delete(book)
    markDeleted(serial, in: level)
  }

  func markDeleted(_ serial: Serial, in level: Level) {
    if level.inserted.contains(serial) {
      level.forget(serial)
    } else {
      level.deleted.insert(serial)
    }
  }

  func save(_ level: Level) throws {
    try level.context.save()
    for serial in level.inserted { receive(serial, from: level) }
    for serial in level.updated { receive(serial, from: level) }
    for serial in level.deleted { receiveDeletion(of: serial, from: level) }
    for serial in level.deleted { level.forget(serial) }
    for serial in level.inserted.union(level.updated) {
      guard let entry = level.realised[serial] else { continue }
      // The object has the values that the merge policy read from the store.
      let record = level.parent == nil ? store[serial] ?? entry.record : entry.record
      level.realised[serial] = Level.Entry(base: record, record: record)
    }
    level.inserted = []
  }

  func receive(_ serial: Serial, from level: Level) {
    guard let entry = level.realised[serial] else { return }
    guard let parent = level.parent else {
      // A row that another context has deleted is written again, with all its values.
      var row = store[serial] ?? entry.record
      for property in entry.changed { row[property] = entry.record[property] }
      store[serial] = row
      return
    }
    if level.inserted.contains(serial) {
      parent.inserted.insert(serial)
      parent.realised[serial] = Level.Entry(base: Self.empty, record: entry.record)
      return
    }
    guard let known = lookUp(serial, in: parent) else { return }
    var pushed = parent.realised[serial] ?? Level.Entry(base: known, record: known)
    for property in entry.changed { pushed.record[property] = entry.record[property] }
    pushed.changed.formUnion(entry.changed)
    parent.realised[serial] = pushed
  }

  func receiveDeletion(of serial: Serial, from level: Level) {
    guard let parent = level.parent else {
      store[serial] = nil
      return
    }
    guard let known = lookUp(serial, in: parent) else { return }
    if parent.realised[serial] == nil { parent.realised[serial] = Level.Entry(base: known, record: known) }
    markDeleted(serial, in: parent)
  }

  /// Saves a level that lies on the coordinator and merges the save into another level.
  func saveAndMerge(_ picked: Level) throws {
    let level = picked.parent == nil ? picked : levels[0]
    let targets = levels.filter { $0 !== level }
    let target = targets[random.below(targets.count)]
    let (updated, deleted) = (level.updated, level.deleted)
    let notifications = Journal<SaveNotification>()
    let token = level.context.observeDidSave { notifications.write($0) }
    try level.context.performAndWait { try save(level) }
    token.cancel()
    guard let notification = notifications.entries.first else { return }
    notifications.clear()
    target.context.performAndWait { target.context.mergeChanges(fromContextDidSave: notification) }
    for serial in deleted { target.forget(serial) }
    target.outdated.formUnion(updated.intersection(target.deleted))
    for serial in updated where !target.inserted.contains(serial) && !target.deleted.contains(serial) {
      if target.realised[serial] != nil { bringUpToDate(serial, in: target) }
    }
  }

  /// Reads the book again from the level above and keeps local changes. A book that no longer exists is removed.
  func bringUpToDate(_ serial: Serial, in level: Level) {
    guard var entry = level.realised[serial] else { return }
    guard let newest = lookUp(serial, above: level) else {
      level.forget(serial)
      return
    }
    let local = entry.record
    entry.base = newest
    entry.record = newest
    for property in entry.changed { entry.record[property] = local[property] }
    level.realised[serial] = entry
  }

  func rollback(_ level: Level) {
    level.context.rollback()
    for serial in level.inserted { level.forget(serial) }
    level.deleted = []
    for (serial, entry) in level.realised {
      level.realised[serial] = Level.Entry(base: entry.base, record: entry.base)
    }
    for serial in level.outdated { bringUpToDate(serial, in: level) }
    level.outdated = []
  }

  func refresh(in level: Level) throws {
    guard let (serial, book) = try pick(in: level), !level.inserted.contains(serial) else { return }
    let merges = random.below(2) == 0
    try level.context.refresh(book, mergeChanges: merges)
    // An object that is yet to be reported as refreshed stays registered until then.
    level.context.processPendingChanges()
    if merges { bringUpToDate(serial, in: level) } else { level.realised[serial] = nil }
  }

  func reset(_ level: Level) {
    level.context.reset()
    level.held = [:]
    level.realised = [:]
    level.inserted = []
    level.deleted = []
  }
}
