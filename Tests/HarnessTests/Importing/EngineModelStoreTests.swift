import CSQLite
import ContextEngine
import Foundation
import Harness
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Workloads

/// Stores of the engine's models of data model files.
@Suite struct EngineModelStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func engine(_ text: String) throws -> ManagedObjectModel {
    try EngineModel(ModelDocument(text: Data(text.utf8), place: "M")).model
  }

  private func store(_ model: ManagedObjectModel) throws -> SQLiteStore {
    try SQLiteStore(
      LiveMachine(ledger: .init()), model: model,
      configuration: SQLiteStoreConfiguration(path: folder.path + "/M.sqlite"))
  }

  /// Returns the SQL of the tables and indexes in a closed store.
  private func schema() throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(sqlite3_open(folder.path + "/M.sqlite", &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    sqlite3_prepare_v2(database, "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid", -1, &statement, nil)
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }

  @Test func `a store has the columns and indexes of the file's model`() throws {
    let model = try engine(
      """
      <model userDefinedModelVersionIdentifier="7">
      <entity name="Car">
        <attribute name="plate" attributeType="String"/>
        <attribute name="speed" optional="YES" transient="YES" attributeType="Integer 64"/>
        <attribute name="color" optional="YES" attributeType="Transformable"/>
        <attribute name="built" optional="YES" attributeType="Date" indexed="YES"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="cars"/>
        <fetchIndex name="byPlate"><fetchIndexElement property="plate" order="descending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="plate"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Truck" parentEntity="Car"><attribute name="load" optional="YES" attributeType="Double"/></entity>
      <entity name="Person">
        <relationship name="cars" optional="YES" toMany="YES" destinationEntity="Car" inverseName="owner"/>
      </entity>
      </model>
      """)
    try store(model).close()
    let schema = try schema()
    #expect(
      schema.contains(
        "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, "
          + "ZBUILT TIMESTAMP, ZLOAD FLOAT, ZPLATE VARCHAR, ZCOLOR BLOB )"))
    #expect(schema.contains("CREATE INDEX ZCAR_ZBUILT_INDEX ON ZCAR (ZBUILT)"))
    #expect(schema.contains("CREATE INDEX Z_Car_byPlate ON ZCAR (ZPLATE COLLATE BINARY DESC)"))
    #expect(schema.contains("CREATE UNIQUE INDEX Z_Car_UNIQUE_plate ON ZCAR (ZPLATE COLLATE BINARY ASC)"))
  }

  @Test func `an object of each type of attribute is saved and read`() throws {
    let types = [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary",
      "UUID", "URI", "Transformable",
    ]
    let attributes = types.enumerated().map {
      "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"\($1)\"/>"
    }
    let model = try engine(
      "<model><entity name=\"All\">\(attributes.joined())<attribute name=\"t\" optional=\"YES\" transient=\"YES\"/></entity></model>"
    )
    let values: [Value] = [
      .integer(-1), .integer(2), .integer(3), .decimal(4.5), .double(5.5), .double(6.5), .string("ä"), .boolean(true),
      .date(9.25), .binary(Data([1])), .uuid(UUID()), .uri(try #require(URL(string: "a:b"))),
      .transformable(TransformableValue(Data([7, 8]))),
    ]
    let store = try store(model)
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let entity = model.entity("All")
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "writing")
    try context.performAndWait {
      let object = context.insert(entity)
      for (place, value) in values.enumerated() { object[entity.path("a\(place)")] = value }
      // A transient attribute without a type takes any value and is not stored.
      object[entity.path("t")] = .transformable(TransformableValue("any"))
      try context.save()
    }
    let reader = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "reading")
    try reader.performAndWait {
      let objects = try reader.fetch(FetchRequest(entity))
      #expect(objects.count == 1)
      let object = objects[0]
      for (place, value) in values.enumerated() { #expect(object[entity.path("a\(place)")] == value) }
      #expect(object[entity.path("t")].isNull)
    }
    try store.close()
  }
}

/// Real models and the store of one of them, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct EngineModelSampleTests {
  private let samples = ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? ""

  @Test(
    arguments: [
      ("shoppinglist/ShoppingList", nil), ("moody/Moody", nil), ("coredataplus/SampleModel", nil),
      ("coredataplus/SampleModel", "SampleModel2"), ("coredataplus/SampleModel", "SampleModel3"),
    ] as [(String, String?)])
  func `each version of a sample model becomes a model and a store`(name: String, version: String?) throws {
    let folder = try TemporaryFolder()
    let document = try ModelDocument(path: "\(samples)/models/\(name).xcdatamodeld", version: version)
    let engine = try EngineModel(document)
    #expect(engine.model.entities.map(\.name) == document.entities.map(\.name) && engine.remarks.isEmpty)
    let configuration = SQLiteStoreConfiguration(path: folder.path + "/M.sqlite")
    try SQLiteStore(LiveMachine(ledger: .init()), model: engine.model, configuration: configuration).close()
  }

  @Test func `a store that Core Data wrote opens with the model that is read from its file`() throws {
    let folder = try TemporaryFolder()
    let model = try EngineModel(ModelDocument(path: "\(samples)/models/coredataplus/SampleModel.xcdatamodeld")).model
    let store = try SQLiteStore.openCopy(
      LiveMachine(ledger: .init()), model: model,
      of: SQLiteStoreConfiguration(path: "\(samples)/stores/SampleModel_V1.sqlite"), in: folder.path)
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "reading")
    try context.performAndWait {
      let (cars, people) = (
        try context.fetch(FetchRequest(model.entity("Car"))), try context.fetch(FetchRequest(model.entity("Person")))
      )
      #expect(cars.count == 125 && people.count == 20)
    }
    try store.close()
  }
}
