import ContextEngine
import PredicateFormats
import TestSupport
import Testing

/// Relationships that are read along with the objects of a fetch.
@Suite(.onBothStores, .namingTheStore) struct PrefetchingTests {
  private func seeded(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for number in 0..<6 {
        let author = context.insertAuthor("Author \(number)")
        let book = context.insertBook("Book \(number)", author: author)
        for chapter in 0..<number % 3 { context.insertChapter("Chapter \(chapter)", of: book) }
      }
      context.insertBook("Without")
    }
    return (stack, chain)
  }

  @Test(arguments: Arrangement.all)
  func `prefetched relationships are read without a statement`(arrangement: Arrangement) throws {
    let (stack, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      var request = FetchRequest.books()
      request.relationshipKeyPathsForPrefetching = [PropertyKeyPath(Book.author), PropertyKeyPath(Book.chapters)]
      var books: FetchedObjects?
      // The statements read the books, their authors, the members of the chapters relationship and the chapters.
      let statements = try stack.statements { books = try context.fetch(request) }
      #expect(arrangement.depth > 0 || statements.count == 4, "\(statements)")
      var names: [Value] = []
      var titles: [[Value]] = []
      stack.expectStatements(0) {
        names = (books.map(Array.init) ?? []).compactMap { $0.related(Book.author)?[Author.name] }
        titles = (books.map(Array.init) ?? []).map { $0.relatedObjects(Book.chapters).map { $0[Chapter.title] } }
      }
      #expect(names == (0..<6).map { .string("Author \($0)") })
      #expect(titles.map(\.count) == [0, 1, 2, 0, 1, 2, 0])
      #expect(titles[2] == ["Chapter 0", "Chapter 1"])
    }
  }

  @Test(arguments: Arrangement.nested)
  func `prefetching an unsaved object registers no object in parent contexts`(arrangement: Arrangement) throws {
    let (stack, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let book = try #require(try context.book("Book 1"))
      let jane = context.insertAuthor("Jane")
      book.relate(jane, at: Book.author)
      try context.obtainPermanentIDs(for: [jane])
      var request = FetchRequest.books(where: .equal(Book.title, "Book 1"))
      request.relationshipKeyPathsForPrefetching = [PropertyKeyPath(Book.author)]
      try stack.expectStatements(1) {
        let found = Array(try context.fetch(request))
        #expect(found == [book])
      }
      for above in chain.contexts.dropLast() {
        above.performAndWait { #expect(above.registeredObject(for: jane.objectID) == nil) }
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `prefetching a key path runs one statement per step`(arrangement: Arrangement) throws {
    let (stack, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      var request = FetchRequest(Chapter.entity)
      request.relationshipKeyPathsForPrefetching = [PropertyKeyPath(Chapter.book, Book.author)]
      var chapters: FetchedObjects?
      let statements = try stack.statements { chapters = try context.fetch(request) }
      #expect(statements.count == 3, "\(statements)")
      stack.expectStatements(0) {
        for chapter in chapters.map(Array.init) ?? [] {
          #expect(chapter.related(Chapter.book)?.related(Book.author)?[Author.name] != .null)
        }
      }
    }
  }
}

/// Predicates over relationships that are to-many at both ends.
@Suite(.onBothStores, .namingTheStore) struct ManyToManyPredicateTests {
  @Test(arguments: Arrangement.all)
  func `ANY, counts and subqueries work on many-to-many relationships`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    try stack.seed { context in
      let tags = ["red", "green", "blue"].map { context.insert(Notebook.tag, named: $0) }
      for (name, members) in [("a", [0, 1]), ("b", [1]), ("c", []), ("d", [0, 1, 2])] as [(String, [Int])] {
        let note = context.insert(Notebook.note, named: name)
        for member in members { note.add(tags[member], to: Notebook.tags) }
      }
    }
    let context = chain.leaf
    func names(_ format: String, _ arguments: any PredicateArgument...) throws -> [String] {
      let predicate = try FetchPredicate(
        format: format, argumentArray: arguments, for: Notebook.note, in: Notebook.model)
      let name = Notebook.note.path("name")
      let found = try context.fetch(
        FetchRequest(Notebook.note, predicate: predicate, sortDescriptors: [FetchSortDescriptor(name)]))
      return found.map { if case .string(let text) = $0[name] { text } else { "" } }
    }
    try context.performAndWait {
      for isUnsaved in [false, true] {
        if isUnsaved {
          let note = try context.named("b", Notebook.note)
          note.add(try context.named("red", Notebook.tag), to: Notebook.tags)
          note.remove(try context.named("green", Notebook.tag), from: Notebook.tags)
        }
        let red = try context.named("red", Notebook.tag)
        #expect(try names("ANY tags.name == 'red'") == (isUnsaved ? ["a", "b", "d"] : ["a", "d"]))
        #expect(try names("NONE tags.name == 'green'") == (isUnsaved ? ["b", "c"] : ["c"]))
        #expect(try names("ANY tags == %@", red) == (isUnsaved ? ["a", "b", "d"] : ["a", "d"]))
        #expect(try names("tags.@count == 1") == ["b"])
        #expect(
          try names("SUBQUERY(tags, $t, $t.name CONTAINS 'e' AND $t.notes.@count > 1).@count >= 2") == ["a", "d"])
      }
    }
  }
}
