import Glibc

/// Where a run's files go, proven writable before anything that takes time.
struct OutputFolder: Sendable {
  let path: String
  /// The topmost folder that had to be made; nil if all were there.
  private let made: String?

  /// Makes the folder if it is missing, and proves that a file can be written there.
  ///
  /// - Throws: `CommandFailure` with status 64.
  init(_ path: String, flag: String) throws {
    self.path = path
    made = OutputFolder.topmostMissing(of: path)
    guard OutputFolder.make(path) else {
      throw OutputFolder.cannotWrite(path, flag: flag, because: String(cString: strerror(errno)))
    }
    let probe = "\(path)/.probe-\(getpid())"
    let file = open(probe, O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard file >= 0 else {
      throw OutputFolder.cannotWrite(path, flag: flag, because: String(cString: strerror(errno)))
    }
    close(file)
    unlink(probe)
  }

  /// Removes the folders that were made for a run that wrote nothing, as far as they are empty.
  func removeIfUnused() {
    guard let made else { return }
    var folder = path
    while rmdir(folder) == 0, folder != made, let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
    }
  }

  /// Makes a folder and those above it, as far as they are missing; `errno` says why not.
  private static func make(_ path: String) -> Bool {
    if mkdir(path, S_IRWXU | S_IRWXG | S_IRWXO) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex,
      make(String(path[..<slash]))
    else { return false }
    return mkdir(path, S_IRWXU | S_IRWXG | S_IRWXO) == 0
  }

  private static func topmostMissing(of path: String) -> String? {
    var missing: String?
    var folder = path
    while access(folder, F_OK) != 0 {
      missing = folder
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
      folder = String(folder[..<slash])
    }
    return missing
  }

  private static func cannotWrite(_ path: String, flag: String, because reason: String) -> CommandFailure {
    CommandFailure.usage(
      "\(flag) \(path): cannot be written: \(reason); "
        + "use a folder that is there and writable, or one that can be made")
  }
}
