import CSQLite
import ContextEngine
import Glibc
import MachineCore
import Synchronization

/// A VFS shim between SQLite and its default VFS. It passes every call on, counts pages and syncs, and reports them to
/// a machine as work.
///
/// The time of reported work passes before the call returns to SQLite, while SQLite still holds the lock under which it
/// made the call. On a machine that charges for work, a commit therefore does not become visible before its time has
/// passed. SQLite's own pauses become waits of the machine for the same reason.
///
/// Each store has its own shim with its own name, so that the stores of several machines can work side by side.
/// Everything done through the shim counts, including opening and closing the store. Calls that fail and calls that do
/// not move pages (sizes, locks, truncation) do not count. Thread-safe.
// `@unchecked`: all pointers are set once. The VFS structure is written before it is registered, and afterwards only by
// SQLite under its own lock. The counts and the registration state are guarded.
package final class CountingFileSystem: @unchecked Sendable {
  /// The name of the VFS for `sqlite3_open_v2`, valid until the VFS is unregistered.
  package let name: String

  private let machine: any Machine
  private let passesSyncsOn: Bool
  private let keepsFilesInMemory: Bool
  /// The faults that occur in calls on files, or nil.
  let faults: FileFaults?
  /// The paths of the files that were opened in memory.
  private let imagePaths = Guarded<[String]>([])
  private let wrapped: UnsafeMutablePointer<sqlite3_vfs>
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let isRegistered: Guarded<Bool>
  private let guardedCounts = Guarded(Counts())

  private struct Counts: Sendable {
    var all = FileCounts()
    /// The bytes written since the last sync of either kind, which the next sync has to write to the device.
    var unsynced = FileCounts()
  }

  /// The number of shims created so far. It makes each name unique.
  private static let madeCount = Atomic(0)

  /// Returns a new shim if a configuration asks for one, or nil if file access is direct.
  static func make(
    _ machine: any Machine, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) -> CountingFileSystem? {
    switch configuration.fileAccess {
    case .direct: nil
    case .counted(let passesSyncsOn):
      try CountingFileSystem(
        machine, passesSyncsOn: passesSyncsOn, keepsFilesInMemory: configuration.keepsFilesInMemory,
        faults: configuration.faults, path: configuration.path)
    }
  }

  /// Creates a shim and registers it.
  ///
  /// - Parameters:
  ///   - machine: the machine to which pages and syncs are reported.
  ///   - passesSyncsOn: true if syncs are passed on to the wrapped VFS. They are counted in either case.
  ///   - keepsFilesInMemory: true if the contents of the store's files are in memory while they are open.
  ///   - faults: the faults that occur in calls on files, or nil.
  ///   - path: the path of the store that uses the shim, for errors.
  ///   - wrappedName: the name of the VFS to wrap, which must outlive the shim, or nil for the default VFS.
  /// - Throws: `.storeOpen` if SQLite has no VFS with this name, or SQLite's error if it refuses the shim.
  package init(
    _ machine: any Machine, passesSyncsOn: Bool, keepsFilesInMemory: Bool = false, faults: FileFaults? = nil,
    path: String, over wrappedName: String? = nil
  ) throws(PersistenceError) {
    guard let wrapped = sqlite3_vfs_find(wrappedName) else {
      throw PersistenceError(.storeOpen, "SQLite has no VFS \(wrappedName ?? "of its own")", path: path)
    }
    self.machine = machine
    self.passesSyncsOn = passesSyncsOn
    self.keepsFilesInMemory = keepsFilesInMemory
    self.faults = faults
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
    try? FileImage.release(imagePaths.withLock { $0 }, writing: false)
    free(UnsafeMutableRawPointer(mutating: vfs.pointee.zName))
    vfs.deallocate()
  }

  /// The counts of all operations since the shim was created.
  package var counts: FileCounts { guardedCounts.withLock { $0.all } }

  /// Writes the files that were kept in memory and that are closed.
  func writeClosedFiles() throws(PersistenceError) {
    try FileImage.release(imagePaths.withLock { $0 }, writing: true)
  }

  /// Unregisters the VFS. A second call has no effect. Connections must not be opened through the VFS afterwards.
  package func unregister() {
    isRegistered.withLock { isRegistered in
      if isRegistered { sqlite3_vfs_unregister(vfs) }
      isRegistered = false
    }
  }
}

// MARK: - Reports of files

extension CountingFileSystem {
  /// Counts and reports bytes that were read from a file.
  func hasRead(_ bytes: Int, from kind: FileCounts.Kind) {
    let pageCount = FileCounts.pageCount(ofBytes: bytes)
    guardedCounts.withLock { counts in
      counts.all[kind].pagesRead += pageCount
      counts.all[kind].bytesRead += bytes
    }
    settle(Work(.pageRead, count: pageCount, bytes: bytes))
  }

  /// Counts and reports bytes that were written to a file.
  func hasWritten(_ bytes: Int, to kind: FileCounts.Kind) {
    let pageCount = FileCounts.pageCount(ofBytes: bytes)
    guardedCounts.withLock { counts in
      counts.all[kind].pagesWritten += pageCount
      counts.all[kind].bytesWritten += bytes
      counts.unsynced[kind].bytesWritten += bytes
    }
    settle(Work(.pageWritten, count: pageCount, bytes: bytes))
  }

  /// Syncs a file by `sync`, unless syncs are not passed on, and returns SQLite's result code. The sync is counted in
  /// both cases, but not if it fails.
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

  /// Reports work, and lets its time pass before SQLite continues.
  private func settle(_ work: Work) {
    machine.account(work)
    _ = machine.now
  }
}

// MARK: - The VFS

extension CountingFileSystem {
  /// Opens the wrapped file in the memory after `file`, for which SQLite has allocated `szOsFile` bytes.
  fileprivate func open(
    _ path: UnsafePointer<CChar>?, file: UnsafeMutablePointer<sqlite3_file>, flags: Int32,
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
    if let code = faults?.code(of: .open) {
      file.pointee.pMethods = nil
      return code
    }
    let code = wrapped.pointee.xOpen(wrapped, path, behind, flags, outFlags)
    // SQLite closes a file that has methods, even if opening it failed.
    if behind.pointee.pMethods == nil {
      file.pointee.pMethods = nil
    } else {
      CountedFile.initialize(
        file, kind: kind, of: self, image: code == ResultCode.ok ? image(path, of: behind, kind: kind) : nil,
        faulty: faultyFile(path, of: behind, isOpen: code == ResultCode.ok))
    }
    return code
  }

  /// Returns the image of a file that was just opened, or nil if the file is not kept in memory.
  private func image(
    _ path: UnsafePointer<CChar>?, of file: UnsafeMutablePointer<sqlite3_file>, kind: FileCounts.Kind
  ) -> FileImage? {
    guard keepsFilesInMemory, kind != .other, let path else { return nil }
    let name = String(cString: path)
    imagePaths.withLock { if !$0.contains(name) { $0.append(name) } }
    return FileImage.open(name) { Self.content(of: file) }
  }

  /// Returns the content of a file of the wrapped VFS, or no bytes if it cannot be read.
  private static func content(of file: UnsafeMutablePointer<sqlite3_file>) -> [UInt8] {
    var size: Int64 = 0
    guard let methods = file.pointee.pMethods, methods.pointee.xFileSize(file, &size) == ResultCode.ok, size > 0
    else {
      return []
    }
    var content = [UInt8](repeating: 0, count: Int(size))
    return methods.pointee.xRead(file, &content, Int32(size), 0) == ResultCode.ok ? content : []
  }

  /// Returns the part of a file that lets faults occur, or nil if the store has none.
  private func faultyFile(
    _ path: UnsafePointer<CChar>?, of file: UnsafeMutablePointer<sqlite3_file>, isOpen: Bool
  ) -> FaultyFile? {
    guard let faults, let path, isOpen else { return nil }
    let name = String(cString: path)
    faults.opened(name) {
      let content = Self.content(of: file)
      return content.isEmpty ? nil : content
    }
    return FaultyFile(faults, path: name)
  }

  /// Deletes a file. If `syncsFolder` is true, the folder is synced afterwards, which counts as a sync of the file's
  /// kind.
  fileprivate func delete(_ path: UnsafePointer<CChar>?, syncsFolder: Bool) -> Int32 {
    if let code = faults?.code(of: .delete) { return code }
    if keepsFilesInMemory, let path { FileImage.remove(String(cString: path)) }
    let code = wrapped.pointee.xDelete(wrapped, path, syncsFolder && passesSyncsOn ? 1 : 0)
    if code == ResultCode.ok, let faults, let path {
      faults.deleted(String(cString: path), isSynced: syncsFolder)
    }
    if code == ResultCode.ok, syncsFolder {
      let name = path.map { String(cString: $0) } ?? ""
      let kind: FileCounts.Kind =
        name.hasSuffix("-journal") ? .rollbackJournal : name.hasSuffix("-wal") ? .writeAheadLog : .other
      hasSynced(kind, isFullFlush: false)
    }
    return code
  }

  /// Finds out whether a file exists or can be used, as SQLite's default VFS does, for which an empty file does not exist.
  fileprivate func access(
    _ path: UnsafePointer<CChar>?, flags: Int32, result: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    if keepsFilesInMemory, flags == SQLITE_ACCESS_EXISTS,
      let size = path.flatMap({ FileImage.size(of: String(cString: $0)) })
    {
      result?.pointee = size > 0 ? 1 : 0
      return ResultCode.ok
    }
    return wrapped.pointee.xAccess(wrapped, path, flags, result)
  }

  /// Waits on the machine's clock, and returns the given time. SQLite sleeps to let another connection continue, which
  /// may need the machine for that.
  fileprivate func sleep(microseconds: Int32) -> Int32 {
    machine.wait(until: machine.now + .microseconds(Int64(microseconds)))
    return microseconds
  }

  private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Unmanaged<CountingFileSystem> {
    guard let data = vfs?.pointee.pAppData else { trapMisuse("SQLite called a VFS shim without its data") }
    return Unmanaged.fromOpaque(data)
  }

  /// Returns the functions of a shim over `wrapped`. The caller fills in the name and the data.
  private static func vfs(over wrapped: sqlite3_vfs) -> sqlite3_vfs {
    var vfs = sqlite3_vfs()
    // Version 2 adds the time in whole milliseconds. Version 3 adds access to single system calls, which the shim does
    // not offer.
    vfs.iVersion = min(2, wrapped.iVersion)
    vfs.szOsFile = Int32(CountedFile.headerSize) + wrapped.szOsFile
    vfs.mxPathname = wrapped.mxPathname
    vfs.xOpen = { vfs, path, file, flags, outFlags in
      guard let file else { return SQLITE_MISUSE }
      return CountingFileSystem.of(vfs)._withUnsafeGuaranteedRef {
        $0.open(path, file: file, flags: flags, outFlags: outFlags)
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

  /// Returns the wrapped VFS of a shim.
  private static func wrapped(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs> {
    of(vfs)._withUnsafeGuaranteedRef { $0.wrapped }
  }

  /// Fills in the functions that are passed on to the wrapped VFS without counting.
  private static func passOn(_ vfs: inout sqlite3_vfs) {
    vfs.xAccess = { vfs, path, flags, result in
      CountingFileSystem.of(vfs)._withUnsafeGuaranteedRef { $0.access(path, flags: flags, result: result) }
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
