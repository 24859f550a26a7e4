import ContextEngine
import MachineCore
import SQLitePersistence
import Testing

/// Join tables and order columns as Core Data's files have them.
@Suite(.bothFileAccesses) struct JoinTableTests {
  private static let model = ManagedObjectModel([
    .init(
      "Note", attributes: [AttributeDescription("title", .string)],
      relationships: [
        .init("tags", to: "Tag", inverse: "notes", isToMany: true, isOrdered: true),
        .init("pages", to: "Page", inverse: "note", isToMany: true, isOrdered: true),
        .init("friends", to: "Note", inverse: "friends", isToMany: true),
      ]),
    .init(
      "Page", attributes: [AttributeDescription("number", .integer64), AttributeDescription("text", .string)],
      relationships: [.init("note", to: "Note", inverse: "pages")]),
    .init(
      "Tag", attributes: [],
      relationships: [.init("notes", to: "Note", inverse: "tags", isToMany: true)]),
  ])

  @Test func `a new file has an indexed join table with order columns per many-to-many relationship`() throws {
    let fixture = try StoreFixture(model: Self.model)
    try fixture.open().close()
    let database = try PlainDatabase(fixture.path)
    let statements = try database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").map {
      $0[0]
    }
    #expect(
      statements.prefix(9) == [
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR )",
        "CREATE TABLE Z_1TAGS ( Z_1NOTES INTEGER, Z_3TAGS INTEGER, Z_FOK_3TAGS INTEGER, "
          + "PRIMARY KEY (Z_1NOTES, Z_3TAGS) )",
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, "
          + "ZNOTE INTEGER, Z_FOK_NOTE INTEGER, ZTEXT VARCHAR )",
        "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE INDEX ZPAGE_ZNOTE_INDEX ON ZPAGE (ZNOTE)",
        "CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1NOTES)",
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      ])
  }

  @Test func `a join table is read under the other end's name or with numbered columns`() throws {
    for (table, note, tag) in [("Z_3NOTES", "Z_1NOTES", "Z_3TAGS"), ("Z_1TAGS", "Z_1NOTES1", "Z_3TAGS2")] {
      let fixture = try StoreFixture(model: Self.model)
      try fixture.open().close()
      let columns = table == "Z_1TAGS" ? "\(note), \(tag)" : "\(tag), \(note)"
      let order = "Z_FOK_" + tag.dropFirst(2)
      try PlainDatabase(fixture.path).rows("DROP TABLE Z_1TAGS")
      try PlainDatabase(fixture.path).rows("CREATE TABLE \(table) (\(columns), \(order), PRIMARY KEY (\(columns)))")
      try PlainDatabase(fixture.path).rows(
        "INSERT INTO \(table)(\(note), \(tag), \(order)) VALUES(1, 7, 2), (1, 8, 1), (2, 7, 1)")
      let store = try fixture.open()
      let entities = Self.model.entities
      let ids = { (objectIDs: [ObjectID]) in objectIDs.map(\.key) }
      #expect(ids(try store.objectIDs(relatedBy: entities[0].toManys[0], to: ObjectID(entity: 0, key: 1))) == [8, 7])
      #expect(ids(try store.objectIDs(relatedBy: entities[2].toManys[0], to: ObjectID(entity: 2, key: 7))) == [1, 2])
      try store.close()
    }
  }

  @Test(arguments: [
    ("DROP TABLE Z_1TAGS", "relationship Note.tags needs table Z_1TAGS"),
    ("ALTER TABLE Z_1TAGS DROP COLUMN Z_FOK_3TAGS", "join table Z_1TAGS needs column Z_FOK_3TAGS"),
    ("ALTER TABLE ZPAGE DROP COLUMN Z_FOK_NOTE", "entity Page needs column Z_FOK_NOTE"),
  ])
  func `a missing join table or column throws an error that names it`(damage: String, sentence: String) throws {
    let fixture = try StoreFixture(model: Self.model)
    try fixture.open().close()
    try PlainDatabase(fixture.path).rows(damage)
    let error = #expect(throws: PersistenceError.self) { try fixture.open() }
    #expect(error?.code == .storeIncompatible && error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  @Test func `one SELECT reads the members of many objects`() throws {
    let fixture = try StoreFixture(model: Self.model)
    let statements = Guarded<[String]>([])
    let store = try fixture.open(onStatement: { sql in statements.withLock { $0.append(sql) } })
    var changes = StoreChanges()
    changes.relationships.additions = (1...4).flatMap { note in
      (1...2).map { StoreLink(table: 0, source: note, target: note * 10 + $0) }
    }
    try store.saveWithoutConflicts(changes)
    statements.withLock { $0 = [] }
    let tags = Self.model.entities[0].toManys[0]
    let read = try store.objectIDs(relatedBy: tags, to: [4, 2, 9].map { ObjectID(entity: 0, key: $0) })
    #expect(read.map { $0.map(\.key) } == [[41, 42], [21, 22], []])
    let run = statements.withLock { $0 }
    #expect(run.count == 1)
    try store.close()
  }
}
