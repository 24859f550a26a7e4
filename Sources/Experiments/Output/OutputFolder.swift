import Foundation
import Glibc
import MachineCore
import Reporting
import TrialProcesses

/// A folder for the files of a command. It is proven to be writable before the command begins work that takes time.
///
/// A folder for results is locked until the command ends, so that two commands cannot mix their results.
package struct OutputFolder: Sendable {
  package let path: String
  /// The topmost folder that had to be made, or nil if all folders existed.
  private let made: String?
  private let locks: Locks?

  /// The other commands that may write to a folder at the same time.
  package enum Sharing: Sendable {
    /// Other commands may not write to the folder.
    case none
    /// Other commands may write single files with different names.
    case single
    /// Any command may write to the folder, because each makes only private folders there.
    case all
  }

  private final class Locks: Sendable {
    let held: Guarded<[FileLock]>

    init(_ lock: FileLock) {
      held = Guarded([lock])
    }
  }

  /// Makes the folder if it is missing, and proves that a file can be written there.
  ///
  /// The initializer removes the temporary files of killed commands from the folder, and completes a replacement of
  /// results that they had begun.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the folder.
  ///   - flag: The flag that named the folder, with which messages begin, or nil if the user did not name it.
  ///   - sharing: The other commands that may write to the folder at the same time.
  ///   - files: The names of the files that the command may write.
  /// - Throws: `RunFailure` with status 64 if the folder cannot be made or written to; with status 1 while another
  ///   command writes to it, or if the disk is full.
  package init(_ path: String, flag: String? = nil, sharing: Sharing = .none, files: Set<String> = []) throws {
    self.path = path
    let flag = flag.map { "\($0) " } ?? ""
    made = OutputFolder.topmostMissing(of: path)
    if let kind = OutputFolder.obstacle(path) { throw OutputFolder.cannotWrite(path, flag: flag, because: kind) }
    guard Leftovers.makeFolders(path) else { throw OutputFolder.cannotWrite(path, flag: flag, code: errno) }
    locks = try OutputFolder.lock(path, flag: flag, sharing: sharing)
    do {
      if sharing != .all {
        try StagedFolder.settle(path) { StoredResult.leftover(in: $0, of: path) }
        AtomicFile.removeAbandoned(in: path)
        OutputFolder.removeProbes(in: path)
      }
      try StagedFolder.check(files, in: path)
      try OutputFolder.probe(path, flag: flag)
    } catch let error as ReportingError {
      removeIfUnused()
      throw RunFailure.unwritable(error, after: flag, advice: "move it away, or use another folder")
    } catch {
      removeIfUnused()
      throw error
    }
  }

  /// Removes the folders that this value has made, as far as they are empty. A command that wrote no files calls it.
  package func removeIfUnused() {
    guard let made else { return }
    var folder = path
    while rmdir(folder) == 0, folder != made, let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
    }
  }

  /// Keeps the lock on the folder that has replaced this one until the command ends.
  func hold(_ lock: FileLock) {
    locks?.held.withLock { $0.append(lock) }
  }

  /// Writes files that belong together in one step, and replaces the files of an earlier result.
  ///
  /// - Parameters:
  ///   - earlier: The files of the earlier result, and the way in which they are kept.
  ///   - write: Writes the files into the folder whose path it receives.
  /// - Returns: The path to which the earlier result was moved, or nil if no result was moved.
  /// - Throws: `ReportingError` if the files cannot be replaced, and any error that `write` throws.
  package func replace(_ earlier: EarlierFiles, write: (_ folder: String) throws -> Void) throws -> String? {
    let staged = try StagedFolder(for: path)
    try write(staged.path)
    hold(staged.lock)
    return try staged.commit(replacing: earlier)
  }
}

// MARK: - Proving

extension OutputFolder {
  private static func lock(_ path: String, flag: String, sharing: Sharing) throws -> Locks? {
    guard sharing != .all else { return nil }
    switch FileLock.lock(path, as: sharing == .single ? .shared : .exclusive) {
    case .locked(let lock): return Locks(lock)
    case .failed(let code): throw cannotWrite(path, flag: flag, code: code)
    case .held:
      throw RunFailure.failed(
        "\(flag)\(path): another stackbench command writes there; wait until it has ended, or use another folder")
    }
  }

  private static let probePrefix = ".probe-"

  private static func probe(_ path: String, flag: String) throws {
    let probe = "\(path)/\(probePrefix)\(getpid())"
    try Leftovers.uninterrupted {
      let file = open(probe, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
      guard file >= 0 else { throw cannotWrite(path, flag: flag, code: errno) }
      close(file)
      unlink(probe)
    }
  }

  /// Removes the empty files with which killed commands had tested whether the folder is writable.
  private static func removeProbes(in path: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where name.wholeMatch(of: /\.probe-[0-9]+/) != nil {
      var status = stat()
      let file = "\(path)/\(name)"
      if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(file) }
    }
  }

  private static func topmostMissing(of path: String) -> String? {
    var missing: String?
    var folder = path
    var status = stat()
    while lstat(folder, &status) != 0 {
      missing = folder
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
      folder = String(folder[..<slash])
    }
    return missing
  }

  /// Returns the reason why the path does not lead to a folder, or nil if it leads to a folder or does not exist.
  private static func obstacle(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      return isLink ? "it is a link whose target does not exist" : nil
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return nil
    case S_IFREG: return "it is a file"
    case S_IFIFO: return "it is a FIFO"
    case S_IFCHR, S_IFBLK: return "it is a device"
    default: return "it is a socket"
    }
  }

  private static func cannotWrite(_ path: String, flag: String, code: CInt) -> RunFailure {
    let reason = FileReason.text(code, at: path)
    guard FileReason.isFullDisk(code) else { return cannotWrite(path, flag: flag, because: reason) }
    return RunFailure.failed("\(flag)\(path): cannot be written: \(reason)")
  }

  private static func cannotWrite(_ path: String, flag: String, because reason: String) -> RunFailure {
    RunFailure.usage(
      "\(flag)\(path): cannot be written: \(reason); "
        + "use an existing folder that is writable, or one that can be made")
  }
}
