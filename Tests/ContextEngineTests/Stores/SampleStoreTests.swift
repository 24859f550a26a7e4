import ContextEngine
import Foundation
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// Tests of a store that Core Data wrote, in the folder that `STACKBENCH_SAMPLES` names. They open a copy, read it and
/// change it.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct SampleStoreTests {
  private let original =
    (ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? "") + "/stores/SampleModel_V1.sqlite"
  private let folder: TemporaryFolder
  /// The path of a copy that no engine has changed.
  private let reference: String

  init() throws {
    folder = try TemporaryFolder()
    reference = folder.url.appendingPathComponent("reference.sqlite").path
    try FileManager.default.copyItem(atPath: original, toPath: reference)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: reference)
  }

  private var copy: String { folder.url.appendingPathComponent("SampleModel_V1.sqlite").path }

  private func open(_ model: ManagedObjectModel = SampleModel.model) throws -> SQLiteStore {
    try SQLiteStore.openCopy(
      LiveMachine(ledger: .init()), model: model, of: SQLiteStoreConfiguration(path: original), in: folder.url.path)
  }

  /// Calls `body` with a context on a copy of the sample, which is closed when `body` returns.
  private func withContext(_ body: (ManagedObjectContext) throws -> Void) throws {
    let store = try open()
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "reading")
    try context.performAndWait { try body(context) }
    try store.close()
  }

  private func objects(of entity: EntityDescription, _ context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.fetch(FetchRequest(entity)).sorted { $0.objectID.key < $1.objectID.key }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .string(let text): text
    case .date(let seconds): String(Int64(seconds * 1_000_000))
    case .uuid(let uuid): uuid.uuidString.replacingOccurrences(of: "-", with: "")
    case .object(let objectID): String(objectID.key)
    default: "\(value)"
    }
  }

  /// Compares row by row, so that a failure reports the row.
  private func expectSame(_ found: [[String]], _ wanted: [[String]]) {
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) { #expect(found == wanted) }
  }

  @Test func `every row of a Core Data store is read with its values`() throws {
    try withContext { context in
      let cars = try objects(of: SampleModel.car, context).map { car in
        try car.fulfillFault()
        return [String(car.objectID.key), String(car.entity.number), String(car.version)]
          + ["maker", "model", "numberPlate", "markedForDeletionAsOf", "owner", "color"].map { Self.text(car[$0]) }
      }
      #expect(cars.count == 125)
      try expectSame(
        cars,
        plainRows(
          reference,
          "SELECT Z_PK, Z_ENT, Z_OPT, ZMAKER, ZMODEL, ZNUMBERPLATE, CAST(ZMARKEDFORDELETIONASOF * 1000000 AS INTEGER), "
            + "ZOWNER, ZCOLOR FROM ZCAR ORDER BY Z_PK"))
      let persons = try objects(of: SampleModel.person, context).map { person in
        try person.fulfillFault()
        return [String(person.objectID.key), String(person.entity.number), String(person.version)]
          + ["firstName", "lastName", "id", "updatedAt"].map { Self.text(person[$0]) }
      }
      #expect(persons.count == 20)
      try expectSame(
        persons,
        plainRows(
          reference,
          "SELECT Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME, ZLASTNAME, hex(ZID), CAST(ZUPDATEDAT * 1000000 AS INTEGER) FROM ZPERSON "
            + "ORDER BY Z_PK"))
    }
  }

  @Test func `every relationship is read from both ends`() throws {
    try withContext { context in
      let owner = SampleModel.car.path("owner")
      let cars = SampleModel.person.path("cars")
      for person in try objects(of: SampleModel.person, context) {
        let owned = person.relatedObjects(cars)
        #expect(
          try owned.map { [String($0.objectID.key)] }
            == plainRows(reference, "SELECT Z_PK FROM ZCAR WHERE ZOWNER = \(person.objectID.key) ORDER BY Z_PK"))
        #expect(owned.allSatisfy { $0.related(owner) === person })
      }
    }
  }

  @Test func `transient attributes have their default values`() throws {
    try withContext { context throws in
      #expect(try objects(of: SampleModel.car, context).allSatisfy { $0["currentDrivingSpeed"] == 0 })
      #expect(try objects(of: SampleModel.person, context).allSatisfy { $0["isDriving"] == .boolean(false) })
    }
  }

  @Test func `changing a copy leaves the original's file and folder unchanged`() throws {
    let originalFolder = (original as NSString).deletingLastPathComponent
    let bytes = try Data(contentsOf: URL(fileURLWithPath: original))
    let listing = try FileManager.default.contentsOfDirectory(atPath: originalFolder).sorted()
    try addAndChange()
    #expect(try Data(contentsOf: URL(fileURLWithPath: original)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: originalFolder).sorted() == listing)
  }

  /// Adds a car of each kind, changes one and deletes one.
  private func addAndChange() throws {
    try withContext { context in
      let owner = try objects(of: SampleModel.person, context)[2]
      let cars = try objects(of: SampleModel.car, context)
      for (index, entity) in [SampleModel.car, SampleModel.sportCar, SampleModel.expensiveSportCar].enumerated() {
        let car = context.insert(entity)
        car["numberPlate"] = .string("new \(index)")
        car["currentDrivingSpeed"] = 50
        car.relate(owner, at: SampleModel.car.path("owner"))
      }
      cars[0]["maker"] = "Fiat"
      context.delete(cars[1])
      try context.save()
    }
  }

  @Test func `new rows get the next keys and the numbers of their entities`() throws {
    try addAndChange()
    try expectSame(
      plainRows(
        copy, "SELECT Z_PK, Z_ENT, Z_OPT, ZNUMBERPLATE, ZOWNER, ZISLIMITEDEDITION FROM ZCAR WHERE Z_PK > 125"),
      [
        ["126", "1", "1", "new 0", "3", "NULL"], ["127", "2", "1", "new 1", "3", "NULL"],
        ["128", "3", "1", "new 2", "3", "0"],
      ])
    try expectSame(plainRows(copy, "SELECT Z_PK, Z_OPT, ZMAKER FROM ZCAR WHERE Z_PK < 3"), [["1", "2", "Fiat"]])
    try expectSame(
      plainRows(copy, "SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT"),
      [
        ["1", "Car", "0", "128"], ["2", "SportCar", "1", "0"], ["3", "ExpensiveSportCar", "2", "0"],
        ["4", "Person", "0", "20"],
      ])
  }

  @Test func `saving keeps the file's schema, metadata and integrity`() throws {
    try addAndChange()
    for sql in [
      "SELECT type, name, sql FROM sqlite_master ORDER BY rowid",
      "SELECT Z_VERSION, Z_UUID, hex(Z_PLIST) FROM Z_METADATA",
      "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE", "PRAGMA auto_vacuum", "PRAGMA page_size", "PRAGMA encoding",
      "PRAGMA journal_mode", "PRAGMA user_version",
    ] {
      #expect(try plainRows(copy, sql) == plainRows(reference, sql), "\(sql)")
    }
    #expect(try plainRows(copy, "PRAGMA integrity_check") == [["ok"]])
    // All rows are unchanged, except the two that were changed or deleted and the owner's version.
    for sql in [
      "SELECT * FROM ZCAR WHERE Z_PK BETWEEN 3 AND 125",
      "SELECT Z_PK, Z_ENT, ZFIRSTNAME, ZLASTNAME, hex(ZID), ZUPDATEDAT FROM ZPERSON",
    ] {
      #expect(try plainRows(copy, sql) == plainRows(reference, sql), "\(sql)")
    }
  }

  @Test func `a new store has the same schema as Core Data's store of that model`() throws {
    let path = folder.url.appendingPathComponent("new.sqlite").path
    try SQLiteStore(
      LiveMachine(ledger: .init()), model: SampleModel.model, configuration: SQLiteStoreConfiguration(path: path)
    ).close()
    for sql in [
      "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid",
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", "PRAGMA auto_vacuum", "PRAGMA page_size",
      "PRAGMA encoding", "PRAGMA user_version",
    ] {
      #expect(try plainRows(path, sql) == plainRows(reference, sql), "\(sql)")
    }
  }

  @Test func `a version hash of the model must equal the store's`() throws {
    let hash = Data(try #require(SampleModel.versionHashes["Car"]))
    try open(SampleModel.make(versionHash: hash)).close()
    try FileManager.default.removeItem(atPath: copy)
    let error = #expect(throws: PersistenceError.self) { try open(SampleModel.make(versionHash: Data([1, 2]))) }
    #expect(error?.code == .incompatibleVersionHash)
    #expect(error?.message.contains("entity Car has the hash 9e555529") == true, "\(error?.message ?? "")")
    #expect(error?.message.hasSuffix("and 0102 in the model") == true)
  }

  @Test func `a mismatched model throws an error with entity and column, and leaves no copy`() throws {
    let further = SampleModel.make(further: [.init("horsepower", .integer64)])
    var error = #expect(throws: PersistenceError.self) { try open(further) }
    #expect(error?.code == .storeIncompatible)
    #expect(
      error?.message.contains("entity Car needs column ZHORSEPOWER, which its table ZCAR does not have") == true)
    error = #expect(throws: PersistenceError.self) { try open(SampleModel.make(superentityOfExpensive: "Car")) }
    #expect(
      error?.message.contains("entity ExpensiveSportCar inherits from Car, in Z_PRIMARYKEY from SportCar") == true)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }
}
