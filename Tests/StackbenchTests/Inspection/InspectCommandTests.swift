import CSQLite
import Foundation
import Glibc
import MachineCore
import Subprocess
import TestSupport
import Testing

@testable import stackbench

/// Tests that run `stackbench inspect` while this process has the store open.
@Suite(.serialized) struct InspectCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { "\(folder.path)/app.sqlite" }
  private var scratch: String { "\(folder.path)/scratch" }

  private func open(journalMode: String) throws -> OpaquePointer {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    var handle: OpaquePointer?
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    let connection = try #require(handle)
    try execute("PRAGMA journal_mode = \(journalMode)", connection)
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["NSStoreModelVersionHashes": ["Item": Data(repeating: 7, count: 32)]], format: .binary,
      options: 0)
    let literal = list.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try execute(
      """
      CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAIR INTEGER, ZTEXT VARCHAR);
      CREATE TABLE ZTWIN (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAIR INTEGER, ZTEXT VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 0), (2, 'Twin', 0, 0);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'U', x'\(literal)')
      """, connection)
    return connection
  }

  private func execute(_ sql: String, _ connection: OpaquePointer) throws {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
  }

  private func inspect(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(
      ["inspect"] + arguments, environment: Program.environment.updating(["TMPDIR": scratch]))
  }

  private func rows(_ outcome: Program.Outcome) throws -> [String: Int] {
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return try #require(json?["rows"] as? [String: Int])
  }

  /// Checks that the command left no file in its folder for copies or in the folder of the store.
  private func expectNoCopy() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix("app.sqlite") }
    #expect(names == ["scratch"])
  }

  @Test func `the JSON of a store has the documented keys`() async throws {
    let connection = try open(journalMode: "wal")
    defer { sqlite3_close(connection) }
    let outcome = try await inspect(path, "--format", "json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(
      json?.keys.sorted() == [
        "auto_vacuum", "entities", "history_changes", "history_transactions", "integrity_check", "journal_mode",
        "kind", "page_size", "rows",
      ])
    let entities = json?["entities"] as? [[String: Any]]
    #expect(entities?.first?.keys.sorted() == ["max", "name", "number", "super"])
    try expectNoCopy()
  }

  @Test(arguments: ["wal", "delete"])
  func `a store is read in one of its states while it is written`(journalMode: String) async throws {
    let connection = try open(journalMode: journalMode)
    defer { sqlite3_close(connection) }
    try execute("PRAGMA wal_autocheckpoint = 20; PRAGMA synchronous = OFF", connection)
    for _ in 0..<4 {
      let outcome = try await Program.run(
        ["inspect", path, "--format", "json"], environment: Program.environment.updating(["TMPDIR": scratch]),
        whileRunning: { key in
          // Each transaction writes one row into both tables, and more than one page.
          let sql = ["ITEM", "TWIN"].map { table in
            "INSERT INTO Z\(table)(Z_ENT, ZPAIR, ZTEXT) VALUES (1, \(key), hex(randomblob(1500)));"
          }
          sqlite3_busy_timeout(connection, 10_000)
          try execute("BEGIN IMMEDIATE; \(sql.joined()) COMMIT", connection)
        })
      #expect(outcome.status == 0, "\(outcome.errors)")
      let rows = try rows(outcome)
      #expect(rows["ZITEM"] == rows["ZTWIN"])
    }
    try expectNoCopy()
  }

  @Test func `a locked store is refused after a few seconds and then read`() async throws {
    let connection = try open(journalMode: "delete")
    defer { sqlite3_close(connection) }
    try execute("BEGIN EXCLUSIVE; INSERT INTO ZITEM(Z_ENT) VALUES (1)", connection)
    let outcome = try await inspect(path)
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.contains("app.sqlite: is locked by another process; ") == true)
    try expectNoCopy()
    try execute("COMMIT", connection)
    #expect(try await rows(inspect(path, "--format", "json"))["ZITEM"] == 1)
  }

  @Test func `the text and the Markdown of a store show its entities, rows and metadata`() async throws {
    let connection = try open(journalMode: "wal")
    defer { sqlite3_close(connection) }
    for format in ["text", "markdown"] {
      let outcome = try await inspect(path, "--format", format)
      #expect(outcome.status == 0)
      for part in ["Item", "ZTWIN", "wal", String(repeating: "07", count: 32)] {
        #expect(outcome.output.contains(part), "\(format): \(part)")
      }
    }
  }

  /// Writes a model whose entity Item has the attributes of the store, and further ones.
  private func writeModel(_ name: String, further: String = "") throws -> String {
    func entity(_ name: String) -> String {
      """
      <entity name="\(name)"><attribute name="pair" attributeType="Integer 64" optional="YES"/>
      <attribute name="text" attributeType="String" optional="YES"/>\(name == "Item" ? further : "")</entity>
      """
    }
    let folder = "\(folder.path)/\(name).xcdatamodel"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try self.folder.write(
      "<?xml version=\"1.0\"?><model>\(entity("Item"))\(entity("Twin"))</model>",
      to: "\(name).xcdatamodel/contents")
    return folder
  }

  @Test func `a store is compared with a model`() async throws {
    let connection = try open(journalMode: "wal")
    defer { sqlite3_close(connection) }
    let same = try await inspect(path, "--model", writeModel("Same"))
    #expect(same.status == 0 && same.output.contains("The store fits this version of the model"), "\(same.errors)")
    let later = try writeModel("Later", further: "<attribute name=\"size\" attributeType=\"Double\"/>")
    let outcome = try await inspect(path, "--model", later, "--format", "json")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let model = json?["model"] as? [String: Any]
    #expect(model?["belongs"] as? Bool == false)
    #expect((model?["difference"] as? String)?.hasPrefix("attribute Item.size of the model needs") == true)
  }

  @Test func `the JSON of a model has the documented keys`() async throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let outcome = try await inspect(try writeModel("Same"), "--format", "json")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let keys = Set((json ?? [:]).keys)
    #expect(
      keys.isSuperset(of: [
        "kind", "versions", "current_version", "entities", "root_entities", "abstract_entities", "attributes",
        "attribute_types", "transient", "with_default", "relationships", "to_many", "ordered", "many_to_many_pairs",
        "deletion_rules", "uniqueness_constraints", "compound_uniqueness", "fetch_indexes", "fetched_properties",
        "configurations",
      ]))
  }

  @Test func `a model and a feed are shown in their formats`() async throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let model = try writeModel("Same")
    for (format, part) in [
      ("text", "Item.text"), ("markdown", "### Model"), ("json", "\"root_entities\" : 2"), ("dot", "digraph"),
    ] {
      let outcome = try await inspect(model, "--format", format)
      #expect(outcome.status == 0 && outcome.output.contains(part), "\(format): \(outcome.errors)")
    }
    let feed = try folder.write(#"[{"id":1,"tags":[{"id":7}]},{"id":2}]"#, to: "items.json")
    for (format, part) in [("text", "feed of JSON"), ("markdown", "### Feed"), ("json", "\"records\" : 2")] {
      let outcome = try await inspect(feed, "--format", format)
      #expect(outcome.status == 0 && outcome.output.contains(part), "\(format): \(outcome.errors)")
    }
  }

  @Test(arguments: [
    (["items.json", "--format", "dot"], "--format dot"), (["items.json", "--model", "a"], "a"),
    (["items.json", "--model-version", "2"], "--model-version 2"),
    (["items.json", "--format", "yaml"], "--format yaml"),
  ])
  func `a flag that does not suit the file is refused`(arguments: [String], text: String) async throws {
    try folder.write("[{\"id\":1}]", to: "items.json")
    let outcome = try await Program.run(["inspect"] + arguments, in: folder.path)
    #expect(outcome.status == 64 && outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("error: \(text)") == true, "\(outcome.errors)")
  }

  @Test func `a file that is not a store prints one line and ends with status 64`() async throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    for (name, text) in [("empty", ""), ("text", "Dear reader"), ("a.sqlite", "SQLite format 3\u{0}")] {
      let outcome = try await inspect(folder.write(text, to: name))
      #expect(outcome.status == 64)
      #expect(outcome.errors.count == 1)
      #expect(outcome.errors.first?.hasPrefix("error: \(folder.path)/\(name): ") == true)
      #expect(outcome.output.isEmpty)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
  }
}

extension Program {
  /// Runs the program and calls a closure with 1, 2 and so on until it has ended, but at most 300 times, so that the
  /// store stays small.
  fileprivate static func run(
    _ arguments: [String], environment: Environment, whileRunning body: (Int) throws -> Void
  ) async throws -> Outcome {
    let running = Task { try await run(arguments, environment: environment) }
    let hasEnded = Flag()
    Task {
      _ = try? await running.value
      hasEnded.set()
    }
    var count = 0
    while !hasEnded.isSet {
      count += 1
      if count <= 300 { try body(count) }
      try await Task.sleep(for: .milliseconds(1))
    }
    return try await running.value
  }
}

/// A flag that one task sets and another reads.
private final class Flag: Sendable {
  private let state = Guarded(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
