import CSQLite
import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// Saves to files in whose calls a fault occurs: in each position of a save, and at a power cut.
@Suite struct FileFaultTests {
  typealias Configuration = SQLiteStoreConfiguration

  /// A fault with the kinds of calls in which it occurs.
  struct Fault: CustomTestStringConvertible, Sendable {
    var name: String
    var effect: FileFaults.Effect
    var calls: [FileFaults.Call]
    /// True if the fault occurs in all later calls too.
    var lasts = false

    var testDescription: String { name }

    static let all = [
      Fault(name: "a write fails", effect: .fails(SQLITE_IOERR | 3 << 8), calls: [.write]),
      Fault(name: "the disk is full", effect: .fails(SQLITE_FULL), calls: [.write]),
      Fault(name: "the disk stays full", effect: .fails(SQLITE_FULL), calls: [.write], lasts: true),
      Fault(
        name: "the disk becomes read-only", effect: .fails(SQLITE_READONLY), calls: [.write, .truncate, .delete],
        lasts: true),
      Fault(name: "a write is torn", effect: .tears(SQLITE_IOERR | 3 << 8), calls: [.write]),
      Fault(name: "the disk becomes full within a write", effect: .tears(SQLITE_FULL), calls: [.write]),
      Fault(name: "a sync fails", effect: .fails(SQLITE_IOERR | 4 << 8), calls: [.sync]),
      Fault(name: "a read fails", effect: .fails(SQLITE_IOERR | 1 << 8), calls: [.read]),
      Fault(name: "a file cannot be opened", effect: .fails(SQLITE_CANTOPEN), calls: [.open]),
      Fault(name: "a file is not truncated", effect: .fails(SQLITE_IOERR | 6 << 8), calls: [.truncate]),
      Fault(name: "a file is not deleted", effect: .fails(SQLITE_IOERR | 10 << 8), calls: [.delete]),
    ]
  }

  @Test(arguments: Fault.all, [Configuration.JournalMode.wal, .delete, .truncate, .persist])
  func `a save of 50 objects is whole or not there at each position of a fault`(
    fault: Fault, journalMode: Configuration.JournalMode
  ) throws {
    var position = 0
    while true {
      position += 1
      let disk = try FaultyDisk(journalMode, .full)
      let context = disk.context()
      try context.performAndWait {
        disk.insert(batch: 0, count: 3, into: context)
        try context.save()
        disk.insert(batch: 1, count: 50, into: context)
      }
      disk.faults.arm(fault.effect, at: position, of: fault.calls, lasts: fault.lasts)
      let failure = Result<Void, any Error> { try context.performAndWait { try context.save() } }
      let hasOccurred = disk.faults.hasOccurred
      disk.faults.disarm()
      let place = Comment(rawValue: "\(fault.name), position \(position)")
      switch failure {
      case .failure(let error):
        let error = try #require(error as? PersistenceError, place)
        #expect(hasOccurred && !error.message.isEmpty && error.path != nil, place)
        #expect(context.performAndWait { context.insertedObjects.count } == 50, place)
        #expect(try disk.batches() == [0: 3], place)
        try context.performAndWait { try context.save() }
      case .success:
        #expect(context.performAndWait { !context.hasChanges }, place)
      }
      #expect(try disk.batches() == [0: 3, 1: 50], place)
      #expect(try disk.wrongImageCount() == 0 && disk.integrity() == "ok", place)
      try disk.store.close()
      guard hasOccurred else { break }
    }
    // Each mode makes the calls that it needs: a log is not deleted while its store is open.
    if fault.calls == [.write] || fault.calls == [.sync] { #expect(position > 5) }
  }

  @Test(arguments: Fault.all, [Configuration.JournalMode.wal, .truncate, .persist])
  func `a batch insert is whole or not there at each position of a fault`(
    fault: Fault, journalMode: Configuration.JournalMode
  ) throws {
    var position = 0
    while true {
      position += 1
      let disk = try FaultyDisk(journalMode, .full)
      let context = disk.context()
      disk.faults.arm(fault.effect, at: position, of: fault.calls, lasts: fault.lasts)
      let failure = Result<Void, any Error> { try context.performAndWait { try disk.insertBatch(1, into: context) } }
      let hasOccurred = disk.faults.hasOccurred
      disk.faults.disarm()
      let place = Comment(rawValue: "\(fault.name), position \(position)")
      if case .failure = failure {
        #expect(hasOccurred, place)
        #expect(try disk.batches() == [:], place)
        try context.performAndWait { try disk.insertBatch(1, into: context) }
      }
      #expect(try disk.batches() == [1: 20], place)
      #expect(try disk.wrongImageCount() == 0 && disk.integrity() == "ok", place)
      try disk.store.close()
      guard hasOccurred else { break }
    }
  }

  @Test func `a store whose file cannot be read for a moment fails or has all rows`() throws {
    let disk = try FaultyDisk(.wal, .normal)
    let context = disk.context()
    try context.performAndWait {
      disk.insert(batch: 0, count: 500, into: context)
      try context.save()
    }
    try disk.store.close()
    var position = 0
    while true {
      position += 1
      let faults = FileFaults()
      faults.arm(.fails(SQLITE_IOERR | 1 << 8), at: position, of: [.read])
      let found = Result { try FaultyDisk(on: disk.folder, faults: faults).batches() }
      if case .success(let batches) = found { #expect(batches == [0: 500]) }
      guard faults.hasOccurred else { break }
      let again = try FaultyDisk(on: disk.folder)
      #expect(try again.batches() == [0: 500])
      try again.store.close()
    }
    #expect(position > 10)
  }

  /// The first save is of 3 photos. Each later one inserts 5 and deletes the 5 of the save before, so that files are
  /// written and removed.
  @Test(
    arguments: [Configuration.JournalMode.wal, .delete, .truncate, .persist],
    [Configuration.Synchronous.normal, .full, .extra])
  func `a power cut loses no durable save, leaves no half of one and takes no file of a row`(
    journalMode: Configuration.JournalMode, synchronous: Configuration.Synchronous
  ) throws {
    // SQLite's documentation of PRAGMA synchronous: with a log, a commit is synced from FULL on. A deleted journal may
    // come back after a power cut unless EXTRA syncs its folder.
    let isDurable = journalMode == .delete ? synchronous == .extra : synchronous != .normal
    var position = 0
    while true {
      position += 1
      let disk = try FaultyDisk(journalMode, synchronous)
      let context = disk.context()
      try context.performAndWait {
        disk.insert(batch: 0, count: 3, into: context)
        try context.save()
      }
      disk.faults.arm(.powerCut, at: position, of: [.write, .sync, .truncate, .delete])
      var acknowledged = 0
      for batch in 1...3 {
        let isSaved = context.performAndWait { () -> Bool in
          disk.insert(batch: batch, count: 5, into: context)
          return (try? disk.delete(batch: batch - 1, from: context)) != nil && (try? context.save()) != nil
        }
        guard isSaved else { break }
        acknowledged = batch
      }
      let hasOccurred = disk.faults.hasOccurred
      for seed in [nil, 1, 2, 3] as [UInt64?] {
        let place = Comment(rawValue: "position \(position), seed \(seed.map { "\($0)" } ?? "none")")
        let left = try FaultyDisk(leftBy: disk, seed: seed)
        #expect(try left.integrity() == "ok", place)
        let batches = try left.batches()
        let last = batches.keys.max() ?? -1
        #expect(batches == (last < 0 ? [:] : last == 0 ? [0: 3] : [0: 3, last: 5]), place)
        #expect(try left.wrongImageCount() == 0, place)
        // A save that failed because of the cut may be there.
        if isDurable { #expect(last >= acknowledged, place) }
        try left.store.close()
      }
      guard hasOccurred else { break }
    }
    #expect(position > 20)
  }

  @Test func `a truncated log leaves whole saves`() throws {
    let disk = try FaultyDisk(.wal, .normal)
    let context = disk.context()
    for batch in 0...3 {
      try context.performAndWait {
        disk.insert(batch: batch, count: 5, into: context)
        try context.save()
      }
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: disk.folder.storePath + "-wal"))
    var lasts: Set<Int> = []
    for length in stride(from: 0, through: log.count, by: 499) {
      let folder = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: disk.folder.storePath, toPath: folder.storePath)
      try log.prefix(length).write(to: URL(fileURLWithPath: folder.storePath + "-wal"))
      // The schema is in the log as well, and a file without it is a new store.
      let left = try FaultyDisk(on: folder)
      let batches = try left.batches()
      let last = batches.keys.max() ?? -1
      #expect(batches == Dictionary(uniqueKeysWithValues: (0..<last + 1).map { ($0, 5) }), "\(length) bytes")
      #expect(try left.integrity() == "ok", "\(length) bytes")
      lasts.insert(last)
      try left.store.close()
    }
    #expect(lasts.count > 2)
  }
}

/// A store of photos, some of which are in files of their own, on files in whose calls faults may occur.
private struct FaultyDisk {
  let folder: TemporaryFolder
  let faults: FileFaults
  let store: SQLiteStore
  let coordinator: PersistentStoreCoordinator

  private static let model = ManagedObjectModel([
    .init(
      "Photo",
      attributes: [
        .init("batch", .integer64), .init("number", .integer64),
        .init("image", .binary, allowsExternalBinaryDataStorage: true),
      ])
  ])
  private static let photo = model.entity("Photo")
  private static let batch = photo.path("batch")
  private static let number = photo.path("number")
  private static let image = photo.path("image")
  private static let externalLimit = 1_000

  init(
    _ journalMode: SQLiteStoreConfiguration.JournalMode = .wal,
    _ synchronous: SQLiteStoreConfiguration.Synchronous = .normal, on folder: TemporaryFolder? = nil,
    faults: FileFaults = FileFaults()
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.faults = faults
    let machine = LiveMachine(ledger: WorkLedger())
    var configuration = SQLiteStoreConfiguration(
      path: self.folder.storePath, journalMode: journalMode, synchronous: synchronous,
      fileAccess: .counted(passesSyncsOn: false))
    configuration.faults = faults
    configuration.externalDataLimit = Self.externalLimit
    store = try SQLiteStore(machine, model: Self.model, configuration: configuration)
    coordinator = PersistentStoreCoordinator(machine: machine, store: store)
  }

  /// Opens the files that a device has after the power was cut, in a folder of their own.
  init(leftBy disk: FaultyDisk, seed: UInt64?) throws {
    let folder = try TemporaryFolder()
    for case (let path, let content?) in disk.faults.filesAfterPowerCut(seed: seed) {
      let target = folder.url.path + path.dropFirst(disk.folder.url.path.count)
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: target).deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content).write(to: URL(fileURLWithPath: target))
    }
    try self.init(on: folder)
  }

  func context() -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
  }

  /// Inserts photos, of which every fifth is so long that it has a file of its own.
  func insert(batch: Int, count: Int, into context: ManagedObjectContext) {
    for number in 0..<count {
      let photo = context.insert(Self.photo)
      photo[Self.batch] = .integer(Int64(batch))
      photo[Self.number] = .integer(Int64(number))
      photo[Self.image] = .binary(Self.image(batch: batch, number: number))
    }
  }

  /// Deletes the photos of a batch other than the first one.
  func delete(batch: Int, from context: ManagedObjectContext) throws {
    guard batch > 0 else { return }
    for photo in try context.fetch(FetchRequest(Self.photo)) where photo[Self.batch] == .integer(Int64(batch)) {
      context.delete(photo)
    }
  }

  /// Inserts 20 photos by one request.
  func insertBatch(_ batch: Int, into context: ManagedObjectContext) throws {
    let objects = (0..<20).map { number -> [String: Value] in
      [
        "batch": .integer(Int64(batch)), "number": .integer(Int64(number)),
        "image": .binary(Self.image(batch: batch, number: number)),
      ]
    }
    _ = try context.execute(BatchInsertRequest(Self.photo, objects: objects))
  }

  private static func image(batch: Int, number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: batch * 60 + number), count: number % 5 == 0 ? 3_000 : 200)
  }

  private func photos(_ body: (ManagedObject) -> Void) throws {
    let context = context()
    try context.performAndWait {
      for photo in try context.fetch(FetchRequest(Self.photo)) { body(photo) }
    }
  }

  /// Returns the number of photos of each batch in the store.
  func batches() throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    try photos { photo in
      if case .integer(let batch) = photo[Self.batch] { counts[Int(batch), default: 0] += 1 }
    }
    return counts
  }

  /// Returns the number of photos whose image is not the one that was saved.
  func wrongImageCount() throws -> Int {
    var count = 0
    try photos { photo in
      guard case .integer(let batch) = photo[Self.batch], case .integer(let number) = photo[Self.number],
        photo[Self.image] == .binary(Self.image(batch: Int(batch), number: Int(number)))
      else { return count += 1 }
    }
    return count
  }

  func integrity() throws -> String {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    try #require(sqlite3_open(folder.storePath, &connection) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(connection, "PRAGMA integrity_check", -1, &statement, nil) == SQLITE_OK)
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
  }
}
