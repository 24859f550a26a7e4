import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// The external files of a SQLite store: their names, batch requests, other readers and failures.
@Suite struct ExternalFileTests {
  private func names(_ stack: Stack) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stack.folder.externalData.path).sorted()
  }

  // MARK: Core Data's shape

  @Test func `columns mark external values as Core Data does, and files are named by UUID`() throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { context in
      context.insertPhoto("long", Album.long(1))
      context.insertPhoto("short", Album.short)
      context.insertPhoto("none", nil)
    }
    let name = try #require(try names(stack).first)
    #expect(UUID(uuidString: name)?.uuidString == name)
    let marks = try PlainReader(path: stack.folder.storePath).rows(
      "SELECT quote(ZIMAGE) FROM ZPHOTO ORDER BY ZTITLE DESC")
    let hexadecimal = Data(name.utf8).map { String(format: "%02X", $0) }.joined()
    #expect(marks == [["X'01020100'"], ["NULL"], ["X'02\(hexadecimal)00'"]])
    try stack.store.close()
    #expect(try PlainReader(path: stack.folder.storePath).rows("PRAGMA integrity_check") == [["ok"]])
  }

  /// The store has a reference to a file in the format that Core Data writes.
  @Test func `external references in Core Data's format are read from a copy with its files`() throws {
    let folder = try TemporaryFolder()
    let name = "0B7F2C1E-5A44-4C0D-9E52-6C1B8A7D3F10"
    try make(Album.model, at: folder.storePath).close()
    try FileManager.default.createDirectory(at: folder.externalData, withIntermediateDirectories: true)
    let file = folder.externalData.appendingPathComponent(name)
    try Album.long(5).write(to: file)
    let hexadecimal = Data(name.utf8).map { String(format: "%02X", $0) }.joined()
    let plain = PlainReader(path: folder.storePath)
    try plain.rows(
      "INSERT INTO ZPHOTO(Z_PK, Z_ENT, Z_OPT, ZTITLE, ZIMAGE) VALUES (1, 2, 1, 'theirs', X'02\(hexadecimal)00')")
    try plain.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2")
    let copies = folder.url.appendingPathComponent("copies", isDirectory: true)
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
    let store = try SQLiteStore.openCopy(
      LiveMachine(ledger: WorkLedger()), model: Album.model, of: SQLiteStoreConfiguration(path: folder.storePath),
      in: copies.path)
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: WorkLedger()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    try context.performAndWait {
      let photo = try context.photo("theirs")
      #expect(photo[Album.image] == .binary(Album.long(5)))
      photo[Album.image] = .binary(Album.long(6))
      try context.save()
    }
    try store.close()
    // The original still has its file and its value.
    #expect(try Data(contentsOf: file) == Album.long(5))
    let copied = copies.appendingPathComponent(".library_SUPPORT/_EXTERNAL_DATA")
    let left = try FileManager.default.contentsOfDirectory(atPath: copied.path)
    #expect(left.count == 1 && left != [name])
  }

  @Test func `file names are equal in every run`() throws {
    func run() throws -> [String] {
      let stack = try Stack(model: Album.model) { $0.identifier = "7D0F24A6-1111-4222-8333-444455556666" }
      try stack.seed { context in
        for number: UInt8 in 0..<3 { context.insertPhoto("\(number)", Album.long(number)) }
      }
      return try names(stack)
    }
    let first = try run()
    #expect(try run() == first && Set(first).count == 3)
  }

  @Test func `external bytes without a mark throw an error that names the column`() throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.short) }
    try PlainReader(path: stack.folder.storePath).rows("UPDATE ZPHOTO SET ZIMAGE = X'FFD8'")
    let error = #expect(throws: (any Error).self) { try stack.inStore { _ = try $0.photo("a") } }
    let found = error as? PersistenceError
    #expect(found?.code == .storeIncompatible && found?.message.contains("ZIMAGE") == true)
  }

  // MARK: Batch requests

  @Test func `batch requests write, replace and delete external files`() throws {
    let stack = try Stack(model: Album.model)
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = .objectTrump
      _ = try context.execute(
        BatchInsertRequest(
          Album.photo,
          objects: [
            ["title": "a", "image": .binary(Album.long(1))], ["title": "b", "image": .binary(Album.long(2))],
            ["title": "c", "image": .binary(Album.short)],
          ]))
      try stack.expectFiles([Album.long(1), Album.long(2)])
      // The first object matches a row and sets its image. The second matches another row and does not set its image.
      _ = try context.execute(
        BatchInsertRequest(
          Album.photo, objects: [["title": "a", "image": .binary(Album.long(3))], ["title": "b", "preview": .null]]))
      try stack.expectFiles([Album.long(2), Album.long(3)])
      context.mergePolicy = .error
      _ = try context.execute(
        BatchInsertRequest(Album.photo, objects: [["title": "a", "image": .binary(Album.long(4))]]))
      try stack.expectFiles([Album.long(2), Album.long(3)])
      _ = try context.execute(
        BatchUpdateRequest(
          Album.photo, predicate: .isIn(Album.title, ["a", "c"]),
          propertiesToUpdate: [Album.image: .constant(.binary(Album.long(5)))]))
      // Each row has its own file, because a file belongs to one row.
      try stack.expectFiles([Album.long(2), Album.long(5), Album.long(5)])
      #expect(try context.image("c") == .binary(Album.long(5)))
      _ = try context.execute(
        BatchUpdateRequest(
          Album.photo, predicate: .equal(Album.title, "c"),
          propertiesToUpdate: [Album.image: .constant(.binary(Album.short))]))
      try stack.expectFiles([Album.long(2), Album.long(5)])
      _ = try context.execute(BatchDeleteRequest(FetchRequest(Album.photo, predicate: .equal(Album.title, "a"))))
      try stack.expectFiles([Album.long(2)])
    }
    try stack.expectImage("b", Album.long(2))
    try stack.expectImage("c", Album.short)
  }

  @Test func `a failed batch insert leaves no external file`() throws {
    let stack = try Stack(model: Album.model)
    let context = stack.context()
    #expect(throws: PersistenceError.self) {
      try context.performAndWait {
        _ = try context.execute(
          BatchInsertRequest(
            Album.photo, objects: [["title": "a", "image": .binary(Album.long(1))], ["nothing": .null]]))
      }
    }
    try stack.expectFiles([])
  }

  // MARK: Readers

  @Test func `files stay while a pinned generation refers to them`() throws {
    let stack = try Stack(poolSize: 4, model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let (pinned, writer) = (stack.context("pinned"), stack.context("writer"))
    try pinned.performAndWait {
      try pinned.setQueryGeneration(from: .current)
      // The first read pins the context.
      #expect(try pinned.photo("a")[Album.title] == "a")
    }
    try writer.performAndWait {
      try writer.photo("a")[Album.image] = .binary(Album.long(2))
      try writer.save()
    }
    try stack.expectFiles([Album.long(1), Album.long(2)])
    try pinned.performAndWait {
      #expect(try pinned.image("a") == .binary(Album.long(1)))
      pinned.reset()
      try pinned.setQueryGeneration(from: nil)
    }
    try stack.expectFiles([Album.long(2)])
  }

  @Test func `history keeps a preserved value after its file is deleted`() throws {
    let model = ManagedObjectModel([
      .init(
        "Photo",
        attributes: [
          .init("image", .binary, allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true)
        ])
    ])
    let stack = try Stack(model: model) { $0.tracksHistory = true }
    let context = stack.context()
    try context.performAndWait {
      let photo = context.insert(model.entity("Photo"))
      photo["image"] = .binary(Album.long(1))
      try context.save()
      context.delete(photo)
      try context.save()
      let transactions = try stack.coordinator.execute(.fetchHistory(after: nil)).transactions
      let change = try #require(transactions.last?.changes?.first)
      #expect(change.tombstone == ["image": .binary(Album.long(1))])
    }
    try stack.expectFiles([])
  }

  // MARK: Mishaps

  @Test(arguments: [0, 1])
  func `a save without the folder of external files throws, and succeeds with the folder`(depth: Int) throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let chain = stack.chain(depth)
    let aside = stack.folder.url.appendingPathComponent("aside")
    chain.leaf.performAndWait { _ = chain.leaf.insertPhoto("b", Album.long(2)) }
    for context in chain.contexts.dropFirst().reversed() { try context.performAndWait { try context.save() } }
    try FileManager.default.moveItem(at: stack.folder.externalData, to: aside)
    let root = chain.root
    for isFile in [false, true] {
      if isFile { try Data().write(to: stack.folder.externalData) }
      let error = #expect(throws: PersistenceError.self) { try root.performAndWait { try root.save() } }
      #expect(error?.code == .externalDataUnwritable)
      #expect(error?.path?.hasPrefix(stack.folder.externalData.path) == true)
      #expect(root.performAndWait { root.insertedObjects.count } == 1)
    }
    try FileManager.default.removeItem(at: stack.folder.externalData)
    try FileManager.default.moveItem(at: aside, to: stack.folder.externalData)
    try root.performAndWait { try root.save() }
    try stack.expectFiles([Album.long(1), Album.long(2)])
  }

  /// The superuser may write everywhere, so the child process becomes another user.
  @Test(.enabled(if: geteuid() == 0, "only the superuser may become another user"))
  func `a read-only folder of external files fails the save and keeps the changes`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let nobody: uid_t = 65_534
      try #require(chown(path, nobody, nobody) == 0)
      try #require(setgid(nobody) == 0 && setuid(nobody) == 0)
      let stack = try Stack(model: Album.model, on: TemporaryFolder(borrowing: URL(fileURLWithPath: path)))
      try stack.seed { $0.insertPhoto("a", Album.long(1)) }
      try #require(chmod(stack.folder.externalData.path, 0o500) == 0)
      let context = stack.context()
      try context.performAndWait {
        context.insertPhoto("b", Album.long(2))
        let error = try #require(throws: PersistenceError.self) { try context.save() }
        try #require(error.code == .externalDataUnwritable && context.insertedObjects.count == 1)
        try #require(chmod(stack.folder.externalData.path, 0o700) == 0)
        try context.save()
      }
      try #require(try stack.folder.externalValues().count == 2)
    }
  }

  /// The process is killed at its COMMIT, when the new file exists. A process that is killed right after its COMMIT
  /// leaves the old file.
  @Test func `opening a store deletes external files that a killed process left`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.storePath as String] in
      let isArmed = Guarded(false)
      let store = try make(Album.model, at: path) { sql in
        if sql.hasPrefix("COMMIT"), isArmed.withLock({ $0 }) { kill(getpid(), SIGKILL) }
      }
      let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: WorkLedger()), store: store)
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
      try context.performAndWait {
        context.insertPhoto("a", Album.long(1))
        context.insertPhoto("b", Album.long(2))
        try context.save()
        try context.photo("a")[Album.image] = .binary(Album.long(3))
        isArmed.withLock { $0 = true }
        try context.save()
      }
    }
    #expect(try folder.externalValues().contains(Album.long(3)))
    try Album.long(4).write(to: folder.externalData.appendingPathComponent(UUID().uuidString))
    #expect(try folder.externalValues().count == 4)
    // Files with other names do not belong to the store.
    let foreign = folder.externalData.appendingPathComponent("notes.txt")
    try Data().write(to: foreign)
    let store = try make(Album.model, at: folder.storePath)
    #expect(FileManager.default.fileExists(atPath: foreign.path))
    try FileManager.default.removeItem(at: foreign)
    #expect(try folder.externalValues() == [Album.long(1), Album.long(2)].sorted { $0.lexicographicallyPrecedes($1) })
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: WorkLedger()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    try context.performAndWait {
      let photo = try context.photo("a")
      #expect(photo[Album.image] == .binary(Album.long(1)))
    }
    try store.close()
    #expect(try PlainReader(path: folder.storePath).rows("PRAGMA integrity_check") == [["ok"]])
  }
}

private func make(
  _ model: ManagedObjectModel, at path: String, onStatement: (@Sendable (String) -> Void)? = nil
) throws(PersistenceError) -> SQLiteStore {
  try SQLiteStore(
    LiveMachine(ledger: WorkLedger()), model: model,
    configuration: SQLiteStoreConfiguration(path: path, onStatement: onStatement))
}
