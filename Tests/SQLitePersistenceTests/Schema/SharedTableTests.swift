import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import Testing

/// The table that entities share which inherit from one another, as Core Data's files have it.
///
/// The names and their order are those seen in address books, notes and test stores that Apple's framework wrote.
@Suite(.bothFileAccesses) struct SharedTableTests {
  /// Entities in an arbitrary order, which the order in the table does not depend on.
  private static let model = ManagedObjectModel([
    .init(
      "Note", attributes: [.init("text", .string)],
      relationships: [.init("record", to: "Record", inverse: "notes"), .init("group", to: "Group", inverse: "note")],
      fetchIndexes: [
        .init("byRecord", of: "record"),
        .init("byTextDown", elements: [.init("text", isAscending: false), .init("record")]),
      ]),
    .init(
      "Person", attributes: [.init("name", .string), .init("born", .date)],
      relationships: [.init("container", to: "Container", inverse: "person")], superentity: "Record",
      uniquenessConstraints: [["name", "container"]], fetchIndexes: [.init("byName", of: "name")]),
    .init(
      "Record",
      attributes: [.init("state", .integer64), .init("created", .date), .init("scratch", .string, isTransient: true)],
      relationships: [.init("notes", to: "Note", inverse: "record", isToMany: true)], isAbstract: true,
      uniquenessConstraints: [["state"]]),
    .init(
      "Group", attributes: [.init("name", .string), .init("size", .integer64)],
      relationships: [
        .init("container", to: "Container", inverse: "group"), .init("note", to: "Note", inverse: "group"),
      ],
      superentity: "Record"),
    .init(
      "Container", attributes: [],
      relationships: [
        .init("person", to: "Person", inverse: "container"), .init("group", to: "Group", inverse: "container"),
      ]),
    .init("SmartGroup", attributes: [.init("query", .string)], superentity: "Group"),
  ])

  /// A store's file after it was closed, as plain SQLite sees it.
  private struct ClosedFile {
    /// The owner of the file, which removes it when it is released.
    let fixture: StoreFixture

    func rows(_ sql: String) throws -> [[String]] {
      try PlainDatabase(fixture.path).rows(sql)
    }
  }

  private func withStore(_ body: (SQLiteStore) throws -> Void) throws -> ClosedFile {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    try body(store)
    try store.close()
    return ClosedFile(fixture: fixture)
  }

  @Test func `columns of a shared table are sorted by type, and duplicate names are numbered`() throws {
    let database = try withStore { _ in }
    #expect(
      try database.rows("SELECT sql FROM sqlite_master WHERE name = 'ZRECORD'")
        == [
          [
            "CREATE TABLE ZRECORD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTATE INTEGER, "
              + "ZSIZE INTEGER, ZCONTAINER INTEGER, ZNOTE INTEGER, ZCONTAINER1 INTEGER, ZCREATED TIMESTAMP, "
              + "ZBORN TIMESTAMP, ZNAME VARCHAR, ZQUERY VARCHAR, ZNAME1 VARCHAR )"
          ]
        ])
  }

  @Test func `a to-one relationship to a superentity has a second column for the entity`() throws {
    let database = try withStore { _ in }
    #expect(
      try database.rows("SELECT sql FROM sqlite_master WHERE name = 'ZNOTE'")
        == [
          [
            "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZGROUP INTEGER, "
              + "Z4_GROUP INTEGER, ZRECORD INTEGER, Z3_RECORD INTEGER, ZTEXT VARCHAR )"
          ]
        ])
  }

  @Test func `a shared table has indexes on keys, entity, fetch indexes and constraints`() throws {
    let database = try withStore { _ in }
    #expect(
      try database.rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid").map {
        $0[0]
      }
        == [
          "CREATE INDEX ZCONTAINER_ZPERSON_INDEX ON ZCONTAINER (ZPERSON)",
          "CREATE INDEX ZCONTAINER_ZGROUP_INDEX ON ZCONTAINER (ZGROUP)",
          "CREATE INDEX ZNOTE_ZRECORD_INDEX ON ZNOTE (ZRECORD)", "CREATE INDEX ZNOTE_ZGROUP_INDEX ON ZNOTE (ZGROUP)",
          "CREATE INDEX Z_Note_byTextDown ON ZNOTE (ZTEXT COLLATE BINARY DESC, ZRECORD COLLATE BINARY ASC)",
          "CREATE INDEX ZRECORD_ZCONTAINER_INDEX ON ZRECORD (ZCONTAINER)",
          "CREATE INDEX ZRECORD_ZNOTE_INDEX ON ZRECORD (ZNOTE)",
          "CREATE INDEX ZRECORD_ZCONTAINER1_INDEX ON ZRECORD (ZCONTAINER1)",
          "CREATE INDEX ZRECORD_Z_ENT_INDEX ON ZRECORD (Z_ENT)",
          "CREATE INDEX Z_Person_byName ON ZRECORD (ZNAME1 COLLATE BINARY ASC)",
          "CREATE UNIQUE INDEX Z_Record_UNIQUE_state ON ZRECORD (ZSTATE COLLATE BINARY ASC)",
          "CREATE UNIQUE INDEX Z_Person_UNIQUE_name_container ON ZRECORD (ZNAME1 COLLATE BINARY ASC, "
            + "ZCONTAINER1 COLLATE BINARY ASC)",
        ])
  }

  @Test func `Z_PRIMARYKEY lists each entity's superentity and keeps the last key at the root`() throws {
    let database = try withStore { store throws in
      let group = store.model.entity("Group")
      let smart = store.model.entity("SmartGroup")
      #expect(
        try store.reserveKeys([KeyRequest(entity: group, count: 2), KeyRequest(entity: smart, count: 3)]) == [1, 3])
    }
    #expect(
      try database.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == [
          ["1", "Container", "0", "0"], ["2", "Note", "0", "0"], ["3", "Record", "0", "5"], ["4", "Group", "3", "0"],
          ["5", "SmartGroup", "4", "0"], ["6", "Person", "3", "0"],
        ])
  }

  /// Inserts a smart group, a group and a person into one table, and a note about the first.
  private func fill(_ store: SQLiteStore) throws {
    let model = store.model
    var changes = StoreChanges()
    let smart = ObjectID(entity: model.entity("SmartGroup").index, key: 1)
    changes.insertions = [
      (
        smart,
        [.integer(1), .date(5), .string("kept in memory"), .string("all"), .integer(9), .null, .null, .string("x > 1")]
      ),
      (
        ObjectID(entity: model.entity("Group").index, key: 2),
        [.integer(2), .null, .null, .string("some"), .null, .null, .null]
      ),
      (
        ObjectID(entity: model.entity("Person").index, key: 3),
        [.integer(3), .null, .null, .string("Ada"), .date(7), .null]
      ),
      (ObjectID(entity: model.entity("Note").index, key: 1), [.string("n"), .object(smart), .object(smart)]),
    ].map { .init(objectID: $0, row: Row(version: 1, values: $1)) }
    changes.insertions.sort { $0.objectID < $1.objectID }
    try store.saveWithoutConflicts(changes)
  }

  @Test func `a row is written with its entity's number in its entity's columns`() throws {
    let database = try withStore(fill)
    #expect(
      try database.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZSTATE, ZNAME, ZNAME1, ZQUERY, ZBORN FROM ZRECORD ORDER BY Z_PK")
        == [
          ["1", "5", "1", "1", "all", "NULL", "x > 1", "NULL"], ["2", "4", "1", "2", "some", "NULL", "NULL", "NULL"],
          ["3", "6", "1", "3", "NULL", "Ada", "NULL", "7"],
        ])
    #expect(try database.rows("SELECT ZRECORD, Z3_RECORD, ZGROUP, Z4_GROUP FROM ZNOTE") == [["1", "5", "1", "5"]])
  }

  @Test func `rows of a shared table are read as objects of their own entities`() throws {
    _ = try withStore { store in
      try fill(store)
      let records = try store.all(store.model.entity("Record"))
      #expect(records.map { store.model.entities[$0.objectID.entityIndex].name } == ["SmartGroup", "Group", "Person"])
      #expect(
        records[0].row.values
          == [.integer(1), .date(5), .null, .string("all"), .integer(9), .null, .null, .string("x > 1")])
      #expect(records[2].row.values == [.integer(3), .null, .null, .string("Ada"), .date(7), .null])
      let notes = try store.all(store.model.entity("Note"))
      let smart = ObjectID(entity: store.model.entity("SmartGroup").index, key: 1)
      #expect(notes.map(\.row.values) == [[.string("n"), .object(smart), .object(smart)]])
      #expect(try store.row(for: smart)?.values == records[0].row.values)
      #expect(try store.row(for: ObjectID(entity: store.model.entity("Group").index, key: 1)) == nil)
    }
  }

  @Test func `an update writes or clears a relationship's entity column with its key`() throws {
    let database = try withStore { store in
      try fill(store)
      let note = ObjectID(entity: store.model.entity("Note").index, key: 1)
      let person = ObjectID(entity: store.model.entity("Person").index, key: 3)
      var changes = StoreChanges()
      changes.updates = [
        .init(
          objectID: note, row: Row(version: 2, values: [.string("n"), .object(person), .null]), slots: [1, 2],
          baseVersion: 1)
      ]
      try store.saveWithoutConflicts(changes)
      #expect(try store.row(for: note)?.values == [.string("n"), .object(person), .null])
    }
    #expect(
      try database.rows("SELECT ZRECORD, Z3_RECORD, ZGROUP, Z4_GROUP, Z_OPT FROM ZNOTE") == [
        ["3", "6", "NULL", "NULL", "2"]
      ])
  }

  @Test func `a fetch restricts Z_ENT if the table holds other entities`() throws {
    let statements = Statements()
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open(onStatement: { statements.note($0) })
    for (name, includesSubentities) in [("Record", true), ("Group", true), ("Group", false), ("SmartGroup", true)] {
      _ = try store.fetchObjectIDs(
        StoreFetchRequest(
          entity: store.model.entity(name), predicate: nil, sortDescriptors: [],
          includesSubentities: includesSubentities))
    }
    _ = try store.row(for: ObjectID(entity: store.model.entity("SmartGroup").index, key: 1))
    #expect(
      statements.all == [
        "SELECT t0.Z_ENT, t0.Z_PK FROM ZRECORD t0", "SELECT t0.Z_ENT, t0.Z_PK FROM ZRECORD t0 WHERE t0.Z_ENT IN (4, 5)",
        "SELECT t0.Z_ENT, t0.Z_PK FROM ZRECORD t0 WHERE t0.Z_ENT = 4",
        "SELECT t0.Z_ENT, t0.Z_PK FROM ZRECORD t0 WHERE t0.Z_ENT = 5",
        "SELECT t0.Z_ENT, t0.Z_PK, t0.Z_OPT, t0.ZSTATE, t0.ZCREATED, t0.ZNAME, t0.ZSIZE, t0.ZCONTAINER, t0.ZNOTE, "
          + "t0.ZQUERY FROM ZRECORD t0 WHERE t0.Z_PK = ?",
      ])
    try store.close()
  }

  @Test func `partial rows of a shared table keep their entities`() throws {
    _ = try withStore { store in
      try fill(store)
      let rows = try store.fetch(
        StoreFetchRequest(
          entity: store.model.entity("Group"), predicate: nil,
          sortDescriptors: [FetchSortDescriptor(store.model.entity("Group").path("name"))], slots: [0, 3]))
      #expect(rows.map { store.model.entities[$0.objectID.entityIndex].name } == ["SmartGroup", "Group"])
      #expect(rows.map { $0.row.values[3] } == [.string("all"), .string("some")])
      #expect(rows.allSatisfy { !$0.row.isWhole })
    }
  }

  @Test func `an unknown entity number throws an error that names table and number`() throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    try fill(store)
    try PlainDatabase(fixture.path).rows("UPDATE ZNOTE SET Z3_RECORD = 77")
    let error = #expect(throws: PersistenceError.self) { try store.all(store.model.entity("Note")) }
    #expect(error?.code == .storeIncompatible)
    #expect(error?.message.contains("table ZNOTE refers to an object of entity number 77") == true)
    try store.close()
  }

  @Test func `a fetch by a transient property stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try StoreFixture(model: Self.model).open()
      let record = store.model.entity("Record")
      _ = try store.fetch(
        StoreFetchRequest(entity: record, predicate: .equal(record.path("scratch"), .string("x")), sortDescriptors: []))
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("a fetch cannot compare or sort by Record.scratch, which has no column"))
  }

  @Test func `a store with other entity numbers is read by its own numbers`() throws {
    let fixture = try StoreFixture(model: Self.model)
    let first = try fixture.open()
    try fill(first)
    try first.close()
    let database = try PlainDatabase(fixture.path)
    try database.rows(
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 20, Z_SUPER = CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 20 END")
    try database.rows("UPDATE ZRECORD SET Z_ENT = Z_ENT + 20")
    try database.rows("UPDATE ZNOTE SET Z_ENT = Z_ENT + 20, Z3_RECORD = Z3_RECORD + 20, Z4_GROUP = Z4_GROUP + 20")
    try database.rows("ALTER TABLE ZNOTE RENAME COLUMN Z3_RECORD TO Z23_RECORD")
    try database.rows("ALTER TABLE ZNOTE RENAME COLUMN Z4_GROUP TO Z24_GROUP")
    try database.rows("ALTER TABLE ZCONTAINER RENAME COLUMN Z4_GROUP TO Z24_GROUP")
    let second = try fixture.open()
    let smart = ObjectID(entity: second.model.entity("SmartGroup").index, key: 1)
    #expect(try second.all(second.model.entity("Record")).map(\.objectID.key) == [1, 2, 3])
    #expect(try second.all(second.model.entity("Note"))[0].row.values[1] == .object(smart))
    try second.close()
  }
}

/// The statements that a store began.
private final class Statements: Sendable {
  private let list = Guarded<[String]>([])

  var all: [String] { list.withLock { $0 } }

  func note(_ sql: String) {
    list.withLock { $0.append(sql) }
  }
}
