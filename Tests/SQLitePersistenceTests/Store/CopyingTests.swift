import ContextEngine
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// Stores that are opened on a private copy.
@Suite(.bothFileAccesses) struct CopyingTests {
  private func openCopy(_ path: String, in folder: URL) throws(PersistenceError) -> SQLiteStore {
    try SQLiteStore.openCopy(
      ImmediateMachine(), model: Bookshop.model,
      of: SQLiteStoreConfiguration(path: path, fileAccess: .underTest), in: folder.path)
  }

  private func folder(_ fixture: StoreFixture) throws -> URL {
    let folder = fixture.folder.appendingPathComponent("copies")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Returns the contents of a folder's files, by name. Folders are left out.
  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try? Data(contentsOf: folder.appendingPathComponent(name))
    }
    return contents
  }

  @Test func `a copy contains the rows of the write-ahead log and leaves the original unchanged`() throws {
    let fixture = try StoreFixture()
    let copies = try folder(fixture)
    let store = try fixture.open()
    try store.insert(store.author, [[.string("Ada")]])
    let before = try contents(of: fixture.folder)
    #expect((before["library.sqlite-wal"]?.count ?? 0) > 0)
    let copy = try openCopy(fixture.path, in: copies)
    #expect(try copy.all(copy.author).map(\.row.values) == [[.string("Ada")]])
    try copy.insert(copy.author, [[.string("Ben")]])
    #expect(try copy.all(copy.author).map(\.key) == [1, 2])
    try copy.close()
    #expect(try contents(of: fixture.folder) == before)
    #expect(try contents(of: copies).keys.sorted() == ["library.sqlite"])
    #expect(copy.identifier == store.identifier)
    #expect(try store.all(store.author).count == 1)
    try store.close()
  }

  @Test func `a copy includes the store's external files`() throws {
    let fixture = try StoreFixture()
    let copies = try folder(fixture)
    try fixture.open().close()
    let beside = ".library_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(
      at: fixture.folder.appendingPathComponent(beside), withIntermediateDirectories: true)
    try Data("large".utf8).write(to: fixture.folder.appendingPathComponent(beside + "/A1"))
    try openCopy(fixture.path, in: copies).close()
    #expect(try Data(contentsOf: copies.appendingPathComponent(beside + "/A1")) == Data("large".utf8))
  }

  @Test func `the copy of a read-only file is writable`() throws {
    let fixture = try StoreFixture()
    let copies = try folder(fixture)
    try fixture.open().close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.path)
    let copy = try openCopy(fixture.path, in: copies)
    try copy.insert(copy.author, [[.string("Ada")]])
    try copy.close()
    let permissions = try FileManager.default.attributesOfItem(atPath: copies.path + "/library.sqlite")
    #expect((permissions[.posixPermissions] as? NSNumber)?.intValue == 0o644)
  }

  @Test func `copying a missing file or a folder throws an error with its path`() throws {
    let fixture = try StoreFixture()
    let copies = try folder(fixture)
    var error = #expect(throws: PersistenceError.self) { try openCopy(fixture.path, in: copies) }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == fixture.path)
    error = #expect(throws: PersistenceError.self) { try openCopy(copies.path, in: fixture.folder) }
    #expect(error?.code == .storeOpen)
    #expect(error?.message == "the path of the store is a folder")
  }

  @Test func `a copy keeps an existing file, and a failed copy leaves no file`() throws {
    let fixture = try StoreFixture()
    let copies = try folder(fixture)
    try Data("not a store".utf8).write(to: URL(fileURLWithPath: fixture.path))
    let error = #expect(throws: PersistenceError.self) { try openCopy(fixture.path, in: copies) }
    #expect(error?.code == .storeIncompatible)
    #expect(try contents(of: copies).isEmpty)
    let taken = copies.appendingPathComponent("library.sqlite")
    try Data("mine".utf8).write(to: taken)
    let other = #expect(throws: PersistenceError.self) { try openCopy(fixture.path, in: copies) }
    #expect(other?.code == .storeOpen)
    #expect(other?.path == taken.path)
    #expect(try Data(contentsOf: taken) == Data("mine".utf8))
  }

  @Test func `opening a folder as a store throws an error with its path`() throws {
    let fixture = try StoreFixture()
    let path = try folder(fixture).path
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(
        ImmediateMachine(), model: Bookshop.model,
        configuration: SQLiteStoreConfiguration(path: path, fileAccess: .underTest)
      )
    }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == path)
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write read-only files"))
  func `opening a read-only file throws an error with its path`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.path)
    let error = #expect(throws: PersistenceError.self) { try fixture.open() }
    #expect(error?.code == .storeOpen)
    #expect(error?.path == fixture.path)
  }
}
