import Foundation
import Testing
import Workloads

@Suite struct DigestTests {
  /// Two entities, which are not in the order of their names, with a value of every kind.
  private static let schema: WorkloadSchema = {
    let model = try? ModelDocument(
      text: Data(
        """
        <model>
          <entity name="Owner">
            <attribute name="remoteID" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 64"/>
            <attribute name="note" optional="YES" attributeType="String"/>
            <relationship name="dogs" optional="YES" toMany="YES" destinationEntity="Dog" inverseName="owner"/>
          </entity>
          <entity name="Dog">
            <attribute name="weight" attributeType="Double"/>
            <attribute name="born" attributeType="Date"/>
            <attribute name="id" attributeType="Integer 64"/>
            <attribute name="good" attributeType="Boolean"/>
            <attribute name="note" optional="YES" attributeType="String"/>
            <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="dogs"/>
          </entity>
        </model>
        """.utf8), place: "M")
    guard let model else { fatalError("The text is not a model.") }
    return WorkloadSchema(
      model,
      entities: zip(model.entities, ["remoteID", "id"]).map {
        WorkloadSchema.Entity($0, of: model, key: [$1], sort: [$1], shown: [$1])
      })
  }()

  private static let sql = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Dog', 0, 9), (2, 'Owner', 0, 7);
    CREATE TABLE ZOWNER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZREMOTEID VARCHAR,
      ZNOTE VARCHAR);
    INSERT INTO ZOWNER VALUES (7, 2, 1, 42, 'é', NULL), (3, 2, 5, NULL, 'b', NULL);
    CREATE TABLE ZDOG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZGOOD INTEGER, ZID INTEGER,
      ZOWNER INTEGER, ZBORN TIMESTAMP, ZWEIGHT FLOAT, ZNOTE VARCHAR);
    INSERT INTO ZDOG VALUES (9, 1, 1, 1, 10, 7, 0.25, 1.5, NULL), (4, 1, 1, 0, 9, 7, -1, -0.0, NULL),
      (5, 1, 1, 1, -3, NULL, 7, 1e300, NULL);
    """

  private static let answer = Answer(tables: [
    Answer.Table(rows: [
      Answer.Row(key: .string("b"), values: [.string("b"), .null], links: []),
      Answer.Row(key: .string("é"), values: [.string("é"), .integer(42)], links: []),
    ]),
    Answer.Table(rows: [
      Answer.Row(
        key: .integer(-3), values: [.double(1e300), .date(7), .integer(-3), .boolean(true)], links: [nil]),
      Answer.Row(
        key: .integer(9), values: [.double(0), .date(-1), .integer(9), .boolean(false)], links: [.string("é")]),
      Answer.Row(
        key: .integer(10), values: [.double(1.5), .date(0.25), .integer(10), .boolean(true)], links: [.string("é")]),
    ]),
  ])

  /// The canonical bytes by hand, a line for each row; "é" is two bytes.
  private static let canonical = [
    "E3:DogP4:bornP4:goodP2:idP5:ownerP6:weight",
    "R0:T7:7000000B1:1I2:-3N0:D16:7e37e43c8800759c",
    "R0:T8:-1000000B1:0I1:9S2:éD16:0000000000000000",
    "R0:T6:250000B1:1I2:10S2:éD16:3ff8000000000000",
    "E5:OwnerP3:ageP4:dogsP8:remoteID",
    "R0:N0:M1:0S1:b",
    "R0:I2:42M1:2I1:9I2:10S2:é",
  ].joined()

  @Test func `a store with known rows has the canonical bytes`() throws {
    let fixture = try StoreFixture()
    try fixture.execute(Self.sql)
    let contents = try ClosedStore(of: try SQLiteFile(reading: fixture.file), schema: Self.schema)
    let bytes = StoreDigest.bytes(of: contents.canonicalTables(schema: Self.schema), schema: Self.schema)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.canonical)
  }

  @Test func `the digest of store and answer is the SHA-256 of the canonical bytes`() throws {
    let fixture = try StoreFixture()
    try fixture.execute(Self.sql)
    let checker = StoreChecker(schema: Self.schema)
    let report = try checker.check(storeAt: fixture.file, against: Self.answer, journal: EditJournal())
    let expected = SHA256Hash.hexadecimal(of: Data(Self.canonical.utf8))
    #expect(report.digest == expected)
    #expect(checker.digest(of: Self.answer) == expected)
    #expect(expected == "725249fb836cb436da94d2ce2c54d40857a271bd4cb2062cc7599c6d20cbdb4d")
    #expect(report.problems.isEmpty)
    #expect(report.isVerified())
  }

  @Test func `a negative double is written with its sign bit`() throws {
    let fixture = try StoreFixture()
    try fixture.execute(Self.sql)
    try fixture.execute("UPDATE ZDOG SET ZWEIGHT = -1.5 WHERE Z_PK = 9")
    let contents = try ClosedStore(of: try SQLiteFile(reading: fixture.file), schema: Self.schema)
    let bytes = StoreDigest.bytes(of: contents.canonicalTables(schema: Self.schema), schema: Self.schema)
    #expect(String(decoding: bytes, as: UTF8.self).contains("D16:bff8000000000000"))
  }

  @Test func `the digest includes duplicates and dangling links`() throws {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    try fixture.execute(
      """
      INSERT INTO ZPRICE SELECT 8, Z_ENT, Z_OPT, ZREMOTEID, ZNAME, 7.0, ZCURRENCY, ZVALIDFROM, 77, NULL FROM ZPRICE
      WHERE ZREMOTEID = 'r1';
      """)
    let contents = try ClosedStore(of: try SQLiteFile(reading: fixture.file), schema: .catalog)
    let bytes = StoreDigest.bytes(of: contents.canonicalTables(schema: .catalog), schema: .catalog)
    let text = String(decoding: bytes, as: UTF8.self)
    // The digest has both rows of r1, ordered by their bytes: 1.0 before 7.0.
    #expect(
      text.contains(
        "R0:D16:3ff0000000000000S3:EURS1:nS2:p1S2:r1T7:3000000R0:D16:401c000000000000S3:EURS1:nX0:S2:r1T7:3000000"))
  }

  @Test func `the digest excludes primary keys, versions and notes`() throws {
    let fixture = try StoreFixture(Catalog.answer, schema: .catalog)
    let checker = StoreChecker(schema: .catalog)
    try fixture.execute(
      """
      UPDATE ZPRODUCT SET Z_PK = Z_PK + 100, Z_OPT = 9, ZNOTE = 'x';
      UPDATE ZPRICE SET ZPRODUCT = ZPRODUCT + 100;
      """)
    let report = try checker.check(storeAt: fixture.file, against: Catalog.answer, journal: EditJournal())
    #expect(report.digest == checker.digest(of: Catalog.answer))
  }
}
