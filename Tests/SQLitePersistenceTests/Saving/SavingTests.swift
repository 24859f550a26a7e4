import ContextEngine
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.bothFileAccesses) struct SavingTests {
  @Test func `reserved keys are consecutive and unique`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let requests = [
      KeyRequest(entity: store.author, count: 3), KeyRequest(entity: store.book, count: 10),
      KeyRequest(entity: store.author, count: 2),
    ]
    #expect(try store.reserveKeys(requests) == [1, 1, 4])
    #expect(try store.reserveKeys(requests) == [6, 11, 9])
    #expect(try store.reserveKeys([]).isEmpty)
    #expect(
      try PlainDatabase(fixture.path).rows("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [["10"], ["20"]])
    #expect(store.busyStatementCount == 0)
  }

  @Test func `two stores on one file reserve different keys`() throws {
    let fixture = try StoreFixture()
    let first = try fixture.open()
    let second = try fixture.open()
    let keys = try [first, second, first].map {
      try $0.reserveKeys([KeyRequest(entity: $0.author, count: 5)])[0]
    }
    #expect(keys == [1, 6, 11])
  }

  @Test func `a save inserts, updates and deletes in one transaction`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    let ids = try store.insert(store.book, (1...4).map { Bookshop.row(title: .string("\($0)"), pages: .integer($0)) })
    var changes = StoreChanges()
    let new = ObjectID(entity: 1, key: try store.reserveKeys([KeyRequest(entity: store.book, count: 1)])[0])
    changes.insertions = [.init(objectID: new, row: Row(version: 1, values: Bookshop.row(title: .string("new"))))]
    changes.updates = [
      .init(
        objectID: ids[0], row: Row(version: 2, values: Bookshop.row(title: .string("unsaved"), pages: .integer(100))),
        slots: [1], baseVersion: 1),
      .init(objectID: ids[1], row: Row(version: 2, values: Bookshop.row()), slots: [], baseVersion: 1),
      .init(
        objectID: ids[2], row: Row(version: 5, values: Bookshop.row(title: .string("whole"))), slots: .all,
        baseVersion: 1),
    ]
    changes.deletions = [.init(objectID: ids[3], baseVersion: 1)]
    try store.saveWithoutConflicts(changes)
    let rows = try store.all(store.book)
    #expect(rows.map(\.key) == [1, 2, 3, 5])
    #expect(rows.map(\.row.version) == [2, 2, 5, 1])
    #expect(
      rows.map(\.row.values) == [
        Bookshop.row(title: .string("1"), pages: .integer(100)), Bookshop.row(title: .string("2"), pages: .integer(2)),
        Bookshop.row(title: .string("whole")), Bookshop.row(title: .string("new")),
      ])
    #expect(store.busyStatementCount == 0)
  }

  @Test(arguments: [Int64(-1), 536_870_912, .max])
  func `a row whose version in the file is out of range is read, and its save conflicts`(version: Int64) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let author = try store.insert(store.author, [[.string("a")]])[0]
    try PlainDatabase(fixture.path).rows("UPDATE ZAUTHOR SET Z_OPT = \(version)")
    let row = try #require(store.all(store.author).first?.row)
    #expect(row.version == (version < 0 ? 0 : 536_870_911) && row.values == [.string("a")])
    var changes = StoreChanges()
    changes.updates = [
      .init(
        objectID: author, row: Row(version: row.version + 1, values: [.string("mine")]), slots: [0],
        baseVersion: row.version)
    ]
    guard case .conflicting(let conflicts) = try store.save(changes) else {
      Issue.record("the save went through")
      return
    }
    #expect(conflicts.map(\.objectID) == [author])
  }

  @Test(arguments: [1, 3])
  func `a save with stale versions returns every conflict and writes nothing`(poolSize: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: poolSize)
    let authors = try store.insert(store.author, [[.string("a")], [.string("b")], [.string("c")], [.string("d")]])
    let books = try store.insert(store.book, [Bookshop.row(pages: .integer(1)), Bookshop.row(pages: .integer(2))])
    let other = try PlainDatabase(fixture.path)
    try other.rows("UPDATE ZAUTHOR SET ZNAME = 'other', Z_OPT = 2 WHERE Z_PK = 2")
    try other.rows("DELETE FROM ZAUTHOR WHERE Z_PK = 4")
    try other.rows("UPDATE ZBOOK SET ZPAGES = 22, Z_OPT = 9 WHERE Z_PK = 2")
    let before = try store.all(store.author).map(\.row.values)

    var changes = StoreChanges()
    changes.insertions = [
      .init(objectID: ObjectID(entity: 0, key: 77), row: Row(version: 1, values: [.string("new")]))
    ]
    changes.updates = (authors + books).map { objectID in
      let values = objectID.entity == 0 ? [Value.string("mine")] : Bookshop.row(pages: .integer(0))
      return .init(
        objectID: objectID, row: Row(version: 2, values: values), slots: objectID.entity == 0 ? [0] : [1],
        baseVersion: 1)
    }
    changes.updates.removeAll { $0.objectID == books[1] }
    changes.deletions = [.init(objectID: books[1], baseVersion: 1)]
    guard case .conflicting(let conflicts) = try store.save(changes) else {
      Issue.record("the save went through")
      return
    }
    #expect(conflicts.map(\.objectID) == [authors[1], authors[3], books[1]])
    #expect(conflicts.map(\.persisted?.version) == [2, nil, 9])
    #expect(conflicts[0].persisted?.values == [.string("other")])
    #expect(conflicts[2].persisted?.values == Bookshop.row(pages: .integer(22)))
    #expect(try store.all(store.author).map(\.row.values) == before)
    #expect(try store.all(store.book).map(\.row.version) == [1, 9])
    #expect(store.busyStatementCount == 0)
    try store.insert(store.author, [[.string("after")]])
  }

  @Test func `an insertion under an existing key throws with its statement and writes nothing`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let id = try store.insert(store.author, [[.string("first")]])[0]
    var changes = StoreChanges()
    changes.insertions = [ObjectID(entity: 0, key: 8), id].map {
      .init(objectID: $0, row: Row(version: 1, values: [.string("second")]))
    }
    let error = #expect(throws: PersistenceError.self) { try store.save(changes) }
    #expect(error?.code == .sqlite)
    #expect(error?.sqliteCode == 1555)
    #expect(error?.sql == "INSERT INTO ZAUTHOR(Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES(?, ?, ?, ?)")
    #expect(error?.path == fixture.path)
    #expect(store.busyStatementCount == 0)
    #expect(try store.all(store.author).map(\.row.values) == [[.string("first")]])
    try store.insert(store.author, [[.string("third")]])
  }

  @Test func `a save reports and settles its work under the connection's lock`() throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    // `FileAccessTests` tests the other reports of the shim.
    let store = try fixture.open(
      poolSize: 2, fileAccess: .direct, onStatement: { machine.note(String($0.prefix(6))) })
    machine.beginLog()
    try store.insert(store.author, [[.string("Ada")], [.null]])
    #expect(
      machine.takeLog() == [
        "now", "BEGIN ", "SELECT", "UPDATE", "account storeRequest 1", "account statementPrepared 3",
        "account statementRun 3", "account valueBound 4", "now", "COMMIT", "account statementPrepared 1",
        "account statementRun 1", "account commit 1", "now", "now",
        "now", "BEGIN ", "INSERT", "INSERT", "account storeRequest 1", "account statementPrepared 1",
        "account statementRun 3", "account valueBound 7", "account rowWritten 2", "now", "COMMIT",
        "account statementRun 1",
        "account commit 1", "now", "now",
      ])
    _ = try store.all(store.author)
    #expect(machine.ledger.count(.rowStepped) == 2)
    // The text "Ada" has three bytes. Keys and versions are not values of the row.
    #expect(machine.ledger.bytes(.rowStepped, for: .background) == 3)
    #expect(machine.reportsOutsideLocks == 0)
  }

  @Test func `updates of the same slots share one prepared statement`() throws {
    let machine = ImmediateMachine()
    let fixture = try StoreFixture(machine)
    let store = try fixture.open()
    let ids = try store.insert(store.book, (0..<100).map { Bookshop.row(pages: .integer($0)) })
    for round in 1...3 {
      let before = machine.ledger.count(.statementPrepared)
      var changes = StoreChanges()
      changes.updates = ids.enumerated().map { index, objectID in
        .init(
          objectID: objectID, row: Row(version: Int64(round + 1), values: Bookshop.row(pages: .integer(0))),
          slots: index % 2 == 0 ? [1] : [0, 1], baseVersion: Int64(round))
      }
      try store.saveWithoutConflicts(changes)
      #expect(machine.ledger.count(.statementPrepared) - before == (round == 1 ? 2 : 0))
    }
  }

  @Test func `a save returns the instant of its commit`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    fixture.machine.wait(until: Instant(nanoseconds: 1_234))
    guard case .committed(let instant, nil) = try store.save(StoreChanges()) else {
      Issue.record("an empty save conflicted")
      return
    }
    #expect(instant == Instant(nanoseconds: 1_234))
  }
}
