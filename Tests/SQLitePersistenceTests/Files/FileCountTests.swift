import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import Testing

/// The counts of the shim. Each figure follows from SQLite's file formats.
@Suite struct FileCountTests {
  typealias Configuration = SQLiteStoreConfiguration

  private static let counted = Configuration.FileAccess.counted(passesSyncsOn: false)

  /// Returns a store whose write-ahead log has begun, if it has one.
  private static func openedStore(
    _ fixture: StoreFixture, _ journalMode: Configuration.JournalMode, _ synchronous: Configuration.Synchronous,
    fullfsync: Bool = false
  ) throws -> SQLiteStore {
    let store = try fixture.open(
      Configuration(
        path: fixture.path, journalMode: journalMode, synchronous: synchronous, fullfsync: fullfsync,
        fileAccess: counted))
    try insertAuthor(store, key: 1)
    return store
  }

  private static func insertAuthor(_ store: SQLiteStore, key: Int64) throws {
    var changes = StoreChanges()
    changes.insertions = [
      .init(objectID: ObjectID(entity: 0, key: key), row: Row(version: 1, values: [.string("Ada")]))
    ]
    try store.saveWithoutConflicts(changes)
  }

  @Test(arguments: [(Configuration.Synchronous.off, 0), (.normal, 2)])
  func `external files count as pages and syncs`(synchronous: Configuration.Synchronous, syncs: Int) throws {
    let model = ManagedObjectModel([
      .init("Photo", attributes: [.init("image", .binary, allowsExternalBinaryDataStorage: true)])
    ])
    let fixture = try StoreFixture(model: model)
    let store = try fixture.open(
      Configuration(path: fixture.path, synchronous: synchronous, fileAccess: Self.counted))
    let photo = model.entity("Photo")
    let long = ExternalData(Data(repeating: 7, count: 40_960))
    let first = try store.reserveKeys([KeyRequest(entity: photo, count: 1)])[0]
    var row = Row(version: 1, slotCount: 1, byteCapacity: 0)
    row.set(long, at: 0)
    var changes = StoreChanges()
    changes.insertions = [.init(objectID: ObjectID(entity: 0, key: first), row: row.shared())]
    let written = try store.counts { try store.saveWithoutConflicts(changes) }.other
    // The file, and the folder that has its name.
    #expect(written.pagesWritten == 10 && written.bytesWritten == 40_960 && written.syncs == syncs)
    let found = try #require(try store.all(photo).first)
    let read = try store.counts { #expect(found.row.value(at: 0) == .binary(Data(repeating: 7, count: 40_960))) }
    #expect(read.other.pagesRead == 10 && read.other.bytesRead == 40_960)
    // The file is mapped from then on.
    let again = try store.counts { #expect(!found.row.value(at: 0).isNull) }
    #expect(again == FileCounts())
    try store.close()
  }

  @Test(arguments: Configuration.Synchronous.allCases)
  func `a commit of one row writes one frame to the write-ahead log`(synchronous: Configuration.Synchronous) throws {
    let fixture = try StoreFixture()
    let store = try Self.openedStore(fixture, .wal, synchronous)
    let counts = try store.counts { try Self.insertAuthor(store, key: 2) }
    var expected = FileCounts()
    // A frame is a header and a page, which SQLite writes one after the other.
    expected.writeAheadLog.pagesWritten = 1
    expected.writeAheadLog.bytesWritten = 24 + 4_096
    expected.writeAheadLog.syncs = synchronous == .full || synchronous == .extra ? 1 : 0
    #expect(counts == expected)
    #expect(try store.counts { _ = try store.all(store.author) } == FileCounts())
    try store.close()
  }

  @Test(
    arguments: [
      (Configuration.Synchronous.off, 0, 0, 0), (.normal, 1, 0, 1), (.full, 2, 0, 1), (.extra, 2, 1, 1),
    ])
  func `a one-row commit writes old pages to the journal, new ones to the database`(
    synchronous: Configuration.Synchronous, journalSyncs: Int, folderSyncs: Int, databaseSyncs: Int
  ) throws {
    let fixture = try StoreFixture()
    let store = try Self.openedStore(fixture, .delete, synchronous)
    let counts = try store.counts { try Self.insertAuthor(store, key: 2) }
    var expected = FileCounts()
    // The header, a sector of 512 bytes, and two records: the page of the table and the first, which has the change
    // counter. Each is number, page and checksum. Before it is synced, the header gets the number of records.
    expected.rollbackJournal.pagesWritten = 3
    expected.rollbackJournal.bytesWritten = 512 + 2 * (4 + 4_096 + 4) + (synchronous == .off ? 0 : 12)
    expected.rollbackJournal.syncs = journalSyncs + folderSyncs
    expected.database.pagesWritten = 2
    expected.database.bytesWritten = 2 * 4_096
    expected.database.syncs = databaseSyncs
    // SQLite reads the change counter and the bytes after it, to check that the cache of the connection is still valid.
    expected.database.bytesRead = 16
    #expect(counts == expected)
    try store.close()
  }

  @Test func `a page outside the connection's cache is read once`() throws {
    let fixture = try StoreFixture()
    try Self.openedStore(fixture, .delete, .off).close()
    let store = try fixture.open(Configuration(path: fixture.path, journalMode: .delete, fileAccess: Self.counted))
    let read = try store.counts { _ = try store.all(store.author) }
    #expect(read.database.pagesRead == 1)
    #expect(read.database.bytesRead == 16 + 4_096)
    let again = try store.counts { _ = try store.all(store.author) }
    #expect(again.database.pagesRead == 0)
    try store.close()
  }

  @Test func `memory-mapped pages count as read`() throws {
    let fixture = try StoreFixture()
    try Self.openedStore(fixture, .delete, .off).close()
    let store = try fixture.open(Configuration(path: fixture.path, journalMode: .delete, fileAccess: Self.counted))
    try store.pool.withWriter { connection throws(PersistenceError) in
      try connection.executeOnce("PRAGMA mmap_size = 1000000")
    }
    #expect(try store.counts { _ = try store.all(store.author) }.database.pagesRead == 1)
    try store.close()
  }

  @Test func `a commit that fills the write-ahead log counts the pages of its checkpoint`() throws {
    let fixture = try StoreFixture()
    let store = try Self.openedStore(fixture, .wal, .normal)
    var frameCount = 0
    var key: Int64 = 2
    var last = FileCounts()
    let before = try #require(store.fileCounts)
    while last.database.pagesWritten == 0 {
      last = try store.counts { try Self.insertAuthor(store, key: key) }
      key += 1
      frameCount = try #require(store.fileCounts).writeAheadLog.pagesWritten
      try #require(frameCount <= 1_002)
    }
    #expect(frameCount >= 1_000)
    #expect((try #require(store.fileCounts) - before - last).database == FileCounts.Traffic())
    // The log is synced before it is copied, then the database.
    #expect(last.writeAheadLog.syncs == 1)
    #expect(last.database.syncs == 1)
    // Each page is copied once from the log into the database, even if it was written more often.
    #expect(last.writeAheadLog.pagesRead == last.database.pagesWritten)
    #expect(last.database.bytesWritten == 4_096 * last.database.pagesWritten)
    #expect(last.database.pagesWritten < 20)
    try store.close()
  }

  @Test(arguments: Configuration.JournalMode.allCases, Configuration.Synchronous.allCases)
  func `a store syncs unless synchronous is off`(
    journalMode: Configuration.JournalMode, synchronous: Configuration.Synchronous
  ) throws {
    let fixture = try StoreFixture()
    let store = try Self.openedStore(fixture, journalMode, synchronous)
    try store.close()
    let counts = try #require(store.fileCounts)
    #expect((counts.total.syncs > 0) == (synchronous != .off))
    #expect(counts.total.fullFlushes == 0)
    #expect(counts.other == FileCounts.Traffic())
    #expect(fixture.machine.ledger.count(.sync) == counts.total.syncs)
  }

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `every sync is a full flush if fullfsync is on`(journalMode: Configuration.JournalMode) throws {
    let fixture = try StoreFixture()
    let plain = try Self.openedStore(StoreFixture(), journalMode, .full)
    let store = try Self.openedStore(fixture, journalMode, .full, fullfsync: true)
    try plain.close()
    try store.close()
    let counts = try #require(store.fileCounts)
    #expect(counts.total.syncs == 0)
    #expect(counts.total.fullFlushes == plain.fileCounts?.total.syncs)
    #expect(fixture.machine.ledger.count(.fullFlush) == counts.total.fullFlushes)
    #expect(fixture.machine.ledger.count(.sync) == 0)
  }

  @Test func `the machine's ledger agrees with the store's file counts`() throws {
    let fixture = try StoreFixture()
    let store = try Self.openedStore(fixture, .wal, .full)
    for key in Int64(2)...20 { try Self.insertAuthor(store, key: key) }
    try store.close()
    let total = try #require(store.fileCounts).total
    let ledger = fixture.machine.ledger
    #expect(ledger.count(.pageRead) == total.pagesRead)
    #expect(ledger.bytes(.pageRead, for: .background) == total.bytesRead)
    #expect(ledger.count(.pageWritten) == total.pagesWritten)
    #expect(ledger.bytes(.pageWritten, for: .background) == total.bytesWritten)
    #expect(ledger.count(.sync) == total.syncs)
    #expect(total.pagesRead > 0)
  }

  @Test(
    arguments: [
      (1, 0), (24, 0), (511, 0), (512, 1), (4_095, 1), (4_096, 1), (4_096 + 24, 1), (8_191, 1), (8_192, 2),
      (65_536, 16),
    ])
  func `a number of bytes counts as its pages, rounded up`(bytes: Int, pageCount: Int) {
    #expect(FileCounts.pageCount(ofBytes: bytes) == pageCount)
  }

  @Test func `a store with direct file access has no file counts`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(Configuration(path: fixture.path, synchronous: .full))
    try Self.insertAuthor(store, key: 1)
    try store.close()
    #expect(store.fileCounts == nil)
    for kind in [Work.Kind.pageRead, .pageWritten, .sync, .fullFlush] {
      #expect(fixture.machine.ledger.count(kind) == 0)
    }
  }
}

extension SQLiteStore {
  /// Returns the accesses of `body` to the store's files.
  fileprivate func counts(of body: () throws -> Void) throws -> FileCounts {
    let before = try #require(fileCounts)
    try body()
    return try #require(fileCounts) - before
  }
}

extension FileCounts {
  var total: Traffic {
    [database, rollbackJournal, writeAheadLog, other].reduce(into: Traffic()) { total, part in
      total = total.combined(with: part, +)
    }
  }

  static func - (left: FileCounts, right: FileCounts) -> FileCounts {
    var difference = FileCounts()
    for kind in [Kind.database, .rollbackJournal, .writeAheadLog, .other] {
      difference[kind] = left[kind].combined(with: right[kind], -)
    }
    return difference
  }
}

extension FileCounts.Traffic {
  fileprivate func combined(with other: Self, _ operation: (Int, Int) -> Int) -> Self {
    var combined = Self()
    for field in [
      \Self.pagesRead, \.bytesRead, \.pagesWritten, \.bytesWritten, \.syncs, \.fullFlushes,
    ] as [WritableKeyPath<Self, Int>] {
      combined[keyPath: field] = operation(self[keyPath: field], other[keyPath: field])
    }
    return combined
  }
}
