import Foundation
import Harness
import Testing
import Workloads

/// Schemas with every type of attribute, compound keys, inheritance, and relationships of every arity.
@Suite struct GeneralSchemaTests {
  @Test(arguments: [RunOptions.Lookup.unit, .record])
  func `records of every kind are imported, and the store verifies`(lookup: RunOptions.Lookup) throws {
    let bench = try GeneralSchemaBench(General.units, lookup: lookup)
    #expect(try bench.complaints() == [])
    let answer = bench.model.answer()
    #expect(try bench.report().digest == StoreChecker(schema: .general).digest(of: answer))
    #expect(answer.tables.map(\.rows.count) == [2, 0, 2, 2, 3, 5])
  }

  @Test func `a reference to a later record is set when that record is imported`() throws {
    let answer = AnswerModel(schema: .general).applying(General.units)
    let topics = answer.tables[5]
    #expect(topics[General.topicKey(1)]?.links[0] == General.topicKey(2))
    #expect(topics[General.topicKey(2)]?.links == [General.topicKey(1), General.bookKey("b", 2), nil])
    #expect(topics[General.topicKey(5)]?.links[0] == General.topicKey(5))
    // A list keeps the order of its record although its targets came later and in another order.
    #expect(answer.tables[4][General.bookKey("a", 1)]?.lists[1] == [2, 4, 1].map(General.topicKey))
  }

  @Test func `a target whose inverse leads to one row leaves its former row`() throws {
    let answer = AnswerModel(schema: .general).applying(General.units)
    let books = answer.tables[4]
    #expect(books[General.bookKey("a", 1)]?.lists[0] == [3, 1].map(General.topicKey))
    #expect(books[General.bookKey("b", 2)]?.lists[0] == [2, 5].map(General.topicKey))
    #expect(books[General.bookKey("a", 1)]?.links[1] == nil)
    #expect(books[General.bookKey("b", 2)]?.links[1] == .integer(8))
  }

  @Test func `a reference is forgotten when its row is imported again without it`() throws {
    let units = [[General.topic(1, parent: 2)], [General.topic(1)], [General.topic(2)]]
    let bench = try GeneralSchemaBench(units)
    #expect(try bench.complaints() == [])
    #expect(bench.model.answer().tables[5][General.topicKey(1)]?.links[0] == nil)
  }

  /// One statement for each kind of value, pair and order.
  static let corruptions = [
    "UPDATE ZAUTHOR SET ZSMALL = -4 WHERE ZNUMBER = 7", "UPDATE ZAUTHOR SET ZMEDIUM = 70001 WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZPRICE = '=1234567890123456789.26' WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZWEIGHT = 0.1000000001 WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZRATIO = 0.1 WHERE ZNUMBER = 7", "UPDATE ZAUTHOR SET ZISKNOWN = 0 WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZBORN = -3600.26 WHERE ZNUMBER = 7", "UPDATE ZAUTHOR SET ZNAME = 'é' WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZPHOTO = x'010204' WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZTOKEN = zeroblob(16) WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZPAGE = 'https://example.org/b' WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZCOLOUR = NULL WHERE ZNUMBER = 7",
    "UPDATE ZAUTHOR SET ZPORTRAIT = x'0107' WHERE ZNUMBER = 8",
    "UPDATE ZAUTHOR SET ZNAME = 'new' WHERE ZNUMBER = 8", "UPDATE ZAUTHOR SET ZNUMBER = 70 WHERE ZNUMBER = 7",
    "UPDATE ZPARTY SET ZLABEL = 'x' WHERE ZCODE = 'q'", "UPDATE ZPARTY SET ZLABEL1 = 6 WHERE ZCODE = 't'",
    "UPDATE ZPARTY SET ZSPONSOR = NULL WHERE ZCODE = 'r'",
    "UPDATE ZPARTY SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team') WHERE ZCODE = 'q'",
    "DELETE FROM ZPARTY WHERE ZCODE = 'r'", "UPDATE ZBOOK SET ZPLACE = 3 WHERE ZSHELF = 'b'",
    "UPDATE ZBOOK SET ZAUTHOR = NULL WHERE ZSHELF = 'b'", "UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZSHELF = 'b'",
    "UPDATE ZBOOK SET ZCOVER = NULL WHERE ZSHELF = 'b'", "UPDATE ZTOPIC SET ZPARENT = NULL WHERE ZPARENT = Z_PK",
    "UPDATE ZTOPIC SET ZFAVOURITE = NULL", "UPDATE ZTOPIC SET ZBOOK = NULL WHERE Z_PK = 1",
    "UPDATE ZTOPIC SET Z_FOK_BOOK = -Z_FOK_BOOK",
    "DELETE FROM Z_5TAGS WHERE rowid = (SELECT min(rowid) FROM Z_5TAGS)",
    "UPDATE Z_5TAGS SET Z_FOK_6TAGS = -Z_FOK_6TAGS", "DELETE FROM Z_3TEAMS",
    "UPDATE ZTOPIC SET ZORIGIN = NULL WHERE ZORIGIN > 0", "UPDATE ZTOPIC SET Z5NOTES = NULL WHERE Z5NOTES > 0",
    "UPDATE ZTOPIC SET Z_FOK_5NOTES = -Z_FOK_5NOTES WHERE Z5NOTES > 0",
    "INSERT INTO Z_6SIMILAR SELECT max(Z_6SIMILAR), max(Z_6SIMILARTO) + 1 FROM Z_6SIMILAR",
  ]

  @Test(arguments: corruptions) func `a corrupted value, pair or order fails verification`(sql: String) throws {
    let bench = try GeneralSchemaBench(General.units)
    let digest = try bench.report().digest
    try bench.corrupt(sql)
    #expect(try !bench.complaints().isEmpty)
    #expect(try bench.report().digest != digest)
  }

  @Test func `a missing file of external storage fails verification`() throws {
    let bench = try GeneralSchemaBench(General.units)
    try FileManager.default.removeItem(atPath: "\(bench.folder.path)/.store_SUPPORT")
    #expect(try bench.complaints().contains { $0.contains("portrait") && $0.contains("missing") })
  }

  @Test func `a row can be deleted only if a save accepts it`() {
    let model = AnswerModel(schema: .rules).applyingAll([
      Rules.owner("a"), Rules.owner("b"), Rules.thing("x", owner: "a", keeper: "b"),
    ])
    // `owner` is required and its inverse nullifies; `keeper` is optional and its inverse denies.
    #expect(!model.canDelete(0, .string("a")))
    #expect(!model.canDelete(0, .string("b")))
    #expect(model.canDelete(1, .string("x")))
  }
}

extension AnswerModel {
  fileprivate func applying(_ units: [[ImportRecord]]) -> Answer {
    applyingAll(units.flatMap(\.self)).answer()
  }

  fileprivate func applyingAll(_ records: [ImportRecord]) -> AnswerModel {
    var model = self
    for record in records { model.apply(record) }
    return model
  }
}

// MARK: - Delete rules

extension WorkloadSchema {
  fileprivate static let rules = WorkloadSchema(
    """
    <entity name="Owner">
      <attribute name="code" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="things" optional="YES" toMany="YES" destinationEntity="Thing" inverseName="owner"/>
      <relationship name="kept" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Thing" \
    inverseName="keeper"/>
    </entity>
    <entity name="Thing">
      <attribute name="code" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="owner" maxCount="1" destinationEntity="Owner" inverseName="things"/>
      <relationship name="keeper" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="kept"/>
    </entity>
    """,
    imports: [
      "Owner": (["code"], ["code"], ["code"], []), "Thing": (["code"], ["code"], ["code"], ["owner", "keeper"]),
    ])
}

private enum Rules {
  static func owner(_ code: String) -> ImportRecord {
    ImportRecord(entity: 0, key: .string(code), values: [.string(code)], links: [])
  }

  static func thing(_ code: String, owner: String, keeper: String) -> ImportRecord {
    ImportRecord(
      entity: 1, key: .string(code), values: [.string(code)], links: [.string(owner), .string(keeper)])
  }
}
