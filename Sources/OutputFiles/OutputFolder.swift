import Foundation
import Glibc
import MachineCore

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
  ///   - sharing: The other commands that may write to the folder at the same time.
  ///   - files: The names of the files that the command may write.
  ///   - earlier: A function that receives the path of a folder that a killed command left, and returns the files of
  ///     the earlier result in it.
  /// - Throws: `FileError` with code `fullDisk`, or with a remedy in its message and code `unwritable`, or `busy` while
  ///   another command writes to the folder.
  package init(
    _ path: String, sharing: Sharing, files: Set<String>, earlier: (_ leftover: String) -> EarlierFiles
  ) throws(FileError) {
    self.path = path
    made = OutputFolder.topmostMissing(of: path)
    if let kind = OutputFolder.obstacle(path) { throw OutputFolder.cannotWrite(path, because: kind) }
    guard Leftovers.makeFolders(path) else { throw OutputFolder.cannotWrite(path, code: errno) }
    locks = try OutputFolder.lock(path, sharing: sharing)
    do throws(FileError) {
      if sharing != .all {
        try OutputFolder.advising { () throws(FileError) in try StagedFolder.settle(path, earlier: earlier) }
        AtomicFile.removeAbandoned(in: path)
        OutputFolder.removeProbes(in: path)
      }
      try OutputFolder.advising { () throws(FileError) in try StagedFolder.check(files, in: path) }
      try OutputFolder.probe(path)
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
  package func hold(_ lock: FileLock) {
    locks?.held.withLock { $0.append(lock) }
  }

  /// Writes files that belong together in one step, and replaces the files of an earlier result.
  ///
  /// - Parameters:
  ///   - earlier: The files of the earlier result, and the way in which they are kept.
  ///   - write: Writes the files into the folder whose path it receives.
  /// - Returns: The path to which the earlier result was moved, or nil if no result was moved.
  /// - Throws: `FileError` if the files cannot be replaced, and any error that `write` throws.
  package func replace(_ earlier: EarlierFiles, write: (_ folder: String) throws -> Void) throws -> String? {
    let staged = try StagedFolder(for: path)
    try write(staged.path)
    hold(staged.lock)
    return try staged.commit(replacing: earlier)
  }
}

// MARK: - Proving

extension OutputFolder {
  /// Adds the remedy to the error of `body`, unless a full disk is its reason.
  private static func advising(_ body: () throws(FileError) -> Void) throws(FileError) {
    do throws(FileError) {
      try body()
    } catch {
      guard error.code != .fullDisk else { throw error }
      throw FileError(
        error.code, path: error.path, message: "\(error.message); move it away, or use another folder")
    }
  }

  private static func lock(_ path: String, sharing: Sharing) throws(FileError) -> Locks? {
    guard sharing != .all else { return nil }
    switch FileLock.lock(path, as: sharing == .single ? .shared : .exclusive) {
    case .locked(let lock): return Locks(lock)
    case .failed(let code): throw cannotWrite(path, code: code)
    case .held:
      throw FileError(
        .busy, path: path,
        message: "another stackbench command writes there; wait until it has ended, or use another folder")
    }
  }

  private static let probePrefix = ".probe-"

  private static func probe(_ path: String) throws(FileError) {
    let probe = "\(path)/\(probePrefix)\(getpid())"
    try Leftovers.uninterrupted { () throws(FileError) in
      let file = open(probe, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
      guard file >= 0 else { throw cannotWrite(path, code: errno) }
      close(file)
      unlink(probe)
    }
  }

  /// Removes the empty files with which killed commands had tested whether the folder is writable.
  private static func removeProbes(in path: String) {
    let isProbe = { (name: String) in name.wholeMatch(of: /\.probe-[0-9]+/) != nil }
    for file in FolderEntries.paths(in: path, of: S_IFREG, where: isProbe) {
      var status = stat()
      if lstat(file, &status) == 0, status.st_size == 0 { unlink(file) }
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
      return FolderEntries.kind(at: path) == S_IFLNK ? "it is a link whose target does not exist" : nil
    }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFDIR ? nil : "it is \(FolderEntries.noun(of: kind) ?? "a file")"
  }

  private static func cannotWrite(_ path: String, code: CInt) -> FileError {
    FileReason.isFullDisk(code)
      ? FileError(writing: path, code) : cannotWrite(path, because: FileReason.text(code, at: path))
  }

  private static func cannotWrite(_ path: String, because reason: String) -> FileError {
    FileError(
      .unwritable, path: path,
      message: "cannot be written: \(reason); use an existing folder that is writable, or one that can be made")
  }
}
