import Foundation
import Glibc
import OutputFiles

/// The private folder of one run, with its workload, its stores and the files of its children. The run removes it at
/// its end.
///
/// The folder is locked while its process lives. A later run can thus find and remove the folder of a run that was
/// killed.
package final class ScratchFolder: Sendable {
  package let path: String
  private let lock: FileLock

  /// Makes a folder inside `parent`, and removes the folders of runs that were killed.
  ///
  /// - Throws: `RunFailure` if it cannot be made.
  package init(in parent: String) throws {
    ScratchFolder.removeAbandoned(in: parent)
    while true {
      let path = "\(parent)/.stackbench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
      guard Leftovers.make(.folder, make: { mkdir(path, S_IRWXU) == 0 ? path : nil }) != nil else {
        throw ScratchFolder.cannotBeMade(path, code: errno)
      }
      switch FileLock.lock(path) {
      case .locked(let lock):
        self.path = path
        self.lock = lock
        return
      // Another run that is just starting has mistaken the folder for an abandoned one and removes it.
      case .held, .failed(ENOENT): Leftovers.keep(path)
      case .failed(let code):
        Leftovers.remove(path)
        throw ScratchFolder.cannotBeMade(path, code: code)
      }
    }
  }

  private static func cannotBeMade(_ path: String, code: CInt) -> RunFailure {
    .unwritable(
      FileError(writing: path, what: "cannot be made", code), advice: "use an existing folder that is writable")
  }

  /// Makes a new folder inside the scratch folder and returns its path.
  package func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try makeEmpty(folder)
    return folder
  }

  private func makeEmpty(_ folder: String) throws {
    guard mkdir(folder, S_IRWXU) == 0 else {
      throw RunFailure.unexpected(FileError(writing: folder, what: "cannot be made", errno))
    }
  }

  /// Writes a text to a file inside the scratch folder.
  package static func write(_ text: String, to path: String) throws {
    do throws(FileError) {
      try AtomicFile.write(Data(text.utf8), to: path)
    } catch {
      throw RunFailure.unexpected(error)
    }
  }

  /// Removes a folder inside the scratch folder, with its contents.
  package func removeFolder(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes the contents of a folder inside the scratch folder.
  func empty(_ folder: String) throws {
    removeFolder(folder)
    try makeEmpty(folder)
  }

  /// Removes the scratch folder with its contents, even while another thread writes there.
  package func remove() { Leftovers.remove(path) }

  /// Removes the folders whose process has ended, which are those with a free lock.
  private static func removeAbandoned(in parent: String) {
    let isScratch = { (name: String) in name.wholeMatch(of: /\.stackbench-[0-9]+-[0-9]+/) != nil }
    for folder in FolderEntries.paths(in: parent, of: S_IFDIR, where: isScratch) {
      FileLock.whileLocked(folder) {
        if !isOfEarlierVersion(folder) { try? FileManager.default.removeItem(atPath: folder) }
      }
    }
  }

  /// Returns true if a running process of an earlier version, which locks a file inside its folder, has the folder.
  private static func isOfEarlierVersion(_ folder: String) -> Bool {
    if case .held = FileLock.lock("\(folder)/lock") { true } else { false }
  }
}
