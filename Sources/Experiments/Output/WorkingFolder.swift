import Foundation

/// The folder in which the program was started.
package enum WorkingFolder {
  /// Returns the path relative to this folder if it lies below it, or else the path itself.
  package static func shown(_ path: String) -> String {
    let here = absolutePath(FileManager.default.currentDirectoryPath)
    return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// Returns the name of a file or folder without the path to it.
  package static func lastPart(of path: String) -> String {
    URL(fileURLWithPath: absolutePath(path)).lastPathComponent
  }

  /// Returns the absolute path of a path that may be relative to this folder.
  package static func absolutePath(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
