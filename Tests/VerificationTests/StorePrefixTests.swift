import Foundation
import Testing
import Workloads

@Suite struct StorePrefixTests {
  /// Two lanes, of three units and one unit. Each lane has a supplier that exists before the import.
  private static let existing = [supplier("a"), supplier("b")]
  private static let lanes = [
    [
      [product("p1", "a"), product("p2", "a")],
      [price("r1", "p1"), supplier("a", name: "new")],
      [ImportRecord.deletion(entity: 1, key: .string("p1"))],
    ],
    [[product("q1", "b")]],
  ]

  private static func supplier(_ key: String, name: String = "n") -> ImportRecord {
    record(0, Catalog.supplier(key, name))
  }

  private static func product(_ key: String, _ supplier: String) -> ImportRecord {
    record(1, Catalog.product(key, of: supplier))
  }

  private static func price(_ key: String, _ product: String) -> ImportRecord {
    record(2, Catalog.price(key, of: product))
  }

  private static func record(_ entity: Int, _ row: Answer.Row) -> ImportRecord {
    ImportRecord(entity: entity, key: row.key, values: row.values, links: row.links)
  }

  /// Returns the prefix of a store after the given numbers of units of each lane, changed by a statement.
  private func prefix(_ first: Int, _ second: Int, after sql: String = "") throws -> StorePrefix {
    var model = AnswerModel(schema: .catalog)
    for record in Self.existing { model.apply(record) }
    for (lane, count) in zip(Self.lanes, [first, second]) {
      for record in lane.prefix(count).joined() { model.apply(record) }
    }
    let fixture = try StoreFixture(model.answer(), schema: .catalog)
    try fixture.execute(sql)
    return try StorePrefix(
      ofStoreAt: fixture.file,
      against: .init(schema: .catalog, existing: Self.existing, lanes: Self.lanes.map { $0.map { $0[...] } }))
  }

  @Test(arguments: 0...3, 0...1)
  func `StorePrefix counts the units of each lane in the store`(first: Int, second: Int) throws {
    let found = try prefix(first, second)
    #expect(found.problems.isEmpty)
    #expect(found.unitCounts == [first, second])
  }

  @Test(arguments: [
    "DELETE FROM ZPRODUCT WHERE ZREMOTEID = 'p2'",
    "DELETE FROM ZPRICE WHERE ZREMOTEID = 'r1'",
    "UPDATE ZSUPPLIER SET ZNAME = 'n' WHERE ZREMOTEID = 'a'",
    "UPDATE ZPRODUCT SET ZSUPPLIER = NULL WHERE ZREMOTEID = 'q1'",
    "DELETE FROM ZSUPPLIER WHERE ZREMOTEID = 'b'",
    "UPDATE ZSUPPLIER SET ZREMOTEID = NULL WHERE ZREMOTEID = 'b'",
    "INSERT INTO ZSUPPLIER (Z_PK, Z_ENT, ZREMOTEID) VALUES (9, 1, 'stranger')",
    "INSERT INTO ZSUPPLIER SELECT 9, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, ZCITY, ZUPDATEDAT, ZNOTE FROM ZSUPPLIER LIMIT 1",
    "DROP TABLE ZPRICE",
  ])
  func `a store with a partial or foreign unit has problems`(sql: String) throws {
    #expect(try prefix(2, 1, after: sql).problems.isEmpty == false)
  }

  @Test(arguments: [
    ("", 0, 0), ("DELETE FROM ZPRODUCT WHERE ZREMOTEID = 'p2'", 1, 0), ("DROP TABLE ZPRICE", 0, 1),
  ])
  func `partial units and damage are counted apart`(sql: String, halfWritten: Int, damage: Int) throws {
    let found = try prefix(2, 1, after: sql)
    #expect(found.halfWrittenCount == halfWritten && found.integrityProblemCount == damage)
  }

  @Test func `notes of the user are returned without problems`() throws {
    let found = try prefix(1, 0, after: "UPDATE ZPRODUCT SET ZNOTE = 'edit 7' WHERE ZREMOTEID = 'p2'")
    #expect(found.problems.isEmpty)
    #expect(found.notes == [RowName(entity: 1, key: .string("p2")): "edit 7"])
  }
}
