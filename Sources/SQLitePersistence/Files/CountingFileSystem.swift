import CSQLite
import ContextEngine
import Glibc
import MachineCore
import Synchronization

/// A VFS shim: stands between SQLite and its default VFS, passes every call on, counts pages and syncs and reports them
/// to a machine as work.
///
/// Each report is settled by a call of the machine before SQLite hears that its call is done, hence while it still holds
/// the lock under which it made the call: on a machine that charges for work, a commit does not show before its time has
/// passed. SQLite's own pauses become waits of the machine for the same reason.
///
/// One for each store, under a name of its own, so that the stores of several machines work side by side. All that is
/// done through it counts, also what opening and closing the store does. Calls that fail do not count, nor do those that
/// no page is moved by (sizes, locks, truncation). Thread-safe.
// `@unchecked`: all pointers are set once; what the one to the VFS points to is written before it is registered, and
// afterwards only by SQLite, which has a lock for it; the counts and whether it is registered are guarded.
final class CountingFileSystem: @unchecked Sendable {
  /// What `sqlite3_open_v2` knows it by, until it is unregistered.
  let name: String

  private let machine: any Machine
  private let passesSyncsOn: Bool
  private let wrapped: UnsafeMutablePointer<sqlite3_vfs>
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let isRegistered: Guarded<Bool>
  private let guardedCounts = Guarded(Counts())

  private struct Counts: Sendable {
    var all = FileCounts()
    /// Bytes written since the last sync of either kind: what the next one has to bring to the device.
    var unsynced = FileCounts()
  }

  /// Names are never used twice.
  private static let madeCount = Atomic(0)

  /// The shim that a configuration asks for; nil where access is direct.
  static func make(
    _ machine: any Machine, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) -> CountingFileSystem? {
    switch configuration.fileAccess {
    case .direct: nil
    case .counted(let passesSyncsOn):
      try CountingFileSystem(machine, passesSyncsOn: passesSyncsOn, path: configuration.path)
    }
  }

  /// Registers a new one.
  ///
  /// - Parameters:
  ///   - path: of the store that it is for, as errors name it.
  ///   - wrappedName: the VFS to stand over, which must outlive it; none = the default one.
  init(
    _ machine: any Machine, passesSyncsOn: Bool, path: String, over wrappedName: String? = nil
  ) throws(PersistenceError) {
    guard let wrapped = sqlite3_vfs_find(wrappedName) else {
      throw PersistenceError(.storeOpen, "SQLite has no VFS \(wrappedName ?? "of its own")", path: path)
    }
    self.machine = machine
    self.passesSyncsOn = passesSyncsOn
    self.wrapped = wrapped
    name = "counting-\(Self.madeCount.add(1, ordering: .relaxed).newValue)"
    vfs = .allocate(capacity: 1)
    vfs.initialize(to: Self.vfs(over: wrapped.pointee))
    vfs.pointee.zName = UnsafePointer(strdup(name))
    isRegistered = Guarded(false)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    let code = sqlite3_vfs_register(vfs, 0)
    guard code == ResultCode.ok else {
      let reason = String(cString: sqlite3_errstr(code))
      throw PersistenceError(sqliteCode: code, reason: reason, doing: "registering the VFS shim", path: path)
    }
    isRegistered.withLock { $0 = true }
  }

  deinit {
    unregister()
    free(UnsafeMutableRawPointer(mutating: vfs.pointee.zName))
    vfs.deallocate()
  }

  /// What was done through it so far.
  var counts: FileCounts { guardedCounts.withLock { $0.all } }

  /// Takes its name away from SQLite; a second call does nothing. No connection may be opened by it afterwards.
  func unregister() {
    isRegistered.withLock { isRegistered in
      if isRegistered { sqlite3_vfs_unregister(vfs) }
      isRegistered = false
    }
  }
}

// MARK: - What files report

extension CountingFileSystem {
  /// Bytes were read from a file.
  func hasRead(_ bytes: Int, from kind: FileCounts.Kind) {
    let pageCount = FileCounts.pageCount(ofBytes: bytes)
    guardedCounts.withLock { counts in
      counts.all[kind].pagesRead += pageCount
      counts.all[kind].bytesRead += bytes
    }
    settle(Work(.pageRead, count: pageCount, bytes: bytes))
  }

  /// Bytes were written to a file.
  func hasWritten(_ bytes: Int, to kind: FileCounts.Kind) {
    let pageCount = FileCounts.pageCount(ofBytes: bytes)
    guardedCounts.withLock { counts in
      counts.all[kind].pagesWritten += pageCount
      counts.all[kind].bytesWritten += bytes
      counts.unsynced[kind].bytesWritten += bytes
    }
    settle(Work(.pageWritten, count: pageCount, bytes: bytes))
  }

  /// Syncs a file by `sync` unless syncs are swallowed, and counts it either way. Returns SQLite's code.
  func sync(_ kind: FileCounts.Kind, isFullFlush: Bool, by sync: () -> Int32) -> Int32 {
    let code = passesSyncsOn ? sync() : ResultCode.ok
    if code == ResultCode.ok { hasSynced(kind, isFullFlush: isFullFlush) }
    return code
  }

  private func hasSynced(_ kind: FileCounts.Kind, isFullFlush: Bool) {
    let bytes = guardedCounts.withLock { counts in
      if isFullFlush {
        counts.all[kind].fullFlushes += 1
      } else {
        counts.all[kind].syncs += 1
      }
      defer { counts.unsynced[kind].bytesWritten = 0 }
      return counts.unsynced[kind].bytesWritten
    }
    settle(Work(isFullFlush ? .fullFlush : .sync, bytes: bytes))
  }

  /// Reports work and lets its time pass before SQLite goes on.
  private func settle(_ work: Work) {
    machine.account(work)
    _ = machine.now
  }
}

// MARK: - The VFS

extension CountingFileSystem {
  /// Opens a file behind `file`, of which SQLite has allocated `szOsFile` bytes.
  fileprivate func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, flags: Int32,
    outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let kind: FileCounts.Kind =
      if flags & SQLITE_OPEN_MAIN_DB != 0 {
        .database
      } else if flags & SQLITE_OPEN_MAIN_JOURNAL != 0 {
        .rollbackJournal
      } else if flags & SQLITE_OPEN_WAL != 0 {
        .writeAheadLog
      } else {
        .other
      }
    let behind = CountedFile.fileBehind(file)
    behind.pointee.pMethods = nil
    let code = wrapped.pointee.xOpen(wrapped, path, behind, flags, outFlags)
    // SQLite closes what has methods, also where opening failed.
    if behind.pointee.pMethods == nil {
      file.pointee.pMethods = nil
    } else {
      CountedFile.initialize(file, kind: kind, of: self)
    }
    return code
  }

  /// Deletes a file; `syncsFolder` = the folder is synced after it, which is a sync of the file's kind.
  fileprivate func delete(_ path: UnsafePointer<CChar>?, syncsFolder: Bool) -> Int32 {
    let code = wrapped.pointee.xDelete(wrapped, path, syncsFolder && passesSyncsOn ? 1 : 0)
    if code == ResultCode.ok, syncsFolder {
      let name = path.map { String(cString: $0) } ?? ""
      let kind: FileCounts.Kind =
        name.hasSuffix("-journal") ? .rollbackJournal : name.hasSuffix("-wal") ? .writeAheadLog : .other
      hasSynced(kind, isFullFlush: false)
    }
    return code
  }

  /// Pauses on the machine's clock: SQLite sleeps to let another connection go on, which may need the machine for it.
  fileprivate func sleep(microseconds: Int32) -> Int32 {
    machine.wait(until: machine.now + .microseconds(Int64(microseconds)))
    return microseconds
  }

  private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Unmanaged<CountingFileSystem> {
    guard let data = vfs?.pointee.pAppData else { trapMisuse("SQLite called a VFS shim without naming it") }
    return Unmanaged.fromOpaque(data)
  }

  /// The functions of a shim over `wrapped`; name and data are still to be filled in.
  private static func vfs(over wrapped: sqlite3_vfs) -> sqlite3_vfs {
    var vfs = sqlite3_vfs()
    // 2 has the time in whole milliseconds. 3 has access to single system calls, which are not the shim's to give.
    vfs.iVersion = min(2, wrapped.iVersion)
    vfs.szOsFile = Int32(CountedFile.headerSize) + wrapped.szOsFile
    vfs.mxPathname = wrapped.mxPathname
    vfs.xOpen = { vfs, path, file, flags, outFlags in
      guard let file else { return SQLITE_MISUSE }
      return CountingFileSystem.of(vfs)._withUnsafeGuaranteedRef {
        $0.open(path, file, flags: flags, outFlags: outFlags)
      }
    }
    vfs.xDelete = { vfs, path, syncsFolder in
      CountingFileSystem.of(vfs)._withUnsafeGuaranteedRef { $0.delete(path, syncsFolder: syncsFolder != 0) }
    }
    vfs.xSleep = { vfs, microseconds in
      CountingFileSystem.of(vfs)._withUnsafeGuaranteedRef { $0.sleep(microseconds: microseconds) }
    }
    passOn(&vfs)
    return vfs
  }

  /// The wrapped VFS of a shim.
  private static func wrapped(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs> {
    of(vfs)._withUnsafeGuaranteedRef { $0.wrapped }
  }

  /// Fills in the functions that the wrapped VFS answers alone.
  private static func passOn(_ vfs: inout sqlite3_vfs) {
    vfs.xAccess = { vfs, path, flags, result in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xAccess(wrapped, path, flags, result)
    }
    vfs.xFullPathname = { vfs, path, count, result in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xFullPathname(wrapped, path, count, result)
    }
    vfs.xDlOpen = { vfs, path in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xDlOpen(wrapped, path)
    }
    vfs.xDlError = { vfs, count, message in
      let wrapped = CountingFileSystem.wrapped(vfs)
      wrapped.pointee.xDlError(wrapped, count, message)
    }
    vfs.xDlSym = { vfs, library, symbol in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xDlSym(wrapped, library, symbol)
    }
    vfs.xDlClose = { vfs, library in
      let wrapped = CountingFileSystem.wrapped(vfs)
      wrapped.pointee.xDlClose(wrapped, library)
    }
    vfs.xRandomness = { vfs, count, bytes in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xRandomness(wrapped, count, bytes)
    }
    vfs.xCurrentTime = { vfs, time in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xCurrentTime(wrapped, time)
    }
    vfs.xGetLastError = { vfs, count, message in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xGetLastError(wrapped, count, message)
    }
    vfs.xCurrentTimeInt64 = { vfs, time in
      let wrapped = CountingFileSystem.wrapped(vfs)
      return wrapped.pointee.xCurrentTimeInt64(wrapped, time)
    }
  }
}
