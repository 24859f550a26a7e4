import ContextEngine
import MachineCore
import TestSupport
import Testing

/// The two evaluations of a predicate, by SQL and in memory, agree.
@Suite(.onBothStores, .namingTheStore) struct PredicateTests {
  @Test(arguments: 0..<8)
  func `a random predicate finds the same saved and unsaved objects`(seed: UInt64) throws {
    let stack = try Stack()
    var random = SeededRandom(seed: seed, stream: "predicates")
    let saved = stack.context("saved")
    let unsaved = stack.context("unsaved")
    let authors = try saved.performAndWait {
      let authors = (0..<3).map { saved.insertAuthor("Author \($0)") }
      try saved.save()
      return authors.map(\.objectID)
    }
    // The values are the rows in one context, and the unsaved changes of rows without values in the other.
    let rows = (0..<40).map { _ in Self.randomValues(&random, authors) }
    try saved.performAndWait {
      for _ in rows { _ = saved.insert(Book.entity) }
      try saved.save()
    }
    try unsaved.performAndWait {
      for (index, book) in try unsaved.fetch(FetchRequest(Book.entity)).enumerated() {
        Self.set(rows[index], on: book)
      }
    }
    try saved.performAndWait {
      for (index, book) in try saved.fetch(FetchRequest(Book.entity)).enumerated() { Self.set(rows[index], on: book) }
      try saved.save()
    }
    for _ in 0..<60 {
      let predicate = Self.randomPredicate(&random, rows, authors, depth: 3)
      let bySQL = try saved.performAndWait {
        try saved.fetchObjectIDs(FetchRequest(Book.entity, predicate: predicate)).map(\.key).sorted()
      }
      let inMemory = try unsaved.performAndWait {
        try unsaved.fetch(FetchRequest(Book.entity, predicate: predicate)).map(\.objectID.key).sorted()
      }
      #expect(bySQL == inMemory, "\(predicate)")
    }
  }

  private static let attributes = [Book.title, Book.year, Book.price, Book.isRead, Book.addedAt]

  private static func set(_ values: [Value], on book: ManagedObject) {
    for (path, value) in zip(attributes + [Book.author], values) { book[path] = value }
  }

  private static func randomValues(_ random: inout SeededRandom, _ authors: [ObjectID]) -> [Value] {
    let values: [Value] = [
      .string(["", "a", "A", "é", "aa", "z"][random.below(6)]), .integer(Int64(random.below(5)) - 2),
      .double([-1.5, 0, 0.1, 3][random.below(4)]), .boolean(random.below(2) == 1), .date(Double(random.below(3))),
      .object(authors[random.below(3)]),
    ]
    return values.map { random.below(4) == 0 ? .null : $0 }
  }

  private static func randomPredicate(
    _ random: inout SeededRandom, _ rows: [[Value]], _ authors: [ObjectID], depth: Int
  ) -> FetchPredicate {
    let parts = { (random: inout SeededRandom) in
      (0..<random.below(4)).map { _ in randomPredicate(&random, rows, authors, depth: depth - 1) }
    }
    switch random.below(depth > 0 ? 9 : 5) {
    case 0, 1, 2:
      let property = random.below(5)
      let comparisons: [FetchPredicate.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ]
      return .comparison(attributes[property], comparisons[random.below(6)], rows[random.below(rows.count)][property])
    case 3:
      let property = random.below(6)
      let values = (0..<random.below(4)).map { _ in rows[random.below(rows.count)][property] }
      return .isIn((attributes + [Book.author])[property], values)
    case 4:
      return random.below(2) == 0
        ? .comparison(Book.author, random.below(2) == 0 ? .equal : .notEqual, rows[random.below(rows.count)][5])
        : .objectIsIn((0..<random.below(9)).map { _ in ObjectID(entity: 1, key: Int64(1 + random.below(40))) })
    case 5, 6: return .not(randomPredicate(&random, rows, authors, depth: depth - 1))
    case 7: return .and(parts(&random))
    default: return .or(parts(&random))
    }
  }

  @Test func `a comparison with null is false before a negation applies`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let isOld = FetchPredicate.comparison(Book.year, .less, 1900)
    for isChanged in [false, true] {
      let context = stack.context()
      try context.performAndWait {
        if isChanged { try #require(try context.books().first)[Book.note] = "changed" }
        let found = try [isOld, .not(isOld), .equal(Book.year, .null), .comparison(Book.year, .notEqual, .null)]
          .map { try context.books(where: $0).count }
        #expect(found == [0, 1, 1, 0])
      }
    }
  }
}
