import ContextEngine
import Foundation
import MachineLive
import OutputFiles
import SQLitePersistence
import TestSupport
import Testing
import TrialProcesses

@Suite struct StartingStoreTests {
  private let folder: TemporaryFolder
  private let original: URL
  private let trial: URL

  private static let blob = AttributeDescription("scan", .binary, allowsExternalBinaryDataStorage: true)
  private static let model = ManagedObjectModel([.init("Page", attributes: [.init("number", .integer32), blob])])

  init() throws {
    folder = try TemporaryFolder()
    original = folder.url.appendingPathComponent("app")
    trial = folder.url.appendingPathComponent("trial")
    for url in [original, trial] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
  }

  private var path: String { original.appendingPathComponent("app.sqlite").path }

  private func open(_ path: String) throws -> SQLiteStore {
    try SQLiteStore(
      LiveMachine(ledger: .init()), model: Self.model, configuration: SQLiteStoreConfiguration(path: path))
  }

  private func save(_ numbers: Range<Int>, in store: SQLiteStore) throws {
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "app")
    let entity = Self.model.entity("Page")
    try context.performAndWait { () throws(PersistenceError) in
      for number in numbers {
        let page = context.insert(entity)
        page["number"] = .integer(Int64(number))
        page["scan"] = .binary(Data(repeating: UInt8(number), count: 300_000))
      }
      try context.save()
    }
  }

  private func pages(_ store: SQLiteStore) throws -> [Int: Int] {
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "trial")
    return try context.performAndWait {
      var pages: [Int: Int] = [:]
      for page in try context.fetch(FetchRequest(Self.model.entity("Page"))) {
        guard case .integer(let number) = page["number"], case .binary(let scan) = page["scan"] else { continue }
        pages[Int(number)] = scan.allSatisfy { $0 == UInt8(number) } ? scan.count : -1
      }
      return pages
    }
  }

  private func bytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: original.path) {
      bytes[name] = (try? Data(contentsOf: original.appendingPathComponent(name))) ?? Data()
    }
    return bytes
  }

  @Test func `a trial's store has the rows of the log and the external values of an open store`() throws {
    let app = try open(path)
    try save(1..<4, in: app)
    let before = try bytes()
    #expect((before["app.sqlite-wal"]?.count ?? 0) > 0)
    let store = try StartingStore(copying: path, into: trial.path, named: "base.sqlite", model: Self.model)
    #expect(store.externalFileCount == 3)
    #expect(StoreSummary(store.contents).rows == ["ZPAGE": 3])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: trial.path).sorted() == [".base_SUPPORT", "base.sqlite"])
    let copy = try open(store.path)
    #expect(try pages(copy) == [1: 300_000, 2: 300_000, 3: 300_000])
    try save(4..<6, in: copy)
    #expect(try pages(copy).count == 5)
    try copy.close()
    #expect(try bytes() == before)
    #expect(try pages(app).count == 3)
    try app.close()
  }

  @Test func `the store of another version of the model is refused and leaves no file`() throws {
    let app = try open(path)
    try save(1..<2, in: app)
    try app.close()
    let later = ManagedObjectModel([
      .init("Page", attributes: [.init("number", .integer32), Self.blob, .init("text", .string)])
    ])
    let error = FileError.of({
      _ = try StartingStore(copying: path, into: trial.path, named: "base.sqlite", model: later)
    })
    #expect(error?.code == .otherModel)
    #expect(error?.path == path)
    #expect(
      error?.message
        == "belongs to another version of the model: attribute Page.text of the model needs the column ZTEXT of type "
        + "VARCHAR, which the store's table ZPAGE does not have; use the version of the model with which the app saved the "
        + "store")
    #expect(try FileManager.default.contentsOfDirectory(atPath: trial.path) == [])
  }

  @Test func `a damaged store is refused and leaves no file`() throws {
    try Data("SQLite format 3\u{0}".utf8).write(to: URL(fileURLWithPath: path))
    let error = FileError.of({
      _ = try StartingStore(copying: path, into: trial.path, named: "base.sqlite", model: Self.model)
    })
    #expect(error?.code == .malformed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: trial.path) == [])
  }
}
