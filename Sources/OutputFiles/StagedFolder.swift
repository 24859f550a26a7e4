import Foundation

/// A new folder that replaces another at once, so that a folder never holds files of two results.
///
/// The new folder lies next to the other, under a hidden name, until it is complete. Then the two exchange their names
/// in one step, the entries that are not part of the earlier result move to the new folder, and the rest is removed or
/// kept in a folder named after its day. If the process is killed, the folder is unchanged or holds the new result;
/// `settle` then completes the replacement.
///
/// Some folders cannot be renamed: a mount point, the working folder, or a folder whose parent is not writable. The new
/// files are moved into such a folder one after another. Its marks are removed first and written last, so that it holds
/// no result until all files are there.
package final class StagedFolder {
  /// The folder that the new files are written to.
  package private(set) var path: String
  /// The folder that is replaced. The last part of its path is not a link.
  private let target: String
  /// True if the new folder lies next to the target, so that the two can exchange their names.
  private let isBeside: Bool
  private var isCommitted = false
  /// The lock on the new folder. Keep it for as long as no other process may write to the folder.
  package let lock: FileLock

  private static let infix = ".staged-"
  /// The name of an empty file that marks an incomplete folder. It still exists for an instant after the folder has
  /// replaced the target.
  static let markerName = ".stackbench-staged"

  /// Creates the new folder.
  ///
  /// - Parameter folder: The folder to replace, which must exist.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package init(for folder: String) throws(FileError) {
    target = Self.withoutLink(folder)
    let name = "\(Self.infix)\(UInt32.random(in: 0...UInt32.max))"
    let inside = "\(target)/\(Self.markerName)\(name)"
    let beside = Self.isWorkingFolder(target) ? nil : Self.pathBeside(target, suffix: name)
    let made = Leftovers.make(.folder) {
      guard mkdir(inside, S_IRWXU) == 0 else { return nil }
      if let beside, rename(inside, beside) == 0 { return beside }
      return inside
    }
    guard let made else { throw FileError(writing: folder, errno) }
    path = made
    isBeside = made == beside
    guard case .locked(let lock) = FileLock.lock(path) else {
      Leftovers.remove(path)
      throw FileError(.unwritable, path: path, message: "cannot be locked")
    }
    self.lock = lock
    do throws(FileError) {
      try AtomicFile.write(Data(), to: "\(path)/\(Self.markerName)")
    } catch {
      Leftovers.remove(path)
      throw error
    }
  }

  deinit {
    guard !isCommitted else { return }
    Self.removeIncomplete(path)
    Leftovers.keep(path)
  }

  /// Replaces the target with the new folder.
  ///
  /// - Returns: The folder in which the earlier files are kept, or nil if they were removed.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`, or `earlierLeft` if the new folder has replaced the
  ///   target.
  package func commit(replacing earlier: EarlierFiles) throws(FileError) -> String? {
    try Self.checkFiles(of: path, in: target)
    return try Leftovers.uninterrupted { () throws(FileError) in
      Leftovers.keep(path)
      return try exchange(earlier)
    }
  }

  /// Exchanges the names of the new folder and of the target.
  private func exchange(_ earlier: EarlierFiles) throws(FileError) -> String? {
    guard isBeside else { return try commitInPlace(earlier) }
    var status = stat()
    if stat(target, &status) == 0 {
      chmod(path, status.st_mode & 0o7777)
      _ = chown(path, status.st_uid, status.st_gid)
    }
    guard Renaming.exchange(path, with: target) == 0 else { return try commitInPlace(earlier) }
    isCommitted = true
    defer {
      unlink("\(target)/\(Self.markerName)")
      path = target
    }
    do throws(FileError) {
      return try Self.settle(old: path, into: target, earlier)
    } catch {
      throw FileError(
        .earlierLeft, path: target,
        message:
          "has the new files, but the earlier ones are still in \(path), from which the next command that writes "
          + "here moves them: \(error)")
    }
  }

  /// Checks that the target has only files under the names of new files.
  private static func checkFiles(of new: String, in target: String) throws(FileError) {
    let (new, old) = (try FolderEntries(new), try FolderEntries(target))
    for name in new.names where new.kind(of: name) == S_IFREG {
      guard let text = name.text, text != markerName else { continue }
      try checkFile(text, in: old)
    }
  }

  private static func checkFile(_ name: String, in folder: FolderEntries) throws(FileError) {
    guard let what = folder.obstacle(FolderEntries.Name(name)) else { return }
    throw FileError(
      .unwritable, path: "\(folder.path)/\(name)", message: "cannot be replaced: it is \(what), not a file")
  }

  /// Checks that files with certain names can be written into a folder, which need not exist.
  ///
  /// - Throws: `FileError` with code `unwritable` for the first name of an entry that is not a file: a folder, a
  ///   link, a device, a FIFO or a socket.
  package static func check(_ names: Set<String>, in folder: String) throws(FileError) {
    guard access(folder, F_OK) == 0 else { return }
    let entries = try FolderEntries(folder)
    for name in names.sorted() { try checkFile(name, in: entries) }
  }

  /// Moves the new files into the target one after another.
  private func commitInPlace(_ earlier: EarlierFiles) throws(FileError) -> String? {
    let (new, old) = (try FolderEntries(path), try FolderEntries(target))
    var kept: String?
    if let keeping = earlier.keeping {
      let folder = try Self.makeFolder(beside: target, day: keeping.day)
      try keeping.writeNote?(folder)
      let entries = try FolderEntries(folder)
      let names = old.names.filter { $0.text.map(earlier.isReplaced) ?? false }
      // The marks are moved last, so that after an interruption the next result still replaces the rest.
      for name in Self.sorted(names, marksLast: true, earlier: earlier) { try old.move(name, to: entries) }
      kept = folder
    } else {
      Self.removeEarlier(in: old, earlier)
    }
    try Self.moveAll(from: new, to: old, earlier)
    isCommitted = true
    Self.removeIncomplete(path)
    return kept
  }
}

// MARK: - What the other folder held

extension StagedFolder {
  /// Moves the entries that are not part of the earlier result from the old folder to the target, and removes or keeps
  /// the rest. Returns the folder in which entries are kept, or nil if all are moved or removed.
  private static func settle(
    old path: String, into target: String, _ earlier: EarlierFiles
  ) throws(FileError) -> String? {
    let (old, new) = (try FolderEntries(path), try FolderEntries(target))
    try carry(from: old, to: new, earlier)
    if earlier.keeping == nil { removeEarlier(in: old, earlier) }
    if rmdir(path) == 0 { return nil }
    try earlier.keeping?.writeNote?(path)
    return try moveAside(path, from: target, day: earlier.keeping?.day ?? EarlierFiles.Keeping.day(of: Date()))
  }

  private static func carry(
    from old: FolderEntries, to new: FolderEntries, _ earlier: EarlierFiles
  ) throws(FileError) {
    for name in old.names {
      let isFolder = old.kind(of: name) == S_IFDIR
      if isFolder, let text = name.text, earlier.folders.contains(text) {
        try carryFolder(name, from: old, to: new, earlier: earlier)
        continue
      }
      let isReplaced = name.text.map(earlier.isReplaced) ?? false
      guard !isReplaced || (isFolder && earlier.keeping == nil) else { continue }
      _ = try old.moveIfMissing(name, to: new)
    }
  }

  /// Moves the entries that are not part of the earlier result out of a subfolder, and creates the subfolder in the new
  /// folder if it is needed.
  private static func carryFolder(
    _ name: FolderEntries.Name, from old: FolderEntries, to new: FolderEntries, earlier: EarlierFiles
  ) throws(FileError) {
    let text = name.text ?? ""
    let inner = try FolderEntries("\(old.path)/\(text)")
    guard inner.names.contains(where: { !($0.text.map(earlier.isReplaced) ?? false) }) else { return }
    mkdir("\(new.path)/\(text)", S_IRWXU | S_IRWXG | S_IRWXO)
    try carry(from: inner, to: try FolderEntries("\(new.path)/\(text)"), earlier)
  }

  /// Removes the files of an earlier result, the marks first, and the subfolders that are empty afterwards.
  private static func removeEarlier(in folder: FolderEntries, _ earlier: EarlierFiles) {
    for name in sorted(folder.names, marksLast: false, earlier: earlier) {
      guard let text = name.text else { continue }
      if folder.kind(of: name) == S_IFDIR, earlier.folders.contains(text) {
        if let inner = try? FolderEntries("\(folder.path)/\(text)") { removeEarlier(in: inner, earlier) }
        rmdir("\(folder.path)/\(text)")
      } else if earlier.isReplaced(text) {
        folder.remove(name)
      }
    }
  }

  private static func moveAll(
    from new: FolderEntries, to old: FolderEntries, _ earlier: EarlierFiles
  ) throws(FileError) {
    for name in sorted(new.names, marksLast: true, earlier: earlier) where name.text != markerName {
      if new.kind(of: name) == S_IFDIR, let text = name.text, old.kind(of: name) == S_IFDIR {
        try moveAll(
          from: try FolderEntries("\(new.path)/\(text)"), to: try FolderEntries("\(old.path)/\(text)"), earlier)
      } else {
        try new.move(name, to: old)
      }
    }
  }

  private static func sorted(
    _ names: [FolderEntries.Name], marksLast: Bool, earlier: EarlierFiles
  ) -> [FolderEntries.Name] {
    let isMark = { (name: FolderEntries.Name) in name.text.map(earlier.marks.contains) ?? false }
    return names.filter { isMark($0) != marksLast } + names.filter { isMark($0) == marksLast }
  }

  /// Renames a folder to the first free name of a day in the parent folder of `target`, and returns its new path.
  private static func moveAside(_ path: String, from target: String, day: String) throws(FileError) -> String {
    try makeFolder(beside: target, day: day) { Renaming.renameFolder(path, toUnused: $0) }
  }

  /// Makes a folder with the first free name of a day in the parent folder of `target`, and returns its path. `make`
  /// returns 0 or, for a failure, `errno`.
  private static func makeFolder(
    beside target: String, day: String,
    make: (_ folder: String) -> CInt = { mkdir($0, S_IRWXU | S_IRWXG | S_IRWXO) == 0 ? 0 : errno }
  ) throws(FileError) -> String {
    for number in 1... {
      let folder = "\(parent(of: target))/\(day)-\(number)"
      let code = make(folder)
      if code == 0 { return folder }
      guard code == EEXIST else { throw FileError(writing: folder, what: "cannot be made", code) }
    }
    return target
  }
}

// MARK: - What killed processes left

extension StagedFolder {
  /// Removes the incomplete folders of killed processes, and completes a replacement that one of them had begun.
  ///
  /// - Parameters:
  ///   - folder: The folder that the killed processes were to replace.
  ///   - earlier: A function that receives the path of a leftover folder and returns the files of the earlier result in
  ///     it.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package static func settle(
    _ folder: String, earlier: (_ leftover: String) -> EarlierFiles
  ) throws(FileError) {
    let target = withoutLink(folder)
    let start = ".\(lastPart(of: target))\(infix)"
    let beside = FolderEntries.paths(in: parent(of: target), of: S_IFDIR) { $0.hasPrefix(start) }
    let inside = FolderEntries.paths(in: target, of: S_IFDIR) { $0.hasPrefix(markerName + infix) }
    for path in beside + inside {
      try FileLock.whileLocked(path) { () throws(FileError) in
        AtomicFile.removeAbandoned(in: path)
        if rmdir(path) == 0 { return }
        if inside.contains(path) || access("\(path)/\(markerName)", F_OK) == 0 {
          removeIncomplete(path)
        } else {
          _ = try settle(old: path, into: target, earlier(path))
        }
      }
    }
    unlink("\(target)/\(markerName)")
  }

  /// Removes a folder that this program filled and that has not replaced the target.
  private static func removeIncomplete(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}

// MARK: - Paths

extension StagedFolder {
  /// Returns the code `errno` of the reason why the result in `folder` cannot be moved into a folder next to it, or nil
  /// if it can be moved.
  package static func obstacleToMoving(_ folder: String) -> CInt? {
    let target = withoutLink(folder)
    let name = "\(infix)\(UInt32.random(in: 0...UInt32.max))"
    let inside = "\(target)/\(markerName)\(name)"
    return Leftovers.uninterrupted {
      guard let beside = pathBeside(target, suffix: name), mkdir(inside, S_IRWXU) == 0 else { return errno }
      defer {
        rmdir(inside)
        rmdir(beside)
      }
      return rename(inside, beside) == 0 ? nil : errno
    }
  }

  /// Returns the path, or its destination if it is a link.
  package static func withoutLink(_ path: String) -> String {
    guard FolderEntries.kind(at: path) == S_IFLNK, let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns a hidden path in the same parent folder, or nil if the name would be too long.
  private static func pathBeside(_ target: String, suffix: String) -> String? {
    let name = ".\(lastPart(of: target))\(suffix)"
    return target == "/" || name.utf8.count > Int(NAME_MAX) ? nil : "\(parent(of: target))/\(name)"
  }

  private static func isWorkingFolder(_ path: String) -> Bool {
    var (own, here) = (stat(), stat())
    guard stat(path, &own) == 0, stat(".", &here) == 0 else { return true }
    return own.st_dev == here.st_dev && own.st_ino == here.st_ino
  }

  private static func parent(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private static func lastPart(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
}
