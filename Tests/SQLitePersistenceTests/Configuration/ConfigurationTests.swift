import ContextEngine
import Foundation
import SQLitePersistence
import Testing

/// Stores that have one configuration of a model.
@Suite struct ConfigurationTests {
  private static let model = ManagedObjectModel(
    [
      .init("Entry", attributes: [.init("text", .string)]),
      .init(
        "Folder", attributes: [.init("name", .string)],
        relationships: [
          .init("notes", to: "Note", inverse: "folders", isToMany: true)
        ]),
      .init(
        "Note", attributes: [.init("text", .string)],
        relationships: [.init("folders", to: "Folder", inverse: "notes", isToMany: true)]),
      .init("Tag", attributes: [.init("name", .string)]), .init("Colour", attributes: [], superentity: "Tag"),
    ], configurations: ["User": ["Folder", "Note"], "Log": ["Entry"], "Labels": ["Colour"]])

  private func open(_ fixture: StoreFixture, _ name: String?) throws(PersistenceError) -> SQLiteStore {
    var configuration = SQLiteStoreConfiguration(path: fixture.path)
    configuration.modelConfiguration = name
    return try fixture.open(configuration)
  }

  private func tables(_ fixture: StoreFixture) throws -> [String] {
    try PlainDatabase(fixture.path).rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'Z\\_%\\_%' ESCAPE '\\' ORDER BY name"
    ).map { $0[0] }.filter { !["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains($0) }
  }

  @Test(
    arguments: [
      ("User", ["ZFOLDER", "ZNOTE", "Z_1NOTES"], [["1", "Folder"], ["2", "Note"]]),
      ("Log", ["ZENTRY"], [["1", "Entry"]]),
      ("Labels", ["ZTAG"], [["1", "Tag"], ["2", "Colour"]]),
    ] as [(String, [String], [[String]])])
  func `a store of one configuration has only the tables of its entities`(
    name: String, tables: [String], entities: [[String]]
  ) throws {
    let fixture = try StoreFixture(model: Self.model)
    try open(fixture, name).close()
    #expect(try self.tables(fixture) == tables)
    let listed = try PlainDatabase(fixture.path).rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    #expect(listed == entities)
    let store = try open(fixture, name)
    let entity = Self.model.entities(forConfiguration: name)[0]
    try store.insert(entity, [entity.slots.map { _ in .null }])
    #expect(try store.all(entity).count == 1)
    try store.close()
    #expect(try PlainDatabase(fixture.path).rows("PRAGMA integrity_check") == [["ok"]])
    // The whole model has more entities than the store.
    let error = #expect(throws: PersistenceError.self) { try open(fixture, nil) }
    #expect(error?.code == .storeIncompatible)
  }

  @Test func `a store of the whole model opens with one configuration`() throws {
    let fixture = try StoreFixture(model: Self.model)
    try open(fixture, nil).close()
    #expect(try tables(fixture) == ["ZENTRY", "ZFOLDER", "ZNOTE", "ZTAG", "Z_2NOTES"].sorted())
    let store = try open(fixture, "Log")
    try store.insert(Self.model.entity("Entry"), [[.string("a")]])
    try store.close()
  }
}
