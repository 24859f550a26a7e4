import ContextEngine
import Foundation
import MachineCore

/// The external files of a store, which hold the values that are too long for its tables:
/// `.NAME_SUPPORT/_EXTERNAL_DATA/UUID`, named as in Core Data.
///
/// A file belongs to one attribute of one row and is never changed. It is written in the transaction that writes the
/// row, and removed after the commit that removes the reference is synced. A process that is killed in between leaves
/// an unreferenced file, which is removed when the store is opened next. Rows in use keep a value whose file is removed
/// (`ExternalData.detach()`). A file to which a reader in progress may have found a reference remains until the last
/// such reader has finished.
///
/// Reads, writes and syncs are reported as work, like the work of SQLite's own files, if the store counts pages and
/// syncs. They are not reported if file access is direct. Thread-safe.
final class ExternalStorage: Sendable {
  let folder: URL
  private let machine: any Machine
  private let fileSystem: CountingFileSystem?
  /// Indicates whether files are synced to the device before the commit that refers to them.
  private let syncs: Bool
  private let isFullFlush: Bool
  private let storePath: String
  private let journalMode: SQLiteStoreConfiguration.JournalMode
  /// True if SQLite syncs each commit before COMMIT returns.
  private let hasSyncedCommits: Bool
  private let state: Guarded<State>

  fileprivate struct State {
    /// The values that rows use, by the name of their file.
    var values: [String: WeakValue] = [:]
    /// The number of entries in `values` above which the entries of deallocated values are removed.
    var tidyingCount = 64
    var readerCount = 0
    /// The files that the store no longer refers to, kept for readers that may have found a reference.
    var waiting: [String] = []
    var hasFolder: Bool
  }

  fileprivate struct WeakValue: Sendable {
    weak var value: ExternalData?
  }

  init(_ machine: any Machine, configuration: SQLiteStoreConfiguration, fileSystem: CountingFileSystem?) {
    self.machine = machine
    self.fileSystem = fileSystem
    syncs = configuration.synchronous != .off
    isFullFlush = configuration.fullfsync
    storePath = configuration.path
    journalMode = configuration.journalMode
    // A deleted journal may come back unless EXTRA syncs its folder, as SQLite documents of PRAGMA synchronous.
    hasSyncedCommits =
      configuration.synchronous == .extra || configuration.synchronous == .full && journalMode != .delete
    folder = Self.folder(ofStoreAt: configuration.path)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    state = Guarded(State(hasFolder: exists && isFolder.boolValue))
  }

  /// Returns the folder in which a store keeps the data that is not in its file.
  static func supportFolder(ofStoreAt path: String) -> URL {
    let store = URL(fileURLWithPath: path)
    let name = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
    return store.deletingLastPathComponent().appendingPathComponent(name, isDirectory: true)
  }

  private static func folder(ofStoreAt path: String) -> URL {
    supportFolder(ofStoreAt: path).appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
  }

  func path(of name: String) -> String { folder.appendingPathComponent(name).path }
}

// MARK: - Values

extension ExternalStorage {
  /// Returns the value of a file that a row refers to. All rows with the file share one value. Does not read the file.
  func value(named name: String) -> ExternalData {
    state.withLock { state in
      if let known = state.values[name]?.value { return known }
      let value = ExternalData(SupportFile(storage: self, name: name))
      state.note(value, named: name)
      return value
    }
  }

  /// Records that a value is stored in a file from now on.
  func settle(_ value: ExternalData, named name: String) {
    value.settle(in: SupportFile(storage: self, name: name))
    state.withLock { $0.note(value, named: name) }
  }

  /// Returns true if the value is stored in the file with this name.
  func has(_ value: ExternalData, named name: String) -> Bool {
    (value.file as? SupportFile).map { $0.storage === self && $0.name == name } ?? false
  }

  fileprivate func read(_ name: String) throws(PersistenceError) -> Data {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: folder.appendingPathComponent(name), options: .alwaysMapped)
    } catch {
      throw PersistenceError(
        .externalDataUnreadable, "a value in a file beside the store cannot be read: \(error.localizedDescription)",
        path: path(of: name))
    }
    fileSystem?.hasRead(bytes.count, from: .other)
    return bytes
  }
}

extension ExternalStorage.State {
  fileprivate mutating func note(_ value: ExternalData, named name: String) {
    values[name] = .init(value: value)
    guard values.count > tidyingCount else { return }
    values = values.filter { $0.value.value != nil }
    tidyingCount = max(64, 2 * values.count)
  }
}

/// An external file of a store.
private struct SupportFile: ExternalFile {
  let storage: ExternalStorage
  let name: String

  var path: String { storage.path(of: name) }

  func read() throws(PersistenceError) -> Data { try storage.read(name) }
}

// MARK: - Writing

extension ExternalStorage {
  /// Returns a name for the file of a value, derived from the value's place so that it is the same in each run. No
  /// existing file has the name.
  func unusedName(store identifier: String, table: String, key: Int64, slot: Int, version: Int64) -> String {
    var attempt = 0
    while true {
      var random = SeededRandom(
        seed: UInt64(bitPattern: key), stream: "\(identifier) \(table) \(slot) \(version) \(attempt)")
      var bytes: [UInt8] = []
      for _ in 0..<2 { withUnsafeBytes(of: random.next().bigEndian) { bytes += $0 } }
      // Version 8 of UUIDs is for custom schemes.
      bytes[6] = bytes[6] & 0x0f | 0x80
      bytes[8] = bytes[8] & 0x3f | 0x80
      let name = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
      if !FileManager.default.fileExists(atPath: path(of: name)) { return name }
      attempt += 1
    }
  }

  /// Writes a new file, and syncs it if the store syncs what it writes.
  ///
  /// - Throws: `.full` if there is no space left, `.externalDataUnwritable` otherwise. A part of the file may remain in
  ///   these cases.
  func write(_ bytes: Data, named name: String) throws(PersistenceError) {
    try makeFolder()
    let path = path(of: name)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Self.failure(errno, path: path) }
    defer { close(file) }
    let faults = fileSystem?.faults
    let effect = faults?.effect(of: .write)
    if case .fails? = effect { throw Self.failure(EIO, path: path) }
    if effect == .drops { return }
    let code = CompleteWrite.write(effect == nil ? bytes : bytes.prefix(bytes.count / 2), to: file)
    guard code == 0, effect == nil else { throw Self.failure(code == 0 ? ENOSPC : code, path: path) }
    fileSystem?.hasWritten(bytes.count, to: .other)
    if let faults { bytes.withUnsafeBytes { faults.wrote($0, to: path, at: 0) } }
    try sync(file, path: path)
    if syncs { faults?.synced(path) }
  }

  /// Syncs the folder, and with it the names of new files, if the store syncs what it writes.
  func syncFolder() throws(PersistenceError) { try sync(at: folder.path) }

  /// Syncs the store's last commit if COMMIT did not, and if the store syncs what it writes.
  func syncCommit() throws(PersistenceError) {
    guard syncs, !hasSyncedCommits else { return }
    let journal = storePath + (journalMode == .wal ? "-wal" : "-journal")
    switch journalMode {
    case .wal: try sync(at: journal, .writeAheadLog)
    case .truncate, .persist: try sync(at: journal, .rollbackJournal)
    // The folder records that the journal was deleted.
    case .delete: try sync(at: URL(fileURLWithPath: storePath).deletingLastPathComponent().path, .rollbackJournal)
    case .memory, .off: return
    }
    fileSystem?.faults?.synced(journal)
  }

  /// Syncs a file or a folder.
  private func sync(at path: String, _ kind: FileCounts.Kind = .other) throws(PersistenceError) {
    guard syncs else { return }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure(errno, path: path) }
    defer { close(file) }
    try sync(file, path: path, kind)
  }

  private func sync(_ file: Int32, path: String, _ kind: FileCounts.Kind = .other) throws(PersistenceError) {
    guard syncs else { return }
    if let code = fileSystem?.faults?.code(of: .sync), code != ResultCode.ok { throw Self.failure(EIO, path: path) }
    var isSynced = true
    if let fileSystem {
      isSynced = fileSystem.sync(kind, isFullFlush: isFullFlush) { fsync(file) == 0 ? 0 : 1 } == 0
    } else {
      isSynced = fsync(file) == 0
    }
    if !isSynced { throw Self.failure(errno, path: path) }
  }

  /// Creates the folder for the first file. A folder that existed and has disappeared is not created again, since its
  /// files are missing.
  private func makeFolder() throws(PersistenceError) {
    if state.withLock({ $0.hasFolder }) { return }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw PersistenceError(
        .externalDataUnwritable,
        "the folder of external values cannot be created beside the store: \(error.localizedDescription)",
        path: folder.path)
    }
    state.withLock { $0.hasFolder = true }
  }

  private static func failure(_ code: Int32, path: String) -> PersistenceError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(code)
    let reason = String(cString: strerror(code))
    return PersistenceError(
      isFull ? .full : .externalDataUnwritable, "a value cannot be written into a file beside the store: \(reason)",
      path: path)
  }
}

// MARK: - Removing

extension ExternalStorage {
  /// Counts a reader. Files that are removed from now on remain until the reader has left.
  func enter() { state.withLock { $0.readerCount += 1 } }

  /// Ends the count of a reader. If it was the last one, removes the files that were kept for readers.
  func leave() {
    let names = state.withLock { state -> [String] in
      state.readerCount -= 1
      guard state.readerCount == 0, !state.waiting.isEmpty else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    if !names.isEmpty { removeNow(names) }
  }

  /// Removes files that the store no longer refers to, at once or after the readers in progress have finished.
  func remove(_ names: [String]) {
    let isFree = state.withLock { state in
      if state.readerCount > 0 { state.waiting += names }
      return state.readerCount == 0
    }
    if isFree { removeNow(names) }
  }

  /// Removes files immediately, such as the files of a rolled-back transaction, to which readers cannot have found a
  /// reference.
  func takeBack(_ names: [String]) {
    for name in names { unlink(path(of: name)) }
  }

  private func removeNow(_ names: [String]) {
    for name in names {
      state.withLock { $0.values[name]?.value }?.detach()
      unlink(path(of: name))
      fileSystem?.faults?.deleted(path(of: name), isSynced: true)
    }
  }

  /// Returns the names of all external files in the folder, in ascending order. Files whose names are not UUIDs are
  /// left out.
  func names() -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return found.filter { UUID(uuidString: $0) != nil }.sorted()
  }
}
