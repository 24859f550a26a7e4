import CSQLite
import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Workloads

/// Imports records of a schema with every kind of property into a store, and checks the store.
final class GeneralSchemaBench {
  let folder: TemporaryFolder
  let path: String
  private let schema: WorkloadSchema
  private(set) var model: AnswerModel

  /// Imports units of records by the decoder and the import of a trial. Each inner list is one unit, which is saved by
  /// itself.
  init(
    _ units: [[ImportRecord]], schema: WorkloadSchema = .general, lookup: RunOptions.Lookup = .unit
  ) throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/store.sqlite"
    self.schema = schema
    model = AnswerModel(schema: schema)
    let engine = try EngineSchema(schema)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let store = try SQLiteStore(
      machine, model: engine.model, configuration: SQLiteStoreConfiguration(path: path))
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    var references = ForwardReferences()
    let decoder = PayloadDecoder(schema: schema)
    for unit in units {
      let records = try decoder.decode(Data(Self.text(of: unit, schema).utf8))
      try #require(records == unit)
      for record in records { model.apply(record) }
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "import")
      references = try context.performAndWait { [references] () throws(PersistenceError) -> ForwardReferences in
        var unitImport = UnitImport(context, schema: engine, lookup: lookup, references: references)
        try unitImport.run(records[...])
        try context.save()
        return unitImport.references
      }
    }
    try store.close()
  }

  private static func text(of unit: [ImportRecord], _ schema: WorkloadSchema) -> String {
    var text = JSONBuilder()
    for (index, record) in unit.enumerated() {
      text.append(raw: index == 0 ? "[" : ",")
      text.append(record, of: schema)
    }
    text.append(raw: "]")
    return text.string
  }

  func report() throws -> VerificationReport {
    try StoreChecker(schema: schema).check(
      storeAt: URL(fileURLWithPath: path), against: model.answer(), journal: EditJournal())
  }

  /// Returns the problems of the store, without the digest.
  func complaints() throws -> [String] { try report().complaints(tolerating: []) }

  /// Changes the closed store behind the engine's back. The statement must change at least one row.
  func corrupt(_ sql: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    try #require(sqlite3_changes(handle) > 0)
  }
}

// MARK: - The schema

extension WorkloadSchema {
  /// Creates the schema of a model in XML, whose entities have the attributes that the user edits called `note`.
  ///
  /// - Parameters:
  ///   - xml: The entities of the model.
  ///   - imports: The key, the attributes that a list is sorted by, those that a cell shows, and the relationships that
  ///     records set, by entity.
  init(
    _ xml: String,
    imports: [String: (key: [String], sort: [String], shown: [String], relationships: [String])]
  ) {
    guard let model = try? ModelDocument(text: Data("<model>\(xml)</model>".utf8), place: "M") else {
      fatalError("The text is not a model: \(xml)")
    }
    self.init(
      model,
      entities: model.entities.map { entity in
        guard let given = imports[entity.name] else { fatalError("\(entity.name) has no import") }
        return Entity(
          entity, of: model, key: given.key, sort: given.sort, shown: given.shown, relationships: given.relationships,
          hasNumericDates: true)
      })
  }

  /// Authors with every type of attribute, people and groups of an abstract entity, books with ordered chapters and
  /// tags, and a tree of topics.
  static let general = WorkloadSchema(
    """
    <entity name="Author">
      <attribute name="number" attributeType="Integer 64"/>
      <attribute name="small" optional="YES" attributeType="Integer 16"/>
      <attribute name="medium" optional="YES" attributeType="Integer 32"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="weight" optional="YES" attributeType="Double"/>
      <attribute name="ratio" optional="YES" attributeType="Float"/>
      <attribute name="isKnown" optional="YES" attributeType="Boolean"/>
      <attribute name="born" optional="YES" attributeType="Date"/>
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="photo" optional="YES" attributeType="Binary"/>
      <attribute name="token" optional="YES" attributeType="UUID"/>
      <attribute name="page" optional="YES" attributeType="URI"/>
      <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="Bytes"/>
      <attribute name="portrait" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" \
    inverseName="author"/>
      <relationship name="coverOf" optional="YES" maxCount="1" destinationEntity="Book" inverseName="cover"/>
    </entity>
    <entity name="Party" isAbstract="YES">
      <attribute name="code" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="sponsor" optional="YES" maxCount="1" destinationEntity="Party" inverseName="sponsored"/>
      <relationship name="sponsored" optional="YES" toMany="YES" destinationEntity="Party" inverseName="sponsor"/>
    </entity>
    <entity name="Person" parentEntity="Party">
      <attribute name="label" optional="YES" attributeType="String"/>
      <relationship name="teams" optional="YES" toMany="YES" destinationEntity="Team" inverseName="members"/>
    </entity>
    <entity name="Team" parentEntity="Party">
      <attribute name="label" optional="YES" attributeType="Integer 64"/>
      <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="teams"/>
    </entity>
    <entity name="Book">
      <attribute name="shelf" attributeType="String"/>
      <attribute name="place" attributeType="Integer 32"/>
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Author" inverseName="coverOf"/>
      <relationship name="chapters" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
    destinationEntity="Topic" inverseName="book"/>
      <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Topic" \
    inverseName="taggedBooks"/>
      <relationship name="notes" optional="YES" toMany="YES" ordered="YES" destinationEntity="Topic"/>
      <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="favourite"/>
    </entity>
    <entity name="Topic">
      <attribute name="token" attributeType="UUID"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Topic" inverseName="children"/>
      <relationship name="favourite" optional="YES" maxCount="1" destinationEntity="Book" inverseName="fans"/>
      <relationship name="origin" optional="YES" maxCount="1" destinationEntity="Topic"/>
      <relationship name="similar" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="similarTo"/>
      <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book" inverseName="chapters"/>
      <relationship name="taggedBooks" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags"/>
      <relationship name="children" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="parent"/>
      <relationship name="similarTo" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="similar"/>
    </entity>
    """,
    imports: [
      "Author": (["number"], ["name", "number"], ["number", "name"], []),
      "Party": (["code"], ["code"], ["code"], ["sponsor"]),
      "Person": (["code"], ["code"], ["code"], ["sponsor"]),
      "Team": (["code"], ["code"], ["code"], ["sponsor", "members"]),
      "Book": (["shelf", "place"], ["shelf", "place"], ["title"], ["author", "cover", "chapters", "tags", "notes"]),
      "Topic": (["token"], ["token"], ["token"], ["parent", "favourite", "origin", "similar"]),
    ])
}

// MARK: - Records

enum General {
  static func token(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }

  static func author(_ number: Int64, photo: [UInt8] = [1, 2, 3], portrait: Int = 10) -> ImportRecord {
    ImportRecord(
      entity: 0, key: .integer(number),
      values: [
        .integer(number), .integer(-3), .integer(70_000), .decimal(Decimal(string: "1234567890123456789.25")!),
        .double(0.1), .double(Double(Float(0.1))), .boolean(true), .date(-3_600.25), .string("é\u{301}"),
        .binary(Data(photo)), .uuid(token(9)), .uri("https://example.org/a%20b?q=1#f"), .binary(Data([0, 255, 128])),
        .binary(Data(repeating: 7, count: portrait)),
      ], links: [])
  }

  static func emptyAuthor(_ number: Int64) -> ImportRecord {
    ImportRecord(
      entity: 0, key: .integer(number), values: [.integer(number)] + Array(repeating: .null, count: 13), links: [])
  }

  static func person(_ code: String, sponsor: String? = nil) -> ImportRecord {
    ImportRecord(
      entity: 2, key: .string(code), values: [.string(code), .string("label of \(code)")],
      links: [sponsor.map(RecordKey.string)])
  }

  static func team(_ code: String, _ members: [String], sponsor: String? = nil) -> ImportRecord {
    ImportRecord(
      entity: 3, key: .string(code), values: [.string(code), .integer(5)], links: [sponsor.map(RecordKey.string)],
      lists: [members.map(RecordKey.string)])
  }

  static func bookKey(_ shelf: String, _ place: Int64) -> RecordKey { .values([.string(shelf), .integer(place)]) }

  static func book(
    _ shelf: String, _ place: Int64, author: Int64?, cover: Int64? = nil, chapters: [UInt8] = [], tags: [UInt8] = [],
    notes: [UInt8] = []
  ) -> ImportRecord {
    ImportRecord(
      entity: 4, key: bookKey(shelf, place), values: [.string(shelf), .integer(place), .string("title")],
      links: [author.map(RecordKey.integer), cover.map(RecordKey.integer)],
      lists: [chapters.map(topicKey), tags.map(topicKey), notes.map(topicKey)])
  }

  static func topicKey(_ number: UInt8) -> RecordKey { .values([.uuid(token(number))]) }

  static func topic(
    _ number: UInt8, parent: UInt8? = nil, favourite: RecordKey? = nil, origin: UInt8? = nil,
    similar: [UInt8] = []
  ) -> ImportRecord {
    ImportRecord(
      entity: 5, key: topicKey(number), values: [.uuid(token(number))],
      links: [parent.map(topicKey), favourite, origin.map(topicKey)],
      lists: [similar.map(topicKey)])
  }

  /// Three units with forward references, a cycle, links to the entity itself, moved children and deletions.
  static let units: [[ImportRecord]] = [
    [
      topic(1, parent: 2, similar: [2, 3]), book("a", 1, author: 7, cover: 7, chapters: [3, 1, 2], tags: [2, 4, 1]),
      person("p", sponsor: "t"), team("t", ["p", "q"], sponsor: "p"),
    ],
    [
      topic(2, parent: 1, favourite: bookKey("b", 2)), author(7), emptyAuthor(8), topic(3, similar: [3]), person("q"),
      book("a", 2, author: 8, chapters: [4], tags: [1], notes: [3, 5, 2]),
    ],
    [
      topic(4, origin: 1), book("b", 2, author: 7, cover: 8, chapters: [2, 5], tags: [4, 3], notes: [2]),
      topic(5, parent: 5),
      person("r", sponsor: "q"), .deletion(entity: 2, key: .string("p")), author(8, portrait: 300_000),
      book("c", 1, author: 9), emptyAuthor(9), book("c", 2, author: 9, cover: 7, tags: [5, 1]),
      .deletion(entity: 0, key: .integer(9)), team("u", ["r", "q"]),
    ],
  ]
}
