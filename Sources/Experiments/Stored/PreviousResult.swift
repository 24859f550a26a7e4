import Foundation
import Metrics
import Reporting
import TrialProcesses

/// Finds the result that a folder held before its present one, among those that were moved aside from it.
enum PreviousResult {
  /// Returns the folder of the run that the folder at `path` held before its present result.
  ///
  /// Before a result that has been moved aside comes the one that was moved from the same folder before it.
  ///
  /// - Parameter path: The folder as it was given.
  /// - Returns: A path in the form of the given one: absolute, or as short as it is from the working folder.
  /// - Throws: `RunFailure` with status 64 if no earlier run is kept.
  static func path(before path: String) throws -> String {
    let folder = StagedFolder.withoutLink(WorkingFolder.absolutePath(path))
    let own = ResultOrigin(in: folder)
    let name = own?.name ?? WorkingFolder.lastPart(of: folder)
    let earlier = moved(from: name, in: parent(of: folder)).filter { candidate in
      candidate.number < own?.number ?? .max && holdsTrials(candidate.path)
    }
    guard let last = earlier.max(by: { $0.number < $1.number }) else {
      // Results that an older version moved aside have no note: they may come from any folder.
      throw RunFailure.usage(
        "\(path): no earlier run of it is kept; run once more with this folder, which keeps the present result, or give "
          + "two folders")
    }
    return path.hasPrefix("/") ? last.path : WorkingFolder.shown(last.path)
  }

  /// Returns the note for the result that is moved next from the folder at `path`.
  static func nextOrigin(of path: String) -> ResultOrigin {
    let folder = StagedFolder.withoutLink(WorkingFolder.absolutePath(path))
    let name = WorkingFolder.lastPart(of: folder)
    let last = moved(from: name, in: parent(of: folder)).map(\.number).max() ?? 0
    return ResultOrigin(name: name, number: last + 1)
  }

  private static func moved(from name: String, in parent: String) -> [(path: String, number: Int)] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return folders.compactMap { folder in
      let path = "\(parent)/\(folder)"
      guard let origin = ResultOrigin(in: path), origin.name == name else { return nil }
      return (path, origin.number)
    }
  }

  /// Returns true if a folder holds a run whose figures can be compared: no sweep, no advice, and no killed apps.
  private static func holdsTrials(_ path: String) -> Bool {
    StoredResult.kind(in: path) == .run && FileManager.default.fileExists(atPath: "\(path)/\(TrialTable.fileName)")
  }

  private static func parent(of path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
}
