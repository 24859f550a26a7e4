import CSQLite

/// A file opened through a `CountingFileSystem`, as it lies in the memory that SQLite allocates for it: this first, the
/// file of the wrapped VFS behind it.
///
/// Belongs to the connection that opened it, and like the connection to one thread at a time.
struct CountedFile {
  /// SQLite's part; first, as its interface asks, and Swift keeps the order.
  private var base: sqlite3_file
  private let kind: FileCounts.Kind
  /// Unretained: the connection keeps it until its files are closed.
  private let fileSystem: Unmanaged<CountingFileSystem>

  /// The bytes before the file behind, which has the alignment that SQLite gives all memory.
  static let headerSize = (MemoryLayout<CountedFile>.size + 15) & ~15

  /// The memory of the file behind.
  static func fileBehind(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Makes a counted file of memory behind which a file has been opened.
  static func initialize(
    _ file: UnsafeMutablePointer<sqlite3_file>, kind: FileCounts.Kind, of fileSystem: CountingFileSystem
  ) {
    let base = sqlite3_file(pMethods: UnsafePointer(countedMethods))
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self).initialize(
      to: CountedFile(base: base, kind: kind, fileSystem: Unmanaged.passUnretained(fileSystem)))
  }

  /// Calls `body` with the file behind and its methods.
  @inline(__always)
  fileprivate static func passOn(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (UnsafeMutablePointer<sqlite3_file>, UnsafePointer<sqlite3_io_methods>) -> Int32
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let behind = fileBehind(file)
    guard let methods = behind.pointee.pMethods else { return SQLITE_MISUSE }
    return body(behind, methods)
  }

  /// Calls `body` with the file system and the kind of a file.
  @inline(__always)
  fileprivate static func report(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (CountingFileSystem, FileCounts.Kind) -> Void
  ) {
    guard let file else { return }
    let counted = UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self)
    let kind = counted.pointee.kind
    counted.pointee.fileSystem._withUnsafeGuaranteedRef { body($0, kind) }
  }
}

// MARK: - The methods of files

// `nonisolated(unsafe)`: filled once before anybody reads it, never freed; SQLite keeps the address.
nonisolated(unsafe) private let countedMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
  var methods = sqlite3_io_methods()
  // 3 has fetching and unfetching of mapped pages.
  methods.iVersion = 3
  countTransfers(&methods)
  passFileOn(&methods)
  passSharedMemoryOn(&methods)
  let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  pointer.initialize(to: methods)
  return pointer
}()

/// Fills in the methods that move pages or sync them.
private func countTransfers(_ methods: inout sqlite3_io_methods) {
  methods.xRead = { file, buffer, count, offset in
    let code = CountedFile.passOn(file) { $1.pointee.xRead($0, buffer, count, offset) }
    if code == ResultCode.ok { CountedFile.report(file) { $0.hasRead(Int(count), from: $1) } }
    return code
  }
  methods.xWrite = { file, buffer, count, offset in
    let code = CountedFile.passOn(file) { $1.pointee.xWrite($0, buffer, count, offset) }
    if code == ResultCode.ok { CountedFile.report(file) { $0.hasWritten(Int(count), to: $1) } }
    return code
  }
  methods.xSync = { file, flags in
    // Beside the kind of sync, the flags say whether only contents matter.
    let isFullFlush = flags & 0x0f == SQLITE_SYNC_FULL
    var code = SQLITE_MISUSE
    CountedFile.report(file) { fileSystem, kind in
      code = fileSystem.sync(kind, isFullFlush: isFullFlush) {
        CountedFile.passOn(file) { $1.pointee.xSync($0, flags) }
      }
    }
    return code
  }
  // Pages of a mapped file would be read without a call. Nothing to fetch: SQLite reads them instead.
  methods.xFetch = { _, _, _, page in
    page?.pointee = nil
    return SQLITE_OK
  }
  methods.xUnfetch = { _, _, _ in SQLITE_OK }
}

/// Fills in the methods that the file behind answers alone.
private func passFileOn(_ methods: inout sqlite3_io_methods) {
  methods.xClose = { file in CountedFile.passOn(file) { $1.pointee.xClose($0) } }
  methods.xTruncate = { file, size in CountedFile.passOn(file) { $1.pointee.xTruncate($0, size) } }
  methods.xFileSize = { file, size in CountedFile.passOn(file) { $1.pointee.xFileSize($0, size) } }
  methods.xLock = { file, level in CountedFile.passOn(file) { $1.pointee.xLock($0, level) } }
  methods.xUnlock = { file, level in CountedFile.passOn(file) { $1.pointee.xUnlock($0, level) } }
  methods.xCheckReservedLock = { file, isReserved in
    CountedFile.passOn(file) { $1.pointee.xCheckReservedLock($0, isReserved) }
  }
  methods.xFileControl = { file, operation, argument in
    CountedFile.passOn(file) { $1.pointee.xFileControl($0, operation, argument) }
  }
  methods.xSectorSize = { file in CountedFile.passOn(file) { $1.pointee.xSectorSize?($0) ?? 4_096 } }
  methods.xDeviceCharacteristics = { file in
    CountedFile.passOn(file) { $1.pointee.xDeviceCharacteristics?($0) ?? 0 }
  }
}

/// Fills in the methods of the index to a write-ahead log, which is memory and no file to read or write.
///
/// A file without them, as an older VFS has it, cannot have such a log: SQLite is told so by the error.
private func passSharedMemoryOn(_ methods: inout sqlite3_io_methods) {
  methods.xShmMap = { file, region, size, isExtending, address in
    CountedFile.passOn(file) { $1.pointee.xShmMap?($0, region, size, isExtending, address) ?? SQLITE_CANTOPEN }
  }
  methods.xShmLock = { file, offset, count, flags in
    CountedFile.passOn(file) { $1.pointee.xShmLock?($0, offset, count, flags) ?? SQLITE_MISUSE }
  }
  methods.xShmBarrier = { file in
    _ = CountedFile.passOn(file) { file, methods in
      methods.pointee.xShmBarrier?(file)
      return SQLITE_OK
    }
  }
  methods.xShmUnmap = { file, isDeleting in
    CountedFile.passOn(file) { $1.pointee.xShmUnmap?($0, isDeleting) ?? SQLITE_OK }
  }
}
