import Foundation

/// A file that appears under its name as a whole or not at all.
///
/// The contents are staged under a temporary name in the same folder, so that the rename stays within one file system.
/// Stage all files that belong together first and commit them afterwards: then no file is replaced unless all could be
/// written.
///
/// Links are followed: the file that a link leads to is replaced, and the link stays. A device or a FIFO is not
/// replaced; the contents are written to it when the file is committed.
package final class AtomicFile {
  package let path: String
  private let target: WriteTarget
  /// The path of the staged file, or nil if the target is not replaced or the file has been committed.
  private var partialPath: String?
  /// The staged file, which stays open and locked until the commit.
  private var writer: FileWriter?
  /// The contents that a device or a FIFO receives at the commit.
  private var contents = Data()

  private static let prefix = ".stackbench-"
  private static let suffix = ".partial"

  /// Writes `contents` under the temporary name; call `commit` to give the file its own.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`. No staged file is left behind in that case.
  package convenience init(staging contents: Data, for path: String) throws(FileError) {
    try self.init(for: path) { file throws(FileError) in try file.append(contents) }
  }

  /// Stages contents that arrive in pieces. They are never in memory as a whole, unless the target is a device or a
  /// FIFO.
  ///
  /// - Throws: The error that `body` throws, or `FileError` with code `unwritable` or `fullDisk`. No staged file
  ///   is left behind in that case.
  package init(for path: String, writing body: (Growing) throws(FileError) -> Void) throws(FileError) {
    self.path = path
    target = try WriteTarget(path)
    guard case .file(let file) = target else {
      try body(Growing { piece throws(FileError) in self.contents.append(piece) })
      return
    }
    let writer = try makePartial(of: file)
    try body(Growing(append: writer.write))
    try writer.flush()
  }

  /// A staged file while it is being written.
  package struct Growing {
    fileprivate let append: (Data) throws(FileError) -> Void

    /// Appends a piece of the contents.
    ///
    /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
    package func append(_ piece: Data) throws(FileError) { try append(piece) }
  }

  private func makePartial(of file: String) throws(FileError) -> FileWriter {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    while true {
      let partial = "\(folder)\(Self.prefix)\(getpid())-\(UInt32.random(in: 0...UInt32.max))\(Self.suffix)"
      var descriptor: CInt = -1
      let mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH
      Leftovers.make(.file) {
        descriptor = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        return descriptor >= 0 ? partial : nil
      }
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw FileError(writing: path, errno)
      }
      let writer = FileWriter(descriptor, path: path)
      guard FileLock.lock(descriptor, madeAt: partial) else {
        Leftovers.keep(partial)
        continue
      }
      partialPath = partial
      self.writer = writer
      return writer
    }
  }

  /// Removes the staged file if it was not committed.
  deinit {
    if let partialPath { Leftovers.remove(partialPath) }
  }

  /// Gives the staged file its name, replacing any file that has it, or writes the contents to a device or a FIFO.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package func commit() throws(FileError) {
    switch target {
    case .file(let file):
      guard let partialPath else { return }
      guard rename(partialPath, file) == 0 else {
        throw FileError(writing: path, what: "cannot be replaced", errno)
      }
      Leftovers.keep(partialPath)
      self.partialPath = nil
      writer = nil
    case .stream(let file):
      try write(to: open(file, O_WRONLY | O_NOCTTY | O_CLOEXEC))
    case .descriptor(let number):
      // Output that was printed earlier comes first.
      fflush(nil)
      try write(to: fcntl(number, F_DUPFD_CLOEXEC, 0))
    }
  }

  private func write(to descriptor: CInt) throws(FileError) {
    guard descriptor >= 0 else {
      throw FileError(writing: path, errno)
    }
    let writer = FileWriter(descriptor, path: path)
    try writer.write(contents)
    try writer.flush()
  }

  /// Writes `contents` to the file at `path`.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package static func write(_ contents: Data, to path: String) throws(FileError) {
    try AtomicFile(staging: contents, for: path).commit()
  }

  /// Checks that a file can be written, without creating it.
  ///
  /// - Throws: `FileError` with code `unwritable`.
  package static func check(_ path: String) throws(FileError) {
    guard case .file(let file) = try WriteTarget(path) else { return }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw FileError(writing: path, errno) }
  }

  /// Returns true if the path leads to standard output, to which no other text may be written then.
  package static func isStandardOutput(_ path: String) -> Bool {
    (try? WriteTarget(path)) == .descriptor(STDOUT_FILENO)
  }
}

// MARK: - What killed processes left

extension AtomicFile {
  /// Removes the staged files of processes that have ended from a folder.
  package static func removeAbandoned(in folder: String) {
    for file in FolderEntries.paths(in: folder, of: S_IFREG, where: isPartial) {
      FileLock.whileLocked(file) { unlink(file) }
    }
  }

  /// Returns true if the name has the form of a staged file's: `.stackbench-4711-1.partial`, or
  /// `.trials.csv.4711.partial` in earlier versions.
  private static func isPartial(_ name: String) -> Bool {
    guard name.hasSuffix(suffix) else { return false }
    if name.hasPrefix(prefix) { return true }
    return name.wholeMatch(of: /\.(probe|.+\.(csv|json|jsonl|html|yaml|md|txt))\.[0-9]+\.partial/) != nil
  }
}
