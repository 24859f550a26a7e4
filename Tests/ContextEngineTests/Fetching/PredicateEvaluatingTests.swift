import ContextEngine
import TestSupport
import Testing

/// Tests of evaluating a predicate with an object.
@Suite struct PredicateEvaluatingTests {
  @Test(arguments: Arrangement.all)
  func `a predicate is evaluated on an object's unsaved values`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815, author: $0.insertAuthor("Jane")) }
    let context = chain.leaf
    let name = PropertyKeyPath(Book.author, Author.name)
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma.isFault)
      #expect(try FetchPredicate.equal(Book.title, "Emma").evaluate(with: emma) && !emma.isFault)
      emma[Book.year] = 1816
      #expect(try FetchPredicate.comparison(Book.year, .greater, 1815).evaluate(with: emma))
      #expect(try !FetchPredicate.equal(Book.year, 1815).evaluate(with: emma))
      let byAuthor = FetchPredicate.compare(.keyPath(name), .equal, .constant("Jane"))
      #expect(try byAuthor.evaluate(with: emma) && !FetchPredicate.not(byAuthor).evaluate(with: emma))
      let added = context.insertBook("Sanditon")
      #expect(try !byAuthor.evaluate(with: added))
      #expect(try FetchPredicate.objectIsIn([added.objectID]).evaluate(with: added))
    }
  }

  @Test func `evaluating a predicate on a foreign entity or an orphaned object throws`() throws {
    let context = try Stack().context()
    context.performAndWait {
      let emma = context.insertBook("Emma")
      let fit = #expect(throws: PersistenceError.self) {
        try FetchPredicate.equal(Author.name, "Jane").evaluate(with: emma)
      }
      #expect(fit?.code == .invalidPredicate)
      context.delete(emma)
      let gone = #expect(throws: PersistenceError.self) { try FetchPredicate.constant(true).evaluate(with: emma) }
      #expect(gone?.code == .referentialIntegrity && gone?.objectIDs == [emma.objectID])
    }
  }
}
