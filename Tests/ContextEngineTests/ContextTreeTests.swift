import ContextEngine
import MachineCore
import Testing

/// Random histories of operations on a tree of contexts against a plain dictionary model of each level.
///
///     store ◄─┬─ root ◄─┬─ first ◄── grandchild
///             │         └─ second
///             └─ sibling
@Suite(.onBothStores, .namingTheStore) struct ContextTreeTests {
  @Test(arguments: 0..<40)
  func `a tree of contexts behaves as a tree of dictionaries`(seed: UInt64) throws {
    let history = try TreeHistory(seed: seed)
    try history.run(steps: 300)
  }
}

/// The number by which the model knows a book; kept in its `year`, which histories do not change.
private typealias Serial = Int64

/// The values of a book that histories change: title, note, and the key of the author.
private typealias Record = [Value]

/// What one level holds.
private final class Level {
  let name: String
  let parent: Level?
  let context: ManagedObjectContext
  /// The objects that the history holds; others stay in their context while they have changes only.
  var held: [Serial: ManagedObject] = [:]
  /// What has values here, and stays.
  var realised: [Serial: Entry] = [:]
  var inserted: Set<Serial> = []
  var deleted: Set<Serial> = []

  struct Entry {
    /// What a rollback goes back to.
    var base: Record
    var record: Record
    /// The properties changed here.
    var changed: Set<Int> = []
  }

  init(_ name: String, _ parent: Level?, _ context: ManagedObjectContext) {
    self.name = name
    self.parent = parent
    self.context = context
  }

  var updated: Set<Serial> {
    Set(realised.filter { !$0.value.changed.isEmpty }.keys).subtracting(inserted).subtracting(deleted)
  }

  /// Lets go of what the context has let go of.
  func prune() {
    held = held.filter { !$0.value.isDeleted || deleted.contains($0.key) }
    realised = realised.filter { serial, entry in
      held[serial] != nil || inserted.contains(serial) || deleted.contains(serial) || !entry.changed.isEmpty
    }
  }

  func forget(_ serial: Serial) {
    held[serial] = nil
    realised[serial] = nil
    inserted.remove(serial)
    deleted.remove(serial)
  }
}

private final class TreeHistory {
  private let stack: Stack
  private let levels: [Level]
  private let authors: [ObjectID]
  private var random: SeededRandom
  private var store: [Serial: Record] = [:]
  private var lastSerial: Serial = 0

  private static let paths = [Book.title, Book.note, Book.author]
  private static let empty: Record = [.null, .null, .null]

  init(seed: UInt64) throws {
    stack = try Stack(poolSize: seed % 2 == 0 ? 1 : 4)
    try stack.seed { for number in 0..<3 { $0.insertAuthor("Author \(number)") } }
    authors = try stack.inStore { try $0.fetchObjectIDs(FetchRequest(Author.entity)) }
    random = SeededRandom(seed: seed, stream: "context tree")
    let root = Level("root", nil, stack.context("root"))
    // Every third tree has the main context in its middle.
    let first = Self.child(of: root, "first", seed % 3 == 0 ? .mainQueue : .privateQueue)
    levels = [
      root, first, Self.child(of: root, "second"), Self.child(of: first, "grandchild"),
      Level("sibling", nil, stack.context("sibling")),
    ]
    // As the dictionaries do it: the last writer wins, property by property.
    for level in levels { level.context.mergePolicy = .objectTrump }
  }

  private static func child(
    of level: Level, _ name: String, _ queue: ManagedObjectContext.ConcurrencyType = .privateQueue
  ) -> Level {
    Level(name, level, ManagedObjectContext(queue, parent: level.context, name: name))
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      let level = levels[random.below(levels.count)]
      let action = random.below(100)
      switch action {
      case 0..<16: level.context.performAndWait { insert(in: level) }
      case 16..<48: try level.context.performAndWait { try set(in: level) }
      case 48..<56: try level.context.performAndWait { try delete(in: level) }
      case 56..<74: try level.context.performAndWait { try save(level) }
      case 74..<84: try saveAndMerge(level)
      case 84..<88: level.context.performAndWait { rollback(level) }
      case 88..<94: try level.context.performAndWait { try refresh(in: level) }
      case 94..<96: level.context.performAndWait { reset(level) }
      case 96..<98: level.context.perform {}
      default:
        for serial in level.held.keys.sorted() where random.below(2) == 0 { level.held[serial] = nil }
      }
      for level in levels { level.prune() }
      let checked = levels[random.below(levels.count)]
      try checked.context.performAndWait { try check(checked, "step \(step): \(action) in \(level.name)") }
      checkFootprint("step \(step): \(action) in \(level.name)")
    }
    try saveEverything()
    checkFootprint("all saved")
  }

  /// From the leaves up; then the file, read by another coordinator, holds what the dictionary holds.
  private func saveEverything() throws {
    for level in [levels[3], levels[1], levels[2], levels[0], levels[4]] {
      try level.context.performAndWait { try save(level) }
    }
    try Stack(on: stack.folder).inStore { context in
      let books = try context.fetch(FetchRequest(Book.entity))
      let stored = Dictionary(books.map { (Self.serial($0), Self.record($0)) }) { first, _ in first }
      #expect(books.count == stored.count && stored == store)
      for author in try context.fetch(FetchRequest(Author.entity)) {
        let written = Set(author.relatedObjects(Author.books).map(Self.serial))
        let expected = store.filter { $0.value[2] == .object(author.objectID) }
        #expect(written == Set(expected.keys))
      }
    }
  }
}

// MARK: - What a level shows

extension TreeHistory {
  /// The running count of bytes is that of a search through everything.
  private func checkFootprint(_ comment: String) {
    let counted = Recount.bytes(levels.map(\.context), stack.coordinator)
    let figures = stack.coordinator.footprint.figures
    #expect(figures.currentBytes == counted, "\(comment)")
    #expect(figures.peakBytes >= counted && figures.addedBytes >= figures.peakBytes, "\(comment)")
  }

  private static func serial(_ book: ManagedObject) -> Serial {
    if case .integer(let serial) = book[Book.year] { serial } else { 0 }
  }

  private static func record(_ book: ManagedObject) -> Record { paths.map { book[$0] } }

  private func check(_ level: Level, _ comment: String) throws {
    // Without an order: placing unsaved objects would fire some faults of the levels above.
    let books = Array(try level.context.fetch(FetchRequest(Book.entity)))
    let found = Dictionary(books.map { (Self.serial($0), Self.record($0)) }) { first, _ in first }
    var expected: [Serial: Record] = [:]
    for serial in serials(in: level) { expected[serial] = lookUp(serial, in: level) }
    let different = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
    let difference = different.map { "\($0): \(found[$0], default: "-") for \(expected[$0], default: "-")" }
    #expect(different.isEmpty && found.count == books.count, "\(level.name) after \(comment): \(difference)")
    for (serial, book) in zip(books.map(Self.serial), books) {
      if let held = level.held[serial] { #expect(held === book, "\(serial) in \(level.name) after \(comment)") }
    }
    let isBook = { (object: ManagedObject) in object.entity === Book.entity }
    #expect(Set(level.context.insertedObjects.filter(isBook).map(Self.serial)) == level.inserted, "\(comment)")
    #expect(Set(level.context.updatedObjects.filter(isBook).map(Self.serial)) == level.updated, "\(comment)")
    #expect(Set(level.context.deletedObjects.filter(isBook).map(Self.serial)) == level.deleted, "\(comment)")
  }

  private func serials(in level: Level) -> [Serial] {
    (1...max(lastSerial, 1)).filter { exists($0, in: level) }
  }

  /// Whether a fetch of the level finds it.
  private func exists(_ serial: Serial, in level: Level) -> Bool {
    if level.inserted.contains(serial) { return true }
    if level.deleted.contains(serial) { return false }
    if level.realised[serial]?.changed.isEmpty == false { return true }
    return level.parent.map { exists(serial, in: $0) } ?? (store[serial] != nil)
  }

  /// The values of a book as the level has them or reads them from above; held objects keep what was read for them.
  @discardableResult
  private func lookUp(_ serial: Serial, in level: Level) -> Record? {
    if level.deleted.contains(serial) { return nil }
    if let entry = level.realised[serial] { return entry.record }
    guard let record = lookUp(serial, above: level) else { return nil }
    if level.held[serial] != nil { level.realised[serial] = Level.Entry(base: record, record: record) }
    return record
  }

  private func lookUp(_ serial: Serial, above level: Level) -> Record? {
    level.parent.map { lookUp(serial, in: $0) } ?? store[serial]
  }

  /// Some book of the level, held and realised from now on.
  private func pick(in level: Level) throws -> (serial: Serial, book: ManagedObject)? {
    let books = try level.context.fetch(FetchRequest(Book.entity))
    guard !books.isEmpty else { return nil }
    let book = books[random.below(books.count)]
    let chosen = Self.serial(book)
    level.held[chosen] = book
    // The numbers of all were not read, only this one's.
    lookUp(chosen, in: level)
    return (chosen, book)
  }
}

// MARK: - Operations

extension TreeHistory {
  private func insert(in level: Level) {
    lastSerial += 1
    let book = level.context.insert(Book.entity)
    book[Book.year] = .integer(lastSerial)
    level.inserted.insert(lastSerial)
    level.realised[lastSerial] = Level.Entry(base: Self.empty, record: Self.empty)
    if random.below(2) == 0 { level.held[lastSerial] = book }
  }

  private func set(in level: Level) throws {
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

  private func delete(in level: Level) throws {
    guard let (serial, book) = try pick(in: level) else { return }
    level.context.delete(book)
    markDeleted(serial, in: level)
  }

  private func markDeleted(_ serial: Serial, in level: Level) {
    if level.inserted.contains(serial) {
      level.forget(serial)
    } else {
      level.deleted.insert(serial)
    }
  }

  private func save(_ level: Level) throws {
    try level.context.save()
    for serial in level.inserted { receive(serial, from: level) }
    for serial in level.updated { receive(serial, from: level) }
    for serial in level.deleted { receiveDeletion(of: serial, from: level) }
    for serial in level.deleted { level.forget(serial) }
    for serial in level.inserted.union(level.updated) {
      guard let entry = level.realised[serial] else { continue }
      // What the policy brought in from the store stands in the object now.
      let record = level.parent == nil ? store[serial] ?? entry.record : entry.record
      level.realised[serial] = Level.Entry(base: record, record: record)
    }
    level.inserted = []
  }

  private func receive(_ serial: Serial, from level: Level) {
    guard let entry = level.realised[serial] else { return }
    guard let parent = level.parent else {
      // A row that was deleted meanwhile is written again, whole.
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

  private func receiveDeletion(of serial: Serial, from level: Level) {
    guard let parent = level.parent else {
      store[serial] = nil
      return
    }
    guard let known = lookUp(serial, in: parent) else { return }
    if parent.realised[serial] == nil { parent.realised[serial] = Level.Entry(base: known, record: known) }
    markDeleted(serial, in: parent)
  }

  /// Saves a level that lies on the coordinator and merges that into another one.
  private func saveAndMerge(_ picked: Level) throws {
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
    for serial in updated where !target.inserted.contains(serial) && !target.deleted.contains(serial) {
      if target.realised[serial] != nil { bringUpToDate(serial, in: target) }
    }
  }

  /// Reads the book again from above, local changes on top; one that is gone goes.
  private func bringUpToDate(_ serial: Serial, in level: Level) {
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

  private func rollback(_ level: Level) {
    level.context.rollback()
    for serial in level.inserted { level.forget(serial) }
    level.deleted = []
    for (serial, entry) in level.realised {
      level.realised[serial] = Level.Entry(base: entry.base, record: entry.base)
    }
  }

  private func refresh(in level: Level) throws {
    guard let (serial, book) = try pick(in: level), !level.inserted.contains(serial) else { return }
    let merges = random.below(2) == 0
    try level.context.refresh(book, mergeChanges: merges)
    // An object that waits to be reported as refreshed stays until then.
    level.context.processPendingChanges()
    if merges { bringUpToDate(serial, in: level) } else { level.realised[serial] = nil }
  }

  private func reset(_ level: Level) {
    level.context.reset()
    level.held = [:]
    level.realised = [:]
    level.inserted = []
    level.deleted = []
  }
}
