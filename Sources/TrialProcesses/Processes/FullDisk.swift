import ContextEngine
import Foundation
import Glibc
import Harness
import MachineCore
import OutputFiles
import Workloads

/// Recognises errors that a file system without free space causes, or the limit on the size of files.
enum FullDisk {
  /// The number of free bytes below which a file system counts as full.
  private static let leastRoom: UInt64 = 65_536
  /// The codes `SQLITE_IOERR_WRITE` and `SQLITE_IOERR_SHMSIZE`, with which SQLite reports that it cannot write.
  private static let writeCodes: [Int32] = [10 | 3 << 8, 10 | 19 << 8]

  /// Returns the failure that names the full file system or the limit, or nil if an error has another reason.
  ///
  /// `folder` is a folder on the file system that was written to. An engine or workload error that has a path uses that
  /// path instead.
  static func failure(_ error: any Error, in folder: String? = nil) -> RunFailure? {
    switch error {
    case let failure as RunFailure: failure.kind == .diskFull ? failure : nil
    case let error as FileError: error.code == .fullDisk ? RunFailure(kind: .diskFull, "\(error)") : nil
    case let error as PersistenceError: failure(error, in: folder)
    case let error as ImportFailure: error.isFullDisk ? failure(at: folder ?? "/", isCertain: true) : nil
    case let error as WorkloadError:
      error.code == .unwritableFolder
        ? failure(
          at: error.path ?? folder ?? "/", isCertain: error.message.hasSuffix("the disk is full"),
          isOfWriting: [CompleteWrite.sizeLimit, "disk I/O error"].contains { error.message.hasSuffix($0) }) : nil
    default:
      FileReason.code(of: error).flatMap { code in
        let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
        return FileReason.isFullDisk(code) ? failure(at: folder ?? path ?? "/", isCertain: true) : nil
      }
    }
  }

  private static func failure(_ error: PersistenceError, in folder: String?) -> RunFailure? {
    guard let path = error.path ?? folder else { return nil }
    switch error.code {
    case .full: return failure(at: path, isCertain: true)
    // SQLite does not give the reason for which it cannot write files, or make the index of a write-ahead log.
    case .sqlite, .storeOpen, .externalDataUnwritable:
      return failure(
        at: path, isCertain: false, isOfWriting: error.sqliteCode.map(writeCodes.contains) ?? false)
    default: return nil
    }
  }

  /// Returns the failure of a process that died of SIGBUS, or nil if the file system has free space.
  ///
  /// A file that is mapped into memory causes the signal if the file system has no space for one of its pages.
  static func failureOfMappedFile(in folder: String) -> RunFailure? {
    failure(at: folder, isCertain: false)
  }

  /// `isOfWriting` is true if the error is one of writing, which the limit on the size of files can cause.
  private static func failure(at path: String, isCertain: Bool, isOfWriting: Bool = false) -> RunFailure? {
    let mountPoint = FileReason.mountPoint(of: path)
    let isFull = lacksRoom(mountPoint)
    if !isFull, let limit = fileSizeLimit, isCertain || isOfWriting {
      return RunFailure(
        kind: .diskFull,
        "this process may write files of \(limit) bytes and needs larger ones; raise the limit with 'ulimit -f'")
    }
    guard isCertain || isFull else { return nil }
    return RunFailure(
      kind: .diskFull,
      [
        "no space is left on the file system at \(mountPoint); make room there, or use another one with ",
        .setting(.scratchFolder), " or ", .setting(.outputFolder),
      ])
  }

  /// The largest size of a file that this process may write, in bytes, or nil if there is no limit.
  private static var fileSizeLimit: UInt64? {
    let limit = ProcessLimits.limit(RLIMIT_FSIZE).rlim_cur
    return limit == .max ? nil : UInt64(limit)
  }

  private static func lacksRoom(_ path: String) -> Bool {
    var figures = statvfs()
    guard statvfs(path, &figures) == 0 else { return false }
    let hasNodes = figures.f_files == 0 || figures.f_favail > 0
    return !hasNodes || UInt64(figures.f_bavail) * UInt64(figures.f_frsize) < leastRoom
  }
}

extension RunFailure {
  /// Returns the failure for an error that no command expects.
  ///
  /// `start` is the text before the error, such as "the result cannot be written: ". A `RunFailure`, a full disk and
  /// earlier files that cannot be moved away are returned without it. `folder` is a folder on the file system that was
  /// written to.
  package static func unexpected(_ error: any Error, _ start: String = "", in folder: String? = nil) -> RunFailure {
    if let failure = error as? RunFailure { return failure }
    if let failure = FullDisk.failure(error, in: folder) { return failure }
    // The new files are written.
    if let error = error as? FileError, error.code == .earlierLeft { return .failed("\(error)") }
    // An error of Foundation describes itself with its domain and its code.
    guard error is CocoaError || FileReason.code(of: error) != nil else { return .failed("\(start)\(error)") }
    let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String ?? folder ?? ""
    return .failed(start + (path.isEmpty ? "" : "\(path): ") + FileReason.text(of: error, at: path))
  }

  /// Returns the failure for a file that cannot be written: bad usage, unless the disk is full.
  ///
  /// `start` is the text before the error, such as the flag, and `advice` is the remedy that follows the error of bad
  /// usage.
  package static func unwritable(_ error: FileError, after start: String = "", advice: Part...) -> RunFailure {
    error.code == .fullDisk
      ? RunFailure(kind: .diskFull, "\(start)\(error)")
      : RunFailure(kind: .badUsage, ["\(start)\(error); "] + advice)
  }
}
