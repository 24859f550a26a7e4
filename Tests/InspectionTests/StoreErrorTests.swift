import CSQLite
import Foundation
import Glibc
import OutputFiles
import TestSupport
import Testing
import TrialProcesses

/// The errors for files that are not stores, or that cannot be read.
@Suite struct StoreErrorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the error for a file with some bytes, and checks that the copy is removed.
  private func error(_ bytes: Data, sourceLocation: SourceLocation = #_sourceLocation) throws -> FileError? {
    let file = folder.url.appendingPathComponent("bad.sqlite")
    try bytes.write(to: file)
    return try error(at: file.path, sourceLocation: sourceLocation)
  }

  private func error(at path: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> FileError? {
    let scratch = folder.url.appendingPathComponent("scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let error = FileError.of({ _ = try InspectedStore(path, copyingInto: scratch.path) })
    #expect(error?.path == path, sourceLocation: sourceLocation)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [], sourceLocation: sourceLocation)
    return error
  }

  private func intactBytes() throws -> Data {
    let file = try CoreDataFile(journalMode: "delete")
    return try Data(contentsOf: URL(fileURLWithPath: file.path))
  }

  @Test func `an empty file is named as empty`() throws {
    #expect(try error(Data())?.message.hasPrefix("is empty") == true)
  }

  @Test func `a file that does not begin as a database is not one`() throws {
    let encrypted = try error(Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }))
    #expect(encrypted?.code == .otherKind)
    #expect(encrypted?.message.contains("encrypted") == true)
  }

  @Test func `a truncated file is damaged`() throws {
    let bytes = try intactBytes()
    #expect(try error(bytes.prefix(50))?.message.hasPrefix("is truncated") == true)
    for count in [100, 1_000, 1_024, 5_000, bytes.count - 1_024, bytes.count - 1] {
      let error = try error(bytes.prefix(count))
      #expect(error?.code == .malformed, "\(count): \(error?.message ?? "none")")
    }
  }

  @Test func `a damaged page is found`() throws {
    var bytes = try intactBytes()
    for offset in stride(from: 1_024, to: bytes.count, by: 1_024) {
      bytes.replaceSubrange(offset..<(offset + 40), with: Data(repeating: 0xee, count: 40))
    }
    let error = try error(bytes)
    #expect(error?.code == .malformed)
    #expect(error?.message.hasPrefix("is damaged: ") == true)
  }

  @Test func `a database of another program is not a store`() throws {
    let path = folder.url.appendingPathComponent("notes.db").path
    var handle: OpaquePointer?
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
      try CoreDataFile.execute("CREATE TABLE \(name) (x)", #require(handle))
    }
    sqlite3_close(handle)
    let error = try error(at: path)
    #expect(error?.code == .otherKind)
    #expect(error?.message.contains("has the tables a, b, c, d, e and 2 others") == true)
  }

  @Test(arguments: [
    ("DELETE FROM Z_METADATA", "has no row with Z_VERSION 1"),
    ("UPDATE Z_METADATA SET Z_PLIST = x'00'", "cannot be read"),
    ("UPDATE Z_METADATA SET Z_PLIST = NULL", "cannot be read"),
    ("ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_SUPER", "no such column: Z_SUPER"),
    ("DROP TABLE Z_PRIMARYKEY", "not a store of Core Data"),
  ])
  func `a store without its own tables is refused`(sql: String, text: String) throws {
    let file = try CoreDataFile()
    try file.execute(sql)
    let error = FileError.of({ _ = try file.inspect() })
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "none")")
  }

  @Test func `a folder, a FIFO, a device and a missing file are named`() throws {
    #expect(try error(at: folder.path)?.message == "is a folder; use a file")
    let fifo = folder.url.appendingPathComponent("fifo.sqlite").path
    try #require(mkfifo(fifo, 0o600) == 0)
    #expect(try error(at: fifo)?.message == "is a FIFO; use a file")
    #expect(try error(at: "/dev/null")?.message == "is a device; use a file")
    let absent = try error(at: folder.path + "/absent.sqlite")
    #expect(absent?.message == "cannot be read: No such file or directory")
  }

  @Test func `a log that is not a file is named`() throws {
    let file = try CoreDataFile(journalMode: "delete")
    let path = try file.killed(keeping: [])
    try #require(mkfifo(path + "-wal", 0o600) == 0)
    let error = FileError.of({ _ = try InspectedStore(path, copyingInto: file.scratch()) })
    #expect(error?.path.hasSuffix("zoo.sqlite-wal") == true)
    #expect(error?.message == "is a FIFO; use a file")
  }
}
