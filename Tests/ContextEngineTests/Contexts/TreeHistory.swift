import ContextEngine
import MachineCore
import TestSupport
import Testing

/// A tree of contexts, each with a dictionary of the values that its user should see, under operations that a seed
/// chooses.
final class TreeHistory {
  let stack: Stack
  let levels: [Level]
  let authors: [ObjectID]
  var random: SeededRandom
  var store: [Serial: Record] = [:]
  var lastSerial: Serial = 0

  static let paths = [Book.title, Book.note, Book.author]
  static let empty: Record = [.null, .null, .null]

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
    // The policy matches the dictionaries: the last save wins, property by property.
    for level in levels { level.context.mergePolicy = .objectTrump }
  }

  static func child(
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

  /// Saves all levels from the leaves up, and compares the file, as another coordinator reads it, with the dictionary.
  func saveEverything() throws {
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

// MARK: - Contents of a level

extension TreeHistory {
  /// Expects that the running count of bytes equals the result of a full count.
  func checkFootprint(_ comment: String) {
    let counted = Recount.bytes(levels.map(\.context), stack.coordinator)
    let figures = stack.coordinator.footprint.figures
    #expect(figures.currentBytes == counted, "\(comment)")
    #expect(figures.peakBytes >= counted && figures.addedBytes >= figures.peakBytes, "\(comment)")
  }

  static func serial(_ book: ManagedObject) -> Serial {
    if case .integer(let serial) = book[Book.year] { serial } else { 0 }
  }

  static func record(_ book: ManagedObject) -> Record { paths.map { book[$0] } }

  func check(_ level: Level, _ comment: String) throws {
    // The request has no sort order, because placing unsaved objects would fire some faults of the levels above.
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

  func serials(in level: Level) -> [Serial] {
    (1...max(lastSerial, 1)).filter { exists($0, in: level) }
  }

  /// Returns true if a fetch in the level finds the book.
  func exists(_ serial: Serial, in level: Level) -> Bool {
    if level.inserted.contains(serial) { return true }
    if level.deleted.contains(serial) { return false }
    if level.realised[serial]?.changed.isEmpty == false { return true }
    return level.parent.map { exists(serial, in: $0) } ?? (store[serial] != nil)
  }

  /// Returns the values of a book at the level, or those of the level above. Retained objects keep the values that were
  /// read for them.
  @discardableResult
  func lookUp(_ serial: Serial, in level: Level) -> Record? {
    if level.deleted.contains(serial) { return nil }
    if let entry = level.realised[serial] { return entry.record }
    guard let record = lookUp(serial, above: level) else { return nil }
    if level.held[serial] != nil { level.realised[serial] = Level.Entry(base: record, record: record) }
    return record
  }

  func lookUp(_ serial: Serial, above level: Level) -> Record? {
    level.parent.map { lookUp(serial, in: $0) } ?? store[serial]
  }

  /// Returns a random book of the level, which is retained and realised from now on.
  func pick(in level: Level) throws -> (serial: Serial, book: ManagedObject)? {
    let books = try level.context.fetch(FetchRequest(Book.entity))
    guard !books.isEmpty else { return nil }
    let book = books[random.below(books.count)]
    let chosen = Self.serial(book)
    level.held[chosen] = book
    // The chosen book is the only one that is realised, because its number was read.
    lookUp(chosen, in: level)
    return (chosen, book)
  }
}
