import ContextEngine
import TestSupport
import Testing

/// Optimistic locking: saves of rows that others have written.
@Suite(.onBothStores, .namingTheStore) struct ConflictTests {
  /// The coordinator through which the other side writes: the same one, or another one on the same store.
  enum Opponent: CaseIterable, Sendable {
    case sameCoordinator
    case otherCoordinator

    var kind: MergeConflict.Kind {
      self == .sameCoordinator ? .contextAgainstRowCache : .rowCacheAgainstStore
    }
  }

  enum Mine: CaseIterable, Sendable {
    case update
    case delete
    /// A new book of the author, whose attributes do not change.
    case toManyOnly
  }

  enum Theirs: CaseIterable, Sendable {
    case update
    case delete
  }

  struct Case: Sendable, CustomStringConvertible {
    var opponent: Opponent
    var mine: Mine
    var theirs: Theirs
    var policy: MergePolicy

    var description: String { "\(mine) meets \(theirs) of \(opponent), \(policy.rawValue)" }

    static let all = Opponent.allCases.flatMap { opponent in
      Mine.allCases.flatMap { mine in
        Theirs.allCases.flatMap { theirs in
          MergePolicy.allCases.map { Case(opponent: opponent, mine: mine, theirs: theirs, policy: $0) }
        }
      }
    }
  }

  /// The author's name, year of birth and version, and the titles of the books. A nil outcome means that the author is
  /// deleted.
  struct Outcome: Equatable {
    var name: Value
    var born: Value
    var version: Int64
    var books: [String]
  }

  /// Returns the author's outcome as a context reads it.
  private func outcome(_ context: ManagedObjectContext) throws -> Outcome? {
    guard let author = try context.fetch(FetchRequest(Author.entity)).first else { return nil }
    let titles = author.relatedObjects(Author.books).map(\.title)
    return Outcome(name: author[Author.name], born: author[Author.born], version: author.version, books: titles)
  }

  /// Returns the outcome by the rules of the five policies. The author is Jane, born 1775. This side renames her, and
  /// the other side changes name and year, or one side deletes her, or this side adds a book.
  private func expected(_ test: Case) -> Outcome? {
    let keeps = test.policy == .objectTrump || test.policy == .overwrite
    let books = test.mine == .toManyOnly && test.policy != .error ? ["Emma"] : []
    switch (test.mine, test.theirs) {
    case (.delete, .delete): return nil
    case (_, .delete):
      guard keeps else { return nil }
      return Outcome(name: test.mine == .update ? "Mine" : "Jane", born: 1775, version: 2, books: books)
    case (.delete, .update):
      return keeps ? nil : Outcome(name: "Theirs", born: 1776, version: 2, books: [])
    case (.update, .update), (.toManyOnly, .update):
      let isUpdate = test.mine == .update
      return switch test.policy {
      case .error, .rollback: Outcome(name: "Theirs", born: 1776, version: 2, books: books)
      case .storeTrump: Outcome(name: "Theirs", born: 1776, version: 3, books: books)
      case .objectTrump: Outcome(name: isUpdate ? "Mine" : "Theirs", born: 1776, version: 3, books: books)
      case .overwrite: Outcome(name: isUpdate ? "Mine" : "Jane", born: 1775, version: 3, books: books)
      }
    }
  }

  @Test(arguments: Case.all)
  func `each merge policy resolves each conflict in the store and in the context`(test: Case) throws {
    let stack = try Stack()
    try stack.seed { $0.insertAuthor("Jane")[Author.born] = 1775 }
    let context = stack.context()
    context.mergePolicy = test.policy
    let author = try context.performAndWait {
      let author = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      #expect(author[Author.name] == "Jane")
      return author
    }
    let other = test.opponent == .sameCoordinator ? stack : try Stack(on: stack.folder)
    try other.seed { context in
      guard let author = try? context.fetch(FetchRequest(Author.entity)).first else { return }
      switch test.theirs {
      case .update:
        author[Author.name] = "Theirs"
        author[Author.born] = 1776
      case .delete: context.delete(author)
      }
    }
    try context.performAndWait {
      switch test.mine {
      case .update: author[Author.name] = "Mine"
      case .delete: context.delete(author)
      case .toManyOnly: context.insertBook("Emma", author: author)
      }
      guard test.policy == .error else {
        let conflicts = try stack.count(.conflict) { try context.save() }
        #expect(conflicts == 1 && !context.hasChanges)
        let seen = try outcome(context)
        #expect(seen == expected(test))
        #expect(author.isDeleted == (seen == nil))
        if let seen { #expect(author[Author.name] == seen.name && author.version == seen.version) }
        return
      }
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge && error?.code.rawValue == 133020)
      #expect(error?.objectIDs == [author.objectID])
      let conflict = try #require(error?.conflicts.first)
      #expect(error?.conflicts.count == 1 && conflict.objectID == author.objectID)
      // The row cache has no row of a deleted object, so only the store can detect the conflict.
      #expect(conflict.kind == (test.theirs == .delete ? .rowCacheAgainstStore : test.opponent.kind))
      #expect(conflict.oldVersion == 1 && conflict.newVersion == (test.theirs == .update ? 2 : 0))
      // The context keeps its changes.
      #expect(author.version == 1 && author.isDeleted == (test.mine == .delete))
      #expect(author[Author.name] == (test.mine == .update ? "Mine" : "Jane"))
      #expect(author.isUpdated == (test.mine != .delete))
      #expect(context.insertedObjects.map(\.objectID.isTemporaryID) == (test.mine == .toManyOnly ? [true] : []))
    }
    let stored = try Stack(on: stack.folder).inStore(outcome)
    let unwritten = test.theirs == .delete ? nil : Outcome(name: "Theirs", born: 1776, version: 2, books: [])
    #expect(stored == (test.policy == .error ? unwritten : expected(test)))
  }

  @Test(arguments: Opponent.allCases)
  func `a save error lists all conflicts, and the save succeeds after a refresh`(opponent: Opponent) throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<6 { context.insertBook("Book \(number)", year: 0) } }
    let context = stack.context()
    let books = try context.performAndWait {
      let books = Array(try context.books())
      for book in books { book[Book.year] = 1 }
      return books
    }
    let other = opponent == .sameCoordinator ? stack : try Stack(on: stack.folder)
    try other.seed { context in
      for book in (try? context.books().prefix(3)) ?? [] { book[Book.note] = "theirs" }
    }
    try context.performAndWait {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.conflicts.map(\.objectID) == books.prefix(3).map(\.objectID))
      for conflict in error?.conflicts ?? [] {
        try context.refresh(context.object(with: conflict.objectID), mergeChanges: true)
      }
      try context.save()
    }
    let stored = try stack.inStore { try $0.books().map { [$0[Book.year], $0[Book.note], .integer($0.version)] } }
    #expect(stored == Array(repeating: [1, "theirs", 3], count: 3) + Array(repeating: [1, .null, 2], count: 3))
  }

  @Test func `unchanged objects are not compared with the store`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["Emma", "Persuasion"] { context.insertBook(title) } }
    let context = stack.context()
    let books = try context.performAndWait {
      let books = Array(try context.books())
      for book in books { _ = book.title }
      return books
    }
    try stack.seed { context in (try? context.book("Emma"))??[Book.note] = "theirs" }
    try context.performAndWait {
      books[1][Book.note] = "mine"
      try context.save()
    }
  }

  @Test func `a merge policy keeps properties that only one side changed`() throws {
    for policy in [MergePolicy.storeTrump, .objectTrump] {
      let stack = try Stack()
      try stack.seed { $0.insertBook("Emma", year: 1815) }
      let context = stack.context()
      context.mergePolicy = policy
      let refreshed = Journal<Int>()
      let token = context.observeDidChange { refreshed.write($0.refreshed.count) }
      try context.performAndWait {
        let book = try #require(try context.book("Emma"))
        book[Book.note] = "mine"
        try stack.seed { context in (try? context.book("Emma"))??[Book.year] = 1816 }
        try context.save()
        #expect(book[Book.note] == "mine" && book[Book.year] == 1816)
      }
      // The first notification is that for the change, and the second for the values that the policy read from the
      // store.
      #expect(refreshed.entries == [0, 1])
      token.cancel()
      let values = try stack.inStore { try $0.books().first.map { [$0[Book.note], $0[Book.year]] } }
      #expect(values == ["mine", 1816])
    }
  }

  @Test func `a save into a parent compares no versions`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let chain = stack.chain(1)
    let book = try chain.leaf.performAndWait {
      let book = try #require(try chain.leaf.book("Emma"))
      book[Book.note] = "child"
      return book
    }
    try chain.root.performAndWait {
      try #require(try chain.root.book("Emma"))[Book.note] = "root"
      try chain.root.save()
    }
    try chain.saveAll()
    let note = try stack.inStore { try $0.book("Emma")?[Book.note] }
    #expect(note == "child")
    withExtendedLifetime(book) {}
  }
}
