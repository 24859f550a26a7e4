import CSQLite

/// A file opened through a `CountingFileSystem`, in the memory that SQLite allocates for it. This structure comes
/// first, followed by the file of the wrapped VFS.
///
/// It belongs to the connection that opened it and, like the connection, is used by one thread at a time.
struct CountedFile {
  /// SQLite's part of the file. SQLite requires it to come first; Swift keeps the order of stored properties.
  private var base: sqlite3_file
  private let kind: FileCounts.Kind
  /// Unretained, since the connection retains the file system until its files are closed.
  private let fileSystem: Unmanaged<CountingFileSystem>
  /// The content of the file if it is kept in memory. It is retained until the file is closed.
  private let image: Unmanaged<FileImage>?
  /// The part that lets faults occur, or nil. It is retained until the file is closed.
  private let faulty: Unmanaged<FaultyFile>?

  /// The number of bytes before the wrapped file, rounded up to 16 to keep the alignment of SQLite's allocations.
  static let headerSize = (MemoryLayout<CountedFile>.size + 15) & ~15

  /// Returns the wrapped file, which follows the counted file in memory.
  static func fileBehind(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Initialises a counted file in memory in which the wrapped file has been opened already.
  static func initialize(
    _ file: UnsafeMutablePointer<sqlite3_file>, kind: FileCounts.Kind, of fileSystem: CountingFileSystem,
    image: FileImage? = nil, faulty: FaultyFile? = nil
  ) {
    let base = sqlite3_file(pMethods: UnsafePointer(countedMethods))
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self).initialize(
      to: CountedFile(
        base: base, kind: kind, fileSystem: Unmanaged.passUnretained(fileSystem),
        image: image.map { Unmanaged.passRetained($0) }, faulty: faulty.map { Unmanaged.passRetained($0) }))
  }

  /// Calls `body` with the image of a file, or `other` if the file has none.
  @inline(__always)
  fileprivate static func withImage(
    of file: UnsafeMutablePointer<sqlite3_file>?, _ body: (FileImage) -> Int32, else other: () -> Int32
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let counted = UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self)
    guard let image = counted.pointee.image else { return other() }
    return image._withUnsafeGuaranteedRef { body($0) }
  }

  /// Closes the image of a file, if it has one, and releases what lets faults occur.
  fileprivate static func closeImage(of file: UnsafeMutablePointer<sqlite3_file>?) {
    guard let file else { return }
    let counted = UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self)
    counted.pointee.image?.takeRetainedValue().close()
    counted.pointee.faulty?.release()
  }

  /// Returns the part of a file that lets faults occur, or nil.
  @inline(__always)
  fileprivate static func faulty(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FaultyFile? {
    guard let file else { return nil }
    let counted = UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self)
    return counted.pointee.faulty?.takeUnretainedValue()
  }

  /// Calls `body` with the wrapped file and its methods.
  @inline(__always)
  fileprivate static func passOn(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    body: (UnsafeMutablePointer<sqlite3_file>, UnsafePointer<sqlite3_io_methods>) -> Int32
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let behind = fileBehind(file)
    guard let methods = behind.pointee.pMethods else { return SQLITE_MISUSE }
    return body(behind, methods)
  }

  /// Calls `body` with the file system and the kind of a file.
  @inline(__always)
  fileprivate static func report(
    _ file: UnsafeMutablePointer<sqlite3_file>?, body: (CountingFileSystem, FileCounts.Kind) -> Void
  ) {
    guard let file else { return }
    let counted = UnsafeMutableRawPointer(file).assumingMemoryBound(to: CountedFile.self)
    let kind = counted.pointee.kind
    counted.pointee.fileSystem._withUnsafeGuaranteedRef { body($0, kind) }
  }
}

// MARK: - The methods of files

// `nonisolated(unsafe)`: initialised once before it is read and never freed, since SQLite keeps the address.
nonisolated(unsafe) private let countedMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
  var methods = sqlite3_io_methods()
  // Version 3 adds fetching and unfetching of mapped pages.
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
    if let code = CountedFile.faulty(file)?.faults.code(of: .read) { return code }
    let code = CountedFile.withImage(of: file) {
      $0.read(into: buffer, count: Int(count), at: Int(offset))
    } else: {
      CountedFile.passOn(file) { $1.pointee.xRead($0, buffer, count, offset) }
    }
    if code == ResultCode.ok { CountedFile.report(file) { $0.hasRead(Int(count), from: $1) } }
    return code
  }
  methods.xWrite = { file, buffer, count, offset in
    if let faulty = CountedFile.faulty(file) { return write(faulty, file, buffer, count, offset) }
    return write(file, buffer, count, offset)
  }
  methods.xSync = { file, flags in
    // The flags have the kind of sync and whether only the contents matter.
    let isFullFlush = flags & 0x0f == SQLITE_SYNC_FULL
    let faulty = CountedFile.faulty(file)
    if let code = faulty?.faults.code(of: .sync) { return code }
    var code = SQLITE_MISUSE
    CountedFile.report(file) { fileSystem, kind in
      code = fileSystem.sync(kind, isFullFlush: isFullFlush) {
        CountedFile.passOn(file) { $1.pointee.xSync($0, flags) }
      }
    }
    if code == ResultCode.ok, let faulty { faulty.faults.synced(faulty.path) }
    return code
  }
  // SQLite would read pages of a mapped file without a call that can be counted. Without an address here, it reads them
  // by `xRead`.
  methods.xFetch = { _, _, _, page in
    page?.pointee = nil
    return SQLITE_OK
  }
  methods.xUnfetch = { _, _, _ in SQLITE_OK }
}

/// Writes bytes to a file or its image, and counts them.
private func write(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
) -> Int32 {
  let code = CountedFile.withImage(of: file) {
    $0.write(buffer, count: Int(count), at: Int(offset))
    return ResultCode.ok
  } else: {
    CountedFile.passOn(file) { $1.pointee.xWrite($0, buffer, count, offset) }
  }
  if code == ResultCode.ok { CountedFile.report(file) { $0.hasWritten(Int(count), to: $1) } }
  return code
}

/// Writes bytes to a file in whose calls faults may occur: all of them, half of them, or none.
private func write(
  _ faulty: FaultyFile, _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeRawPointer?, _ count: Int32,
  _ offset: Int64
) -> Int32 {
  let effect = faulty.faults.effect(of: .write)
  if case .fails(let code)? = effect { return code }
  if effect == .drops { return ResultCode.ok }
  var written = count
  if case .tears? = effect { written /= 2 }
  let code = written > 0 ? write(file, buffer, written, offset) : ResultCode.ok
  guard code == ResultCode.ok else { return code }
  faulty.faults.wrote(
    UnsafeRawBufferPointer(start: buffer, count: Int(written)), to: faulty.path, at: Int(offset))
  if case .tears(let code)? = effect { return code }
  return code
}

/// Fills in the methods that are passed on to the wrapped file, or to its image, without counting.
private func passFileOn(_ methods: inout sqlite3_io_methods) {
  methods.xClose = { file in
    CountedFile.closeImage(of: file)
    return CountedFile.passOn(file) { $1.pointee.xClose($0) }
  }
  methods.xTruncate = { file, size in
    let faulty = CountedFile.faulty(file)
    if let code = faulty?.faults.code(of: .truncate) { return code }
    faulty?.faults.truncated(faulty?.path ?? "", to: Int(size))
    return CountedFile.withImage(of: file) {
      $0.truncate(to: Int(size))
      return ResultCode.ok
    } else: {
      CountedFile.passOn(file) { $1.pointee.xTruncate($0, size) }
    }
  }
  methods.xFileSize = { file, size in
    CountedFile.withImage(of: file) {
      size?.pointee = Int64($0.count)
      return ResultCode.ok
    } else: {
      CountedFile.passOn(file) { $1.pointee.xFileSize($0, size) }
    }
  }
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

/// Fills in the methods of the write-ahead log's index, which is shared memory and not a file to read or write.
///
/// A file of an older VFS lacks these methods and cannot have a write-ahead log. The error code reports this to SQLite.
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
