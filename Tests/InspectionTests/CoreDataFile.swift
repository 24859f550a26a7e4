import CSQLite
import ContextEngine
import Foundation
import MachineCore
import MachineLive
import OutputFiles
import SQLitePersistence
import TestSupport
import Testing
import TrialProcesses

/// A store in the format of Core Data, written by plain SQL into a temporary folder.
final class CoreDataFile {
  let folder: TemporaryFolder
  let path: String
  private let connection: OpaquePointer

  /// Creates a store with two entities, of which one has rows, and keeps it open. `setting` is a pragma that is set
  /// before the first table is created.
  init(journalMode: String = "wal", setting: String = "page_size = 1024") throws {
    folder = try TemporaryFolder()
    // A URL would split the name.
    let named = folder.url.appendingPathComponent("a store?#%20")
    try FileManager.default.createDirectory(at: named, withIntermediateDirectories: false)
    path = named.appendingPathComponent("zoo.sqlite").path
    connection = try Self.open(path)
    try execute("PRAGMA \(setting); PRAGMA auto_vacuum = 2; PRAGMA journal_mode = \(journalMode)")
    try execute(Self.schema)
    try execute("INSERT INTO Z_METADATA VALUES (1, 'D1B4A2F0-0000-0000-0000-000000000001', \(try Self.metadata()))")
  }

  deinit {
    sqlite3_close(connection)
  }

  /// Runs statements that return no rows.
  func execute(_ sql: String) throws { try Self.execute(sql, connection) }

  static func execute(_ sql: String, _ connection: OpaquePointer) throws {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    return try #require(handle)
  }

  /// Returns a property list with the hashes of entities, as an SQL literal.
  static func metadata(_ hashes: [String: Data] = ["Animal": Data(repeating: 0xab, count: 32)]) throws -> String {
    let list: [String: Any] = [
      "NSStoreModelVersionHashes": hashes, "NSStoreModelVersionIdentifiers": ["7"], "NSStoreType": "SQLite",
      "NSPersistenceFrameworkVersion": 1044, "lastImport": "yesterday",
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    return "x'\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
  }

  private static let schema = """
    CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLEGS INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_1KEEPERS (Z_1ANIMALS INTEGER, Z_2KEEPERS INTEGER, PRIMARY KEY (Z_1ANIMALS, Z_2KEEPERS));
    CREATE UNIQUE INDEX Z_Animal_UNIQUE_name ON ZANIMAL (ZNAME COLLATE BINARY ASC);
    CREATE TABLE ZKEEPER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Animal', 0, 2), (2, 'Keeper', 0, 0), (3, 'Ape', 1, 0);
    INSERT INTO ZANIMAL VALUES (1, 1, 1, 4, 'Ada'), (2, 1, 1, 2, 'Ben');
    INSERT INTO Z_1KEEPERS VALUES (1, 1);
    """

  // MARK: Reading

  /// Returns an empty folder for copies.
  func scratch() throws -> String {
    let scratch = folder.url.appendingPathComponent("scratch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    return scratch.path
  }

  /// Inspects the file, and checks that no byte of the folder changes and that no copy remains.
  func inspect(sourceLocation: SourceLocation = #_sourceLocation) throws -> InspectedStore {
    let scratch = try scratch()
    let before = try bytes()
    defer {
      #expect((try? bytes()) == before, sourceLocation: sourceLocation)
      #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch)) == [], sourceLocation: sourceLocation)
    }
    return try InspectedStore(path, copyingInto: scratch)
  }

  /// Returns the bytes of the store and of the other files in its folder, by their names.
  func bytes() throws -> [String: Data] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      bytes[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }
    return bytes
  }

  /// Returns the rows of each table, by their names.
  func rows() throws -> [String: Int] { StoreSummary(try inspect().contents).rows }

  /// Moves the files of the store, as they are now, into another folder, as a process that is killed leaves them.
  ///
  /// `endings` are the endings of the files that are kept. Returns the path of the database.
  func killed(keeping endings: [String]) throws -> String {
    let target = folder.url.appendingPathComponent("killed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    let database = target.appendingPathComponent("zoo.sqlite").path
    for ending in [""] + endings {
      try FileManager.default.copyItem(atPath: path + ending, toPath: database + ending)
    }
    return database
  }
}

extension FileError {
  /// Returns the error of a body, which must throw one in a single line.
  static func of(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> FileError? {
    let error = #expect(throws: FileError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.message.contains("\n") == false, sourceLocation: sourceLocation)
    return error
  }
}
