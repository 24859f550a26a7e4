import Foundation
import Glibc
import MachineCore

/// The files and folders that exist only while the process works, such as staged files and scratch folders.
///
/// A process that ends early removes them. Each is made and listed in one step, so that none exists that is not listed.
package enum Leftovers {
  package enum Kind: Sendable {
    case file
    /// A folder with its contents.
    case folder
    /// A folder that stays if it has contents.
    case emptyFolder
  }

  /// The number of attempts to remove a folder in which child processes still write.
  private static let attemptLimit = 1_000
  private static let listed = Guarded<[(path: String, kind: Kind)]>([])
  /// The lock under which a step runs that the end of the process must not interrupt.
  private static let ending = Guarded(())

  /// Lists the file or folder that `make` makes.
  ///
  /// - Returns: The path that `make` returned. If it is nil, nothing is listed, and `errno` has the reason.
  @discardableResult
  package static func make(_ kind: Kind, make: () -> String?) -> String? {
    listed.withLock { listed in
      guard let path = make() else { return nil }
      listed.append((path, kind))
      return path
    }
  }

  /// Runs `body`. A signal ends the process afterwards.
  package static func uninterrupted<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ending.withLock { _ throws(Failure) in try body() }
  }

  /// Makes a folder and its missing parent folders, which are removed as far as they are empty. If it returns false,
  /// `errno` has the reason.
  package static func makeFolders(_ path: String) -> Bool {
    let makeOne = { make(.emptyFolder) { mkdir(path, S_IRWXU | S_IRWXG | S_IRWXO) == 0 ? path : nil } != nil }
    if makeOne() || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex,
      makeFolders(String(path[..<slash]))
    else { return false }
    return makeOne()
  }

  /// Lists a file or folder no longer, since it has become a part of the result.
  package static func keep(_ path: String) {
    listed.withLock { listed in listed.removeAll { $0.path == path } }
  }

  /// Removes a file or folder, and lists it no longer.
  package static func remove(_ path: String) {
    listed.withLock { listed in
      for entry in listed where entry.path == path { remove(entry) }
      listed.removeAll { $0.path == path }
    }
  }

  /// Removes all that is listed, and ends the process with `end`. Threads that make or remove anything meanwhile wait
  /// for the end.
  package static func removeAll(end: () -> Never) -> Never {
    ending.withLock { _ in
      listed.withLock { listed in
        for entry in listed.reversed() { remove(entry) }
        end()
      }
    }
  }

  private static func remove(_ entry: (path: String, kind: Kind)) {
    switch entry.kind {
    case .file: unlink(entry.path)
    case .emptyFolder: rmdir(entry.path)
    case .folder:
      // Threads and child processes that still write there do not find the folder under the other name. The name has
      // the form of a scratch folder's, so that the next run removes the folder if this process is killed.
      let renamed = entry.path + "0"
      let folder = rename(entry.path, renamed) == 0 ? renamed : entry.path
      // An attempt fails at a file that a child process makes or deletes at the same time.
      for _ in 0..<attemptLimit where access(folder, F_OK) == 0 { try? FileManager.default.removeItem(atPath: folder) }
    }
  }
}
