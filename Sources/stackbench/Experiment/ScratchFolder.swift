import Foundation
import Glibc

/// The private folder of one run: the workload, the stores, what the children say. Gone when the run ends.
///
/// It is locked while its process lives, so that a later run can tell, and remove, what a killed one has left behind.
final class ScratchFolder: Sendable {
  let path: String
  private let lock: CInt

  private static let prefix = ".stackbench-"
  private static let lockName = "lock"

  /// Makes a folder inside `parent`, and removes those of runs that were killed.
  ///
  /// - Throws: `CommandFailure` when it cannot be made.
  init(in parent: String) throws {
    ScratchFolder.removeAbandoned(in: parent)
    path = "\(parent)/\(ScratchFolder.prefix)\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    guard mkdir(path, S_IRWXU) == 0 else {
      throw CommandFailure.usage("\(path): cannot be made: \(String(cString: strerror(errno)))")
    }
    // Locked before it has its name: another run that starts just then must not take the folder for abandoned.
    let unlocked = "\(path)/\(ScratchFolder.lockName).partial"
    lock = open(unlocked, O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)
    _ = flock(lock, LOCK_EX | LOCK_NB)
    _ = rename(unlocked, "\(path)/\(ScratchFolder.lockName)")
  }

  /// Makes a new folder inside.
  func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    guard mkdir(folder, S_IRWXU) == 0 else {
      throw CommandFailure.failed("\(folder): cannot be made: \(String(cString: strerror(errno)))")
    }
    return folder
  }

  /// Removes one of the folders inside, with all that it holds.
  func removeFolder(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes the folder with all that it holds, also while somebody goes on writing there.
  func remove() {
    for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
    close(lock)
  }

  /// Removes the folders whose process is gone: whoever can lock one owns it.
  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = "\(parent)/\(name)"
      // A folder without a lock file is one that is being made, or not ours.
      let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC)
      guard lock >= 0 else { continue }
      defer { close(lock) }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }
}
