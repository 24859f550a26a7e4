import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct FetchingTests {
  @Test func `the ledger counts rows that a fetch scans and sorts`() throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    let store = try fixture.open()
    let book = store.book
    try store.insert(book, (0..<10).map { Bookshop.row(pages: .integer($0)) })
    /// Returns the numbers of requests, and of rows stepped, passed over and sorted, that a request adds to the ledger.
    func counts(_ request: StoreFetchRequest) throws -> [Int] {
      let kinds: [Work.Kind] = [.storeRequest, .rowStepped, .rowScanned, .rowSorted]
      let before = kinds.map { machine.ledger.count($0) }
      _ = try store.fetch(request)
      return zip(kinds, before).map { machine.ledger.count($0) - $1 }
    }
    let few = FetchPredicate.isIn(book.path("pages"), [.integer(3), .integer(5)])
    let sorting = [FetchSortDescriptor(book.path("title"))]
    let passed = try counts(StoreFetchRequest(entity: book, predicate: few, sortDescriptors: []))
    #expect(passed.prefix(2) == [1, 2])
    // SQLite counts the steps from row to row, one less than rows.
    #expect((7...8).contains(passed[2]))
    #expect(passed[3] == 0)
    #expect(try counts(StoreFetchRequest(entity: book, predicate: nil, sortDescriptors: [])) == [1, 10, 0, 0])
    #expect(try counts(StoreFetchRequest(entity: book, predicate: nil, sortDescriptors: sorting)) == [1, 10, 0, 10])
  }

  @Test func `the ledger counts the texts that statements test`() throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    let store = try fixture.open()
    let book = store.book
    let title = book.path("title")
    try store.insert(book, (0..<10).map { Bookshop.row(title: .string("title \($0)"), pages: .integer($0)) })
    func texts(_ predicate: FetchPredicate?, sort: FetchSortDescriptor? = nil) throws -> Int {
      let before = machine.ledger.count(.textTested)
      _ = try store.fetch(
        StoreFetchRequest(entity: book, predicate: predicate, sortDescriptors: sort.map { [$0] } ?? []))
      return machine.ledger.count(.textTested) - before
    }
    #expect(try texts(.text(title, .contains, "3")) == 10)
    // SQLite counts the steps from row to row, one less than rows.
    #expect((9...10).contains(try texts(.text(title, .beginsWith, "title"))))
    #expect(try texts(nil, sort: FetchSortDescriptor(title, textOrder: .localized)) == 10)
    #expect(try texts(.comparison(book.path("pages"), .less, .integer(3))) == 0)
  }

  @Test func `fetches run the same SQL as Core Data`() throws {
    let statements = Guarded<[String]>([])
    let fixture = try StoreFixture()
    let store = try fixture.open(onStatement: { sql in statements.withLock { $0.append(sql) } })
    let book = store.book
    let request = StoreFetchRequest(
      entity: book,
      predicate: .and([
        .comparison(book.path("pages"), .greaterOrEqual, .integer(3)),
        .not(.comparison(book.path("title"), .less, .string("M"))),
        .comparison(book.path("isLent"), .notEqual, .boolean(true)), .equal(book.path("author"), .null),
        .isIn(book.path("pages"), [.integer(1), .integer(2)]),
      ]),
      sortDescriptors: [
        FetchSortDescriptor(book.path("title")), FetchSortDescriptor(book.path("pages"), isAscending: false),
      ],
      slots: [0])
    _ = try store.fetch(request)
    _ = try store.fetchKeys(request)
    _ = try store.row(for: ObjectID(entity: 0, key: 1))
    _ = try store.rows(of: store.author, keys: [1, 2], slots: .all)
    _ = try store.keys(relatedBy: store.author.toManys[0], to: ObjectID(entity: 0, key: 1))
    let tail =
      " FROM ZBOOK t0 WHERE (t0.ZPAGES >= ? AND NOT IFNULL(t0.ZTITLE < ?, 0) AND "
      + "(t0.ZISLENT <> ? OR t0.ZISLENT IS NULL) AND t0.ZAUTHOR IS NULL AND "
      + "t0.ZPAGES IN (SELECT value FROM Z_LIST(?))) ORDER BY t0.ZTITLE, t0.ZPAGES DESC"
    #expect(
      statements.withLock { $0 } == [
        "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE" + tail, "SELECT 0, t0.Z_PK" + tail,
        "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM ZAUTHOR t0 WHERE t0.Z_PK = ?",
        "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM ZAUTHOR t0 WHERE t0.Z_PK IN (SELECT value FROM Z_LIST(?))",
        "SELECT 0, t0.Z_PK FROM ZBOOK t0 WHERE t0.ZAUTHOR = ? ORDER BY t0.Z_PK",
      ])
  }

  @Test(arguments: [0, 1, 2, 999, 100_000])
  func `a list of keys of any length finds the existing rows in one statement`(count: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    try store.insert(store.author, (1...1_500).map { [.string("\($0)")] })
    // Every second key has no row, and no key above 1,500 has one.
    let keys = (0..<count).map { Int64($0 * 2 - 1) }
    let found = keys.filter { (1...1_500).contains($0) }
    let before = fixture.machine.ledger.count(.statementRun)
    let rows = try store.rows(of: store.author, keys: keys, slots: .all)
    #expect(rows.map(\.key).sorted() == found)
    #expect(rows.allSatisfy { $0.row.values == [.string("\($0.key)")] })
    #expect(fixture.machine.ledger.count(.statementRun) - before == (count == 0 ? 0 : 1))
    let isIn = StoreFetchRequest(
      entity: store.author, predicate: .objectIsIn(keys.map { ObjectID(entity: 0, key: $0) }), sortDescriptors: [])
    #expect(try store.fetchKeys(isIn).sorted() == found)
    let byName = StoreFetchRequest(
      entity: store.author, predicate: .isIn(store.author.path("name"), keys.map { .string("\($0)") }),
      sortDescriptors: [])
    #expect(try store.fetchKeys(byName) == found)
    #expect(store.busyStatementCount == 0)
  }

  @Test func `a to-many relationship returns its keys in ascending order`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let authors = try store.insert(store.author, [[.string("a")], [.string("b")]])
    try store.insert(store.book, (0..<10).map { Bookshop.row(author: .object(authors[$0 % 3 == 0 ? 0 : 1])) })
    let books = store.author.toManys[0]
    #expect(try store.keys(relatedBy: books, to: authors[0]) == [1, 4, 7, 10])
    #expect(try store.keys(relatedBy: books, to: authors[1]) == [2, 3, 5, 6, 8, 9])
    #expect(try store.keys(relatedBy: books, to: ObjectID(entity: 0, key: 3)).isEmpty)
  }

  @Test func `the row of a missing or temporary object is nil`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try store.row(for: ObjectID(entity: 0, key: 1)) == nil)
    #expect(try store.row(for: ObjectID(entity: 0, key: -1)) == nil)
    #expect(store.busyStatementCount == 0)
  }

  @Test func `a predicate of 5,000 parts finds the matching rows`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(store.book, (0..<50).map { Bookshop.row(pages: .integer($0)) })
    let pages = store.book.path("pages")
    let any = FetchPredicate.or((0..<5_000).map { .equal(pages, .integer($0 * 7)) })
    #expect(
      try store.fetchKeys(StoreFetchRequest(entity: store.book, predicate: any, sortDescriptors: []))
        == [1, 8, 15, 22, 29, 36, 43, 50])
  }

  @Test func `comparing a property with a value of another type stops the process`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try StoreFixture().open()
      let predicate = FetchPredicate.equal(store.book.path("pages"), .string("many"))
      _ = try store.fetch(StoreFetchRequest(entity: store.book, predicate: predicate, sortDescriptors: []))
    }
    let sentence = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(sentence.contains(#"a predicate compares Book.pages with string("many"), which has another type"#))
  }

  @Test func `a connection caches at most 256 statements`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(store.book, [Bookshop.row(pages: .integer(1))])
    let part = FetchPredicate.equal(store.book.path("pages"), .integer(1))
    for length in 1...600 {
      let predicate = FetchPredicate.and(Array(repeating: part, count: length))
      #expect(
        try store.fetchKeys(StoreFetchRequest(entity: store.book, predicate: predicate, sortDescriptors: [])) == [1])
      #expect(try store.row(for: ObjectID(entity: 1, key: 1)) != nil)
    }
    var statementCount = 0
    store.pool.forEachOpenConnection { statementCount += $0.statementCount }
    #expect(statementCount <= 256)
  }
}
