import ContextEngine
import MachineCore
import MachineLive
import TestSupport
import Testing

/// Guarantees of a store in memory beyond the laws that hold on every store.
@Suite struct InMemoryStoreTests {
  private let ledger = WorkLedger()
  private let store: InMemoryStore
  private let coordinator: PersistentStoreCoordinator

  init() {
    let machine = LiveMachine(ledger: ledger)
    store = InMemoryStore(machine, model: Library.model, identifier: "store")
    coordinator = PersistentStoreCoordinator(machine: machine, store: store)
  }

  private func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: coordinator, name: name)
  }

  private func bytes(_ kind: Work.Kind) -> Int {
    WorkRole.allCases.reduce(0) { $0 + ledger.bytes(kind, for: $1) }
  }

  private func book(_ key: Int64, title: String, version: Int64 = 1) -> StoreChanges.Insertion {
    var values = Book.entity.slots.map { _ in Value.null }
    values[Book.title.slot] = .string(title)
    return .init(
      objectID: ObjectID(entity: Book.entity.index, key: key), row: Row(version: version, values: values))
  }

  @Test func `reserved keys are consecutive and unique`() throws {
    let books = KeyRequest(entity: Book.entity, count: 3)
    let authors = KeyRequest(entity: Author.entity, count: 1)
    #expect(try store.reserveKeys([books, authors]) == [1, 1])
    #expect(try store.reserveKeys([books, books]) == [4, 7])
  }

  @Test func `a save with stale or missing rows returns all conflicts and writes nothing`() throws {
    var changes = StoreChanges()
    changes.insertions = [book(1, title: "Emma"), book(2, title: "Persuasion")]
    _ = try store.save(changes)
    let known = changes.insertions
    changes.insertions = [book(3, title: "Sanditon")]
    changes.updates = [
      .init(objectID: known[0].objectID, row: known[0].row, slots: [0], baseVersion: 7),
      .init(objectID: known[1].objectID, row: known[1].row, slots: [0], baseVersion: 1),
    ]
    changes.deletions = [.init(objectID: ObjectID(entity: Book.entity.index, key: 9), baseVersion: 1)]
    guard case .conflicting(let conflicts) = try store.save(changes) else {
      Issue.record("the save was carried out")
      return
    }
    #expect(conflicts.map(\.objectID.key) == [1, 9])
    #expect(conflicts.map { $0.persisted?.version } == [1, nil])
    #expect(try store.fetchObjectIDs(request).map(\.key) == [1, 2])
  }

  /// Another coordinator on the store may read saved rows at once, so they count as shared.
  @Test func `saved rows are shared`() throws {
    let new = book(1, title: "Emma").row.copy()
    let objectID = ObjectID(entity: Book.entity.index, key: 1)
    var changes = StoreChanges()
    changes.insertions = [.init(objectID: objectID, row: new)]
    #expect(!new.isShared)
    _ = try store.save(changes)
    #expect(new.isShared)
    let changed = new.with(version: 2)
    changes = StoreChanges()
    changes.updates = [.init(objectID: objectID, row: changed, slots: [0], baseVersion: 1)]
    #expect(!changed.isShared)
    _ = try store.save(changes)
    #expect(changed.isShared)
  }

  private var request: StoreFetchRequest {
    StoreFetchRequest(entity: Book.entity, predicate: nil, sortDescriptors: [])
  }

  @Test func `a reused key returns to its place in key order`() throws {
    var changes = StoreChanges()
    changes.insertions = (1...5).map { book($0, title: "Book \($0)") }
    _ = try store.save(changes)
    changes = StoreChanges()
    changes.deletions = [2, 4].map { .init(objectID: ObjectID(entity: Book.entity.index, key: $0), baseVersion: 1) }
    _ = try store.save(changes)
    #expect(try store.fetchObjectIDs(request).map(\.key) == [1, 3, 5])
    changes = StoreChanges()
    changes.insertions = [book(2, title: "Again", version: 2)]
    _ = try store.save(changes)
    #expect(try store.fetchObjectIDs(request).map(\.key) == [1, 2, 3, 5])
    #expect(try store.row(for: ObjectID(entity: Book.entity.index, key: 2))?.version == 2)
    let error = #expect(throws: PersistenceError.self) { _ = try store.save(changes) }
    #expect(error?.code == .saveConflicts)
  }

  @Test func `a to-many relationship is read without scanning the table`() throws {
    let context = context()
    try context.performAndWait {
      let authors = (0..<3).map { context.insertAuthor("Author \($0)") }
      for number in 0..<30 { context.insertBook("Book \(10 + number)", author: authors[number % 3]) }
      try context.save()
      let books = try context.books()
      for book in books[..<6] { book.relate(nil, at: Book.author) }
      for book in books[6..<8] { book.relate(authors[2], at: Book.author) }
      context.delete(books[29])
      try context.save()
    }
    let before = ledger.count(.rowScanned)
    let other = self.context("other")
    try other.performAndWait {
      let authors = try other.fetch(FetchRequest(Author.entity, sortDescriptors: [FetchSortDescriptor(Author.name)]))
      let titles = authors.map { $0.relatedObjects(Author.books).map(\.title) }
      #expect(titles.map(\.count) == [7, 7, 9])
      #expect(titles[2].prefix(3) == ["Book 16", "Book 17", "Book 18"])
    }
    #expect(ledger.count(.rowScanned) == before)
  }

  @Test func `work counts rows read, scanned, sorted and written, and no SQL`() throws {
    let context = context()
    try context.performAndWait {
      for number in 0..<10 { context.insertBook("Book \(number)", year: Int64(number)) }
      try context.save()
    }
    #expect(ledger.count(.rowWritten) == 10 && ledger.count(.commit) == 2)
    // Each row has a title, a year and a Boolean value.
    #expect(bytes(.rowWritten) == 10 * (6 + 8 + 8))
    let reader = self.context("reader")
    let found = try reader.performAndWait { try reader.books(where: .comparison(Book.year, .less, 4)).count }
    #expect(found == 4)
    #expect(ledger.count(.rowStepped) == 4 && bytes(.rowStepped) == 4 * (6 + 8 + 8))
    #expect(ledger.count(.rowScanned) == 6 && ledger.count(.rowSorted) == 4)
    #expect(ledger.count(.statementRun) == 0 && ledger.count(.storeRequest) == 0)
  }

  @Test func `a save into a closed store throws`() throws {
    try store.close()
    try store.close()
    let context = context()
    context.performAndWait {
      context.insertBook("Emma")
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .storeOpen)
      #expect(context.hasChanges)
    }
  }
}
